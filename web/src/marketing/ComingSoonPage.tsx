import { SITE_PATHS } from '@deeb/core/paths'
import { Ear } from './drawings/Ear.tsx'
import { LeadForm } from './frame/LeadForm.tsx'
import { SitePage } from './frame/SitePage.tsx'
import { ComingSoonTitle } from './frame/titles.tsx'

export function ComingSoonPage() {
  return (
    <SitePage
      title="deeb: almost quiet"
      description="this part of deeb is not ready yet. leave your address and we will write once, when it is."
      path={SITE_PATHS.comingSoon}
      share="coming-soon"
      frame="name"
      scripts={['lead-form']}
    >
      <div className="form-page">
        <div className="page form-page-words">
          <h1 className="display coming-soon-title">
            <ComingSoonTitle />
          </h1>
          <p className="form-page-lead">
            this part of deeb is not ready yet. leave your address and we will write once, when it is.
          </p>
          <LeadForm
            action={SITE_PATHS.comingSoon}
            source="coming_soon_page"
            submit="Notify me"
            saving="Saving..."
            saved="Thanks — you'll be the first to know."
          />
        </div>
        <Ear plug="in" className="form-page-ear" />
      </div>
    </SitePage>
  )
}
