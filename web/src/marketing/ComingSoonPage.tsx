import { SITE_PATHS } from '@deeb/core/paths'
import { LeadPage } from './frame/LeadPage.tsx'
import { ComingSoonTitle } from './frame/titles.tsx'

export function ComingSoonPage() {
  return (
    <LeadPage
      title="deeb: almost quiet"
      lead="this part of deeb is not ready yet. leave your address and we will write once, when it is."
      path={SITE_PATHS.comingSoon}
      name="coming-soon"
      heading={<ComingSoonTitle />}
      source="coming_soon_page"
      submit="Notify me"
      saving="Saving..."
      saved="Thanks — you'll be the first to know."
    />
  )
}
