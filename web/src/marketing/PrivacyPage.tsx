import { LEGAL_PATHS } from '@deeb/core/paths'
import { LegalPage } from './frame/LegalPage.tsx'

export function PrivacyPage() {
  return (
    <LegalPage
      heading="privacy"
      description="what this server keeps about people, and why."
      path={LEGAL_PATHS.privacy}
    />
  )
}
