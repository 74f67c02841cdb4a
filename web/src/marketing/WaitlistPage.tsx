import { SITE_PATHS } from '@deeb/core/paths'
import { LeadPage } from './frame/LeadPage.tsx'
import { WaitlistTitle } from './frame/titles.tsx'

export function WaitlistPage() {
  return (
    <LeadPage
      title="deeb: be first to be unavailable"
      lead="the plugs are on their way. leave your address and we will tell you when."
      path={SITE_PATHS.waitlist}
      name="waitlist"
      ground="black"
      heading={<WaitlistTitle />}
      source="main_coming_soon"
      submit="join the waitlist"
      saving="saving..."
      saved="you're on the list!"
      note="one message. then silence."
    />
  )
}
