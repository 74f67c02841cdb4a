import './circles.css'
import { shownName } from '@deeb/core/account/display-name'
import type { previewCircle } from '@deeb/core/circles/api'
import { inviteOf } from '@deeb/core/circles/circle'
import type { OutputOf } from '@deeb/core/endpoint'
import { APP_PATHS, type AppPath } from '@deeb/core/paths'
import { Redirect, useLocation } from 'wouter'
import { ApiError } from '../api.ts'
import { FocusFrame } from '../FocusFrame.tsx'
import { forgetInvite, useInvite } from '../kept-invite.ts'
import { onboarded } from '../onboarded.tsx'
import { useHome } from '../stats/stats-queries.ts'
import { useIsLater, whenText } from '../team/visible-from.ts'
import { Button } from '../ui/Button.tsx'
import { FormError } from '../ui/FormError.tsx'
import { LoadFailure } from '../ui/LoadFailure.tsx'
import { PersonRow } from '../ui/PersonRow.tsx'
import { ScreenSkeleton, Skeleton } from '../ui/Skeleton.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { useBusy } from '../ui/use-busy.ts'
import { joinFailure, useJoinCircle, usePreview } from './circles-queries.ts'

const SUB_PAGE = { title: 'Join a circle', parent: APP_PATHS.team, backLabel: 'Back to Team' }

export default onboarded(CircleScreen)

/** The target of the link of a circle: who is in it, before joining. */
function CircleScreen() {
  const fragment = useInvite()
  const { data: home } = useHome()
  if (fragment === null) return <Redirect to={APP_PATHS.home} replace />
  const invite = inviteOf(fragment)
  return (
    <FocusFrame title={SUB_PAGE.title} focus={home} subPage={SUB_PAGE}>
      {invite === null ? <Refused code="not_found" /> : <Preview key={invite} invite={invite} />}
    </FocusFrame>
  )
}

function Preview({ invite }: { invite: string }) {
  const { data, error, isError, refetch } = usePreview(invite)
  if (data) return <Circle preview={data} invite={invite} />
  const code = error instanceof ApiError ? error.code : undefined
  if (code === 'not_found' || code === 'circles_off' || code === 'too_many_attempts') return <Refused code={code} />
  if (isError) return <LoadFailure title="The circle could not be loaded" onRetry={() => void refetch()} />
  return (
    <ScreenSkeleton className="column flex-1 pb-5">
      <Skeleton shape="line" className="h-7 w-32" />
      {['first', 'second', 'third'].map((row) => (
        <Skeleton key={row} shape="line" className="mt-3 h-10" />
      ))}
    </ScreenSkeleton>
  )
}

interface CircleProps {
  preview: OutputOf<typeof previewCircle>
  invite: string
}

function Circle({ preview: { name, people, visibleFrom, isMember }, invite }: CircleProps) {
  const { data: home } = useHome()
  const company = home?.profile.companyDomain
  const isWaiting = useIsLater(visibleFrom)
  return (
    <main className="preview columns flex-1 pb-5">
      <div>
        <h2 className="preview-name text-title text-balance wrap-anywhere">
          {company ? `${name} at ${company}` : name}
        </h2>
        <p className="mt-2 text-name">{isWaiting ? `From ${whenText(visibleFrom)}` : 'From now on'}</p>
        <p className="mt-2 text-body text-pretty text-soft">
          {isMember ? memberText(people.length) : previewText(people.length)}
        </p>
      </div>
      <ul aria-label={`Members of ${name}`} className="preview-people">
        {people.map((person) => (
          <li key={person.id} className="border-line not-first:border-t">
            <PersonRow name={shownName(person)} email={person.email} />
          </li>
        ))}
      </ul>
      {isMember ? <AlreadyMember /> : <Join name={name} invite={invite} />}
    </main>
  )
}

function previewText(count: number): string {
  if (count === 0) return 'Nobody whom you would see is in it yet.'
  const who = count === 1 ? 'This person' : `These ${count} people`
  return `${who} would see when you are in deeb mode, and you would see ${count === 1 ? 'this person' : 'them'}:`
}

function memberText(count: number): string {
  if (count === 0) return 'You are in this circle. Nobody else whom you would see is in it yet.'
  const who = count === 1 ? 'This person' : `These ${count} people`
  const verb = count === 1 ? 'sees' : 'see'
  return `You are in this circle. ${who} ${verb} when you are in deeb mode, and you see ${count === 1 ? 'this person' : 'them'}:`
}

/** Leaves the screen of a link, and forgets the link. Its entry is replaced: Back does not lead to it. */
function useLeaveFor(path: AppPath): () => void {
  const [, navigate] = useLocation()
  return () => {
    navigate(path, { replace: true })
    forgetInvite()
  }
}

function Join({ name, invite }: { name: string; invite: string }) {
  const joinCircle = useJoinCircle()
  const [busy, run] = useBusy()
  const { error } = joinCircle
  const toTeam = useLeaveFor(APP_PATHS.team)
  return (
    <div className="join-actions">
      <p className="text-body text-pretty text-soft">
        Joining is your choice. Nobody can add you, and nobody is told when you leave.
      </p>
      <div role="alert">
        <FormError>{error ? joinFailure(error, name) : undefined}</FormError>
      </div>
      <div className="mt-3">
        <Button
          kind="primary"
          busy={busy}
          onClick={() => void run(() => joinCircle.mutateAsync({ invite, name }).then(toTeam, () => undefined))}
        >
          {busy ? 'Joining...' : 'Join'}
        </Button>
      </div>
      <TextButton tone="soft" onClick={toTeam}>
        Not now
      </TextButton>
    </div>
  )
}

function AlreadyMember() {
  return (
    <div className="join-actions">
      <Button kind="primary" onClick={useLeaveFor(APP_PATHS.circles)}>
        Open circles
      </Button>
    </div>
  )
}

const REFUSALS = {
  not_found: {
    title: 'This link does not work',
    text: 'It may be old, or of a circle in another company. Ask the colleague who sent it for a new one.',
  },
  circles_off: { title: 'This server has no circles', text: 'Connect with your colleagues one by one instead.' },
  too_many_attempts: {
    title: 'You have opened too many links',
    text: 'Please open the link of the circle again in an hour.',
  },
}

function Refused({ code }: { code: keyof typeof REFUSALS }) {
  const { data: home } = useHome()
  const { title, text } = REFUSALS[code]
  return (
    <main className="column flex-1 pb-5">
      <div role="alert">
        <h2 className="text-title text-balance">{title}</h2>
        <p className="mt-2 text-body text-pretty text-soft">{text}</p>
        {home && code === 'not_found' ? (
          <p className="mt-2 text-body text-soft wrap-anywhere">You are signed in as {home.profile.email}.</p>
        ) : null}
      </div>
      <div className="mt-6">
        <Button kind="primary" onClick={useLeaveFor(APP_PATHS.team)}>
          Open Team
        </Button>
      </div>
    </main>
  )
}
