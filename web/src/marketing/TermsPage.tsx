import { LEGAL_PATHS } from '@deeb/core/paths'
import * as texts from '@deeb/texts/site'
import { LegalPage } from './frame/LegalPage.tsx'

export function TermsPage() {
  return <LegalPage heading={texts.terms()} description={texts.termsDescription()} path={LEGAL_PATHS.terms} />
}
