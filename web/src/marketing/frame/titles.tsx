import * as texts from '@deeb/texts/site'
import { StoppedLines } from './Lines.tsx'

/* The title of each page. It is also on the preview picture of its links. */

export function HomeTitle() {
  return <StoppedLines text={texts.homeHeading()} />
}

export function CompaniesTitle() {
  return <StoppedLines text={texts.companiesHeading()} />
}

export function TeamsTitle() {
  return <StoppedLines text={texts.teamsHeading()} />
}

export function ComingSoonTitle() {
  return <StoppedLines text={texts.comingSoonHeading()} />
}

export function WaitlistTitle() {
  return <StoppedLines text={texts.waitlistHeading()} />
}
