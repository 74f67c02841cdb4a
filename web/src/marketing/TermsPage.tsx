import { LEGAL_PATHS } from '@deeb/core/paths'
import { LegalPage } from './frame/LegalPage.tsx'

export function TermsPage() {
  return <LegalPage heading="terms" description="the terms of this deeb server." path={LEGAL_PATHS.terms} />
}
