import { First, Stopped } from './Stopped.tsx'

/* The title of each page. It is also on the preview picture of its links. */

export function HomeTitle() {
  return (
    <>
      work <Stopped>deep</Stopped> show <Stopped>focus</Stopped>
    </>
  )
}

export function CompaniesTitle() {
  return (
    <>
      a focus <Stopped>zone</Stopped> <br />
      no <Stopped>walls</Stopped>
    </>
  )
}

export function TeamsTitle() {
  return (
    <>
      six <Stopped>people</Stopped> <br />
      one quiet <Stopped>morning</Stopped>
    </>
  )
}

export function ComingSoonTitle() {
  return (
    <>
      almost <br />
      <Stopped>quiet</Stopped>
    </>
  )
}

export function WaitlistTitle() {
  return (
    <>
      be <First /> <br />
      to be <br />
      <Stopped>unavailable</Stopped>
    </>
  )
}
