import type { TAP_PATH } from '@deeb/core/cases/case'
import type { OutputOf } from '@deeb/core/endpoint'
import type { readInvitation } from '@deeb/core/invitations/api'
import { APP_PATHS } from '@deeb/core/paths'
import * as circleTexts from '@deeb/texts/circles'
import * as commonTexts from '@deeb/texts/common'
import * as texts from '@deeb/texts/links'
import * as settingsTexts from '@deeb/texts/settings'
import * as signInTexts from '@deeb/texts/signIn'
import * as signUpTexts from '@deeb/texts/signUp'
import { type ReactNode, useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { ApiError } from '../calls/api.ts'
import { lazyScreen } from '../device/lazy-screen.ts'
import { forgetInvite, useInvite } from '../session/kept-invite.ts'
import { Button } from '../ui/Button.tsx'
import { FormError } from '../ui/FormError.tsx'
import { Skeleton } from '../ui/Skeleton.tsx'
import { TextField } from '../ui/TextField.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { textOf, useSubmit } from '../ui/use-submit.ts'
import { AccountPage, focusFirst } from './AccountPage.tsx'
import { useAuthSettings } from './auth-queries.ts'
import { aboutText, useInvitation } from './invitation.ts'
import { NewPasswordField } from './NewPasswordFields.tsx'
import { PrivacyLink } from './PrivacyLink.tsx'
import { forgetSentLink, sentLinkTo } from './sent-link.ts'
import { signUp } from './sign-up.ts'

const SignInScreen = lazyScreen(() => import('./SignInScreen.tsx'))

type Invitation = OutputOf<typeof readInvitation>

/**
 * The screen of visitors with a link for signed-in users: of an invitation, who invites to what, and the form to sign up; of a tap on a
 * case, the form to sign in.
 */
export default function InvitedScreen() {
  const invite = useInvite()
  const [path] = useLocation()
  if (path === ('/t' satisfies typeof TAP_PATH)) return <SignInToTap />
  return invite === null ? <DeadLink /> : <Invited key={invite} invite={invite} />
}

/** After the sign-in the tap asks before it switches. */
function SignInToTap() {
  useEffect(() => {
    delete document.documentElement.dataset.opened
  }, [])
  return <SignInScreen lead={texts.toUseCode()} />
}

function Invited({ invite }: { invite: string }) {
  const { data, error, isError, refetch } = useInvitation(invite)
  if (data) return <Join invitation={data} invite={invite} />
  if (error instanceof ApiError && error.code === 'not_found') return <DeadLink />
  return (
    <AccountPage lead={texts.invited()} title="deeb">
      {isError ? (
        <div role="alert">
          <p className="text-body text-soft">{settingsTexts.unreachable()}</p>
          <TextButton onClick={() => void refetch()}>{commonTexts.tryAgain()}</TextButton>
        </div>
      ) : (
        <div role="status" aria-label={commonTexts.loading()}>
          {['people', 'email', 'password', 'join'].map((row) => (
            <Skeleton key={row} shape="line" className="mt-4 h-13" />
          ))}
        </div>
      )}
    </AccountPage>
  )
}

function Join({ invitation, invite }: { invitation: Invitation; invite: string }) {
  const { inviter, domain } = invitation
  const isCompany = invitation.circle === null
  const [, navigate] = useLocation()
  const settings = useAuthSettings()
  const isOnlyByCompany = settings?.sso?.only === true && settings.sso.domain === domain
  const isOff = settings?.disable_signup === true || isOnlyByCompany
  const meaning = (
    <p className="text-note text-pretty text-soft">
      <span>{isCompany ? texts.joinsCompany() : texts.joinsCircle()}</span>
      {isCompany && inviter !== null ? <span> {texts.asksInviter({ name: inviter })}</span> : null}
    </p>
  )
  return (
    <AccountPage
      lead={inviter === null ? texts.invited() : texts.invitesYou({ name: inviter })}
      title={invitation.circle ?? 'deeb'}
    >
      <p className="-mt-3 text-body wrap-anywhere text-soft">{aboutText(invitation)}</p>
      {isOff ? <div className="mt-3">{meaning}</div> : <JoinForm domain={domain} invite={invite} meaning={meaning} />}
      {settings?.disable_signup ? <p className="mt-3 text-body">{signUpTexts.signUpsDisabled()}</p> : null}
      <div className={isOff ? 'mt-6' : 'mt-3'}>
        <Button kind={isOff ? 'primary' : 'secondary'} onClick={() => navigate(APP_PATHS.signIn)}>
          {isOnlyByCompany ? signInTexts.signIn() : texts.haveAccount()}
        </Button>
      </div>
      <PrivacyLink />
    </AccountPage>
  )
}

interface JoinFormProps {
  domain: string
  invite: string
  /** The consequences of joining, above the button. */
  meaning: ReactNode
}

function JoinForm({ domain, invite, meaning }: JoinFormProps) {
  const [, navigate] = useLocation()
  // Back from "Wrong address?": the address can be corrected.
  const [typed, setTyped] = useState(() => sentLinkTo('signup') ?? '')
  const [isElsewhere, setElsewhere] = useState(false)
  const [passwordFault, setPasswordFault] = useState<string>()
  const { onSubmit, busy, failure } = useSubmit(async (form) => {
    setPasswordFault(undefined)
    const address = typed.trim()
    const email = address.includes('@') ? address : `${address}@${domain}`
    const isOther = !email.toLowerCase().endsWith(`@${domain}`)
    setElsewhere(isOther)
    if (isOther) return
    const outcome = await signUp({ email, password: textOf(form, 'password') }, invite)
    if (outcome === true) navigate(APP_PATHS.signIn)
    else if (outcome) setPasswordFault(outcome.passwordFault)
  })
  function leave(): void {
    forgetSentLink()
    forgetInvite()
    navigate(APP_PATHS.signUp)
  }
  return (
    <form onSubmit={onSubmit} className="mt-5 flex flex-col gap-4">
      <div>
        <TextField
          label={texts.workEmail()}
          name="email"
          ref={focusFirst}
          inputMode="email"
          autoComplete="username"
          autoCapitalize="none"
          autoCorrect="off"
          spellCheck={false}
          value={typed}
          onChange={(event) => setTyped(event.currentTarget.value)}
          suffix={typed.includes('@') ? undefined : `@${domain}`}
          error={isElsewhere ? texts.otherDomain({ domain }) : undefined}
          required
        />
        {isElsewhere ? <TextButton onClick={leave}>{texts.withoutInvitation()}</TextButton> : null}
      </div>
      <NewPasswordField label={signInTexts.password()} username={null} error={passwordFault} />
      {meaning}
      <FormError>{failure}</FormError>
      <div>
        <Button kind="primary" type="submit" busy={busy}>
          {busy ? texts.joining() : texts.join()}
        </Button>
      </div>
    </form>
  )
}

function DeadLink() {
  const [, navigate] = useLocation()
  const isOff = useAuthSettings()?.disable_signup === true
  // Other pages would say again that it does not work.
  useEffect(forgetInvite, [])
  const leaveFor = (path: '/app' | '/app/signup') => navigate(path, { replace: true })
  return (
    <AccountPage title={circleTexts.linkRefused()}>
      <p className="text-body text-pretty text-soft">{circleTexts.linkRefusedText()}</p>
      <div className="mt-6 flex flex-col gap-3">
        {isOff ? null : (
          <Button kind="primary" onClick={() => leaveFor(APP_PATHS.signUp)}>
            {signInTexts.createAccount()}
          </Button>
        )}
        <Button kind={isOff ? 'primary' : 'secondary'} onClick={() => leaveFor(APP_PATHS.signIn)}>
          {signInTexts.signIn()}
        </Button>
      </div>
    </AccountPage>
  )
}
