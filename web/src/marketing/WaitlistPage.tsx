import { SITE_PATHS } from '@deeb/core/paths'
import { Ear } from './drawings/Ear.tsx'
import { LeadForm } from './frame/LeadForm.tsx'
import { SitePage } from './frame/SitePage.tsx'
import { WaitlistTitle } from './frame/titles.tsx'

export function WaitlistPage() {
  return (
    <SitePage
      title="deeb: be first to be unavailable"
      description="the plugs are on their way. leave your address and we will tell you when."
      path={SITE_PATHS.waitlist}
      share="waitlist"
      ground="black"
      frame="name"
      scripts={['lead-form']}
    >
      <div className="form-page">
        <div className="page form-page-words">
          <h1 className="display waitlist-title">
            <WaitlistTitle />
          </h1>
          <p className="form-page-lead">the plugs are on their way. leave your address and we will tell you when.</p>
          <LeadForm
            action={SITE_PATHS.waitlist}
            source="main_coming_soon"
            submit="join the waitlist"
            saving="saving..."
            saved="you're on the list!"
            note="one message. then silence."
          />
        </div>
        <Ear plug="in" className="form-page-ear" />
      </div>
    </SitePage>
  )
}
