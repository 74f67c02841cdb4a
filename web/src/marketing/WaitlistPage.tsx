import { SITE_PATHS } from '@deeb/core/paths'
import * as texts from '@deeb/texts/site'
import { LeadPage } from './frame/LeadPage.tsx'
import { WaitlistTitle } from './frame/titles.tsx'

export function WaitlistPage() {
  return (
    <LeadPage
      title={texts.waitlistTitle()}
      lead={texts.waitlistLead()}
      path={SITE_PATHS.waitlist}
      name="waitlist"
      ground="black"
      heading={<WaitlistTitle />}
      source="main_coming_soon"
      submit={texts.joinWaitlist()}
      saving={texts.waitlistSaving()}
      saved={texts.waitlistSaved()}
      note={texts.waitlistNote()}
    />
  )
}
