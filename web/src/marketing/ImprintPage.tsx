import { LEGAL_PATHS } from '@deeb/core/paths'
import { LegalPage } from './frame/LegalPage.tsx'

export function ImprintPage() {
  return <LegalPage heading="imprint" description="who runs this deeb server." path={LEGAL_PATHS.imprint} />
}
