import { LEGAL_PATHS } from '@deeb/core/paths'
import * as texts from '@deeb/texts/site'
import { LegalPage } from './frame/LegalPage.tsx'

export function PrivacyPage() {
  return <LegalPage heading={texts.privacy()} description={texts.privacyDescription()} path={LEGAL_PATHS.privacy} />
}
