import { LEGAL_PATHS } from '@deeb/core/paths'
import * as texts from '@deeb/texts/site'
import { LegalPage } from './frame/LegalPage.tsx'

export function ImprintPage() {
  return <LegalPage heading={texts.imprint()} description={texts.imprintDescription()} path={LEGAL_PATHS.imprint} />
}
