import './circles.css'
import { shownName } from '@deeb/core/account/display-name'
import type { previewCircle } from '@deeb/core/circles/api'
import type { OutputOf } from '@deeb/core/endpoint'
import { invitationOf, senderOf } from '@deeb/core/invitations/invitation'
import { APP_PATHS, type AppPath } from '@deeb/core/paths'
import { requestConnection } from '@deeb/core/team/api'
import * as texts from '@deeb/texts/circles'
import { useEffect, useEffectEvent } from 'react'
import { Redirect, useLocation } from 'wouter'
import { useInvitation } from '../account/invitation.ts'
import { SignOutButton } from '../account/SignOutButton.tsx'
import { ApiError, api } from '../calls/api.ts'
import { OPENS_CHANGE_EMAIL } from '../device/history.ts'
import { useHome } from '../focus/day-queries.ts'
import { onboarded } from '../frame/onboarded.tsx'
import { forgetInvite, joinsKeptInvite, keepInvite, useInvite } from '../session/kept-invite.ts'
import { FocusFrame } from '../sessions/FocusFrame.tsx'
import { useIsLater, whenText } from '../team/visible-from.ts'
import { Button } from '../ui/Button.tsx'
import { FormError } from '../ui/FormError.tsx'
import { LoadFailure } from '../ui/LoadFailure.tsx'
import { PersonRow } from '../ui/PersonRow.tsx'
import { ScreenSkeleton, Skeleton } from '../ui/Skeleton.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { showToast } from '../ui/toast.ts'
import { useBusy } from '../ui/use-busy.ts'
import { joinFailure, useJoinCircle, usePreview } from './circles-queries.ts'

export default onboarded(CircleScreen)

/** The target of an invitation for signed-in users: who is in the circle, before joining. */
function CircleScreen() {
  const fragment = useInvite()
  const { data: home } = useHome()
  if (fragment === null) return <Redirect to={APP_PATHS.home} replace />
  const invitation = invitationOf(fragment)
  const subPage = { title: texts.joinTitle(), parent: APP_PATHS.team, backLabel: texts.backToTeam() }
  return (
    <FocusFrame title={subPage.title} focus={home} subPage={subPage}>
      {invitation === null ? (
        <Refused code="not_found" />
      ) : invitation.circle === null ? (
        <OtherInvitation key={fragment} fragment={fragment} />
      ) : (
        <Preview key={fragment} invite={invitation.circle} fragment={fragment} />
      )}
    </FocusFrame>
  )
}

function Preview({ invite, fragment }: { invite: string; fragment: string }) {
  const { data, error, isError, refetch } = usePreview(invite)
  if (data) return <Circle preview={data} invite={invite} />
  const code = error instanceof ApiError ? error.code : undefined
  if (code === 'not_found') return <OtherInvitation fragment={fragment} />
  if (code === 'circles_off' || code === 'too_many_attempts') return <Refused code={code} />
  if (isError) return <LoadFailure title={texts.circleFailed()} onRetry={() => void refetch()} />
  return <Reading />
}

/** An invitation to a company, or to a circle of another one. */
function OtherInvitation({ fragment }: { fragment: string }) {
  const { data: home } = useHome()
  const { data, error, isError, refetch } = useInvitation(fragment)
  const code = error instanceof ApiError ? error.code : undefined
  if (code === 'not_found' || code === 'too_many_attempts') return <Refused code={code} />
  if (isError) return <LoadFailure title={texts.circleFailed()} onRetry={() => void refetch()} />
  if (!data || !home) return <Reading />
  if (data.domain !== home.profile.companyDomain) return <ForDomain domain={data.domain} fragment={fragment} />
  return data.circle === null ? <Colleague fragment={fragment} inviter={data.inviter} /> : <Refused code="not_found" />
}

/** Somebody of the company has nothing to do. If they have just joined by this link, its sender is asked to connect, as the page said. */
function Colleague({ fragment, inviter }: { fragment: string; inviter: string | null }) {
  const toTeam = useLeaveFor(APP_PATHS.team)
  const enter = useEffectEvent(async () => {
    const signature = invitationOf(fragment)?.signature
    if (signature && joinsKeptInvite()) {
      const isAsked = await api(requestConnection, { userId: senderOf(signature) }).then(
        () => true,
        () => false,
      )
      if (isAsked && inviter !== null) showToast({ title: texts.senderAsked({ name: inviter }), tone: 'success' })
    }
    toTeam()
  })
  useEffect(() => void enter(), [])
  return <Reading />
}

/** The invitation of a company to which the address of the user does not belong. */
function ForDomain({ domain, fragment }: { domain: string; fragment: string }) {
  const { data: home } = useHome()
  const [, navigate] = useLocation()
  return (
    <main className="column flex-1 pb-5">
      <div role="alert">
        <h2 className="text-title text-balance wrap-anywhere">{texts.forDomain({ domain })}</h2>
        <p className="mt-2 text-body text-pretty wrap-anywhere text-soft">
          {home ? <span>{texts.signedInAs({ email: home.profile.email })} </span> : null}
          <span>{texts.ownAddress()}</span>
        </p>
      </div>
      <div className="mt-6 flex flex-col gap-3">
        <Button kind="primary" onClick={() => navigate(APP_PATHS.signInSettings, { state: OPENS_CHANGE_EMAIL })}>
          {texts.changeEmail()}
        </Button>
        {/* Its page is shown again, to sign in or up with the other address. */}
        <SignOutButton kind="secondary" onDone={() => keepInvite(fragment)} />
      </div>
      <TextButton tone="soft" onClick={useLeaveFor(APP_PATHS.team)}>
        {texts.notNow()}
      </TextButton>
    </main>
  )
}

function Reading() {
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
          {company ? texts.circleAt({ circle: name, company }) : name}
        </h2>
        <p className="mt-2 text-name">{isWaiting ? texts.from({ when: whenText(visibleFrom) }) : texts.fromNow()}</p>
      </div>
      <div className="preview-people">
        <p className="text-body text-pretty text-soft">
          {isMember ? memberText(people.length) : previewText(people.length)}
        </p>
        <ul aria-label={texts.membersOf({ circle: name })} className="mt-3">
          {people.map((person) => (
            <li key={person.id} className="border-line not-first:border-t">
              <PersonRow name={shownName(person)} email={person.email} />
            </li>
          ))}
        </ul>
      </div>
      {isMember ? <AlreadyMember /> : <Join name={name} invite={invite} />}
    </main>
  )
}

function previewText(count: number): string {
  return count === 0 ? texts.previewNobody() : texts.preview({ count })
}

function memberText(count: number): string {
  return count === 0 ? texts.memberNobody() : texts.member({ count })
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
  const join = () => run(() => joinCircle.mutateAsync({ invite, name }).then(toTeam, () => undefined))
  // The button that signed up said what joining means.
  const joinAsAgreed = useEffectEvent(() => (joinsKeptInvite() ? join() : undefined))
  useEffect(() => void joinAsAgreed(), [])
  return (
    <div className="join-actions">
      <p className="text-body text-pretty text-soft">{texts.joinHint()}</p>
      <div role="alert">
        <FormError>{error ? joinFailure(error, name) : undefined}</FormError>
      </div>
      <div className="mt-3">
        <Button kind="primary" busy={busy} onClick={() => void join()}>
          {busy ? texts.joining() : texts.join()}
        </Button>
      </div>
      <TextButton tone="soft" onClick={toTeam}>
        {texts.notNow()}
      </TextButton>
    </div>
  )
}

function AlreadyMember() {
  return (
    <div className="join-actions">
      <Button kind="primary" onClick={useLeaveFor(APP_PATHS.circles)}>
        {texts.openCircles()}
      </Button>
    </div>
  )
}

const REFUSALS = {
  not_found: {
    title: texts.linkRefused,
    text: texts.linkRefusedText,
  },
  circles_off: { title: texts.noCirclesHere, text: texts.noCirclesHereText },
  too_many_attempts: {
    title: texts.tooManyLinks,
    text: texts.tooManyLinksText,
  },
}

function Refused({ code }: { code: keyof typeof REFUSALS }) {
  const { title, text } = REFUSALS[code]
  return (
    <main className="column flex-1 pb-5">
      <div role="alert">
        <h2 className="text-title text-balance">{title()}</h2>
        <p className="mt-2 text-body text-pretty text-soft">{text()}</p>
      </div>
      <div className="mt-6">
        <Button kind="primary" onClick={useLeaveFor(APP_PATHS.team)}>
          {texts.openTeam()}
        </Button>
      </div>
    </main>
  )
}
