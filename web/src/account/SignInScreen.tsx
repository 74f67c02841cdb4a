import { APP_PATHS } from '@deeb/core/paths'
import * as texts from '@deeb/texts/signIn'
import { useEffect, useRef, useState } from 'react'
import { Link, useLocation } from 'wouter'
import { lazyPart } from '../device/lazy-part.tsx'
import { isAuthApiError } from '../session/auth-errors.ts'
import { authClient } from '../session/auth-session.ts'
import { Button } from '../ui/Button.tsx'
import { FormError } from '../ui/FormError.tsx'
import { TextField } from '../ui/TextField.tsx'
import { TextButton, TextLink } from '../ui/TextLink.tsx'
import { textOf, useSubmit } from '../ui/use-submit.ts'
import { withElements } from '../ui/with-elements.tsx'
import { AccountPage, focusFirst } from './AccountPage.tsx'
import { showAddressFailure } from './address-failure.ts'
import { showUnexpected } from './auth-failure.ts'
import { type AuthSettings, resendConfirmation, supportsPasskeys, useAuthSettings } from './auth-queries.ts'
import type { Company } from './company-sign-in.ts'
import { lastWay, rememberWay, type SignInWay } from './last-way.ts'
import { PasswordField } from './PasswordField.tsx'
import { useRevocation } from './revoke-later.ts'
import { forgetSentLink, rememberSentLink, sentLinkTo } from './sent-link.ts'

// Only after a sign-up that is not confirmed.
const SentLinkNote = lazyPart(() => import('./SentLinkNote.tsx'))
const Address = lazyPart(() => import('./Address.tsx'))

const loadOtherWays = () => import('./OtherWays.tsx')
const PasskeyWay = lazyPart(async () => ({ default: (await loadOtherWays()).PasskeyWay }))
const CompanyWay = lazyPart(async () => ({ default: (await loadOtherWays()).CompanyWay }))
const CompanyOffer = lazyPart(async () => ({ default: (await loadOtherWays()).CompanyOffer }))

/** The address decides: with a company, its sign-in page is offered first. */
type Step = 'email' | 'password' | Company

/** The form to sign in. `lead` says what for. */
export default function SignInScreen({ lead }: { lead?: string }) {
  const [, navigate] = useLocation()
  const settings = useAuthSettings()
  /** The address of a sign-up that is not confirmed yet. */
  const [unconfirmed, setUnconfirmed] = useState(() => sentLinkTo('signup'))
  /** Whether its link has to be opened first: the form would ask for what does not work yet. */
  const [isWaiting, setWaiting] = useState(unconfirmed !== undefined)
  const [remembered] = useState(lastWay)
  const last = isOffered(remembered, settings) ? remembered : undefined
  const [step, setStep] = useState<Step>('email')
  const [hasTypedPassword, setHasTypedPassword] = useState(false)
  // Until the server has answered, as on the last visit. A password that was begun is not taken away.
  const asksEmailFirst = !hasTypedPassword && (settings?.sso_enabled ?? last?.way === 'company')
  const isPasswordShown = !asksEmailFirst || step === 'password'
  const { onSubmit, busy, failure } = useSubmit(async (form) => {
    const email = textOf(form, 'email')
    if (!isPasswordShown) return chooseWay(email)
    if (!(await signIn(email, textOf(form, 'password')))) return
    rememberSentLink('signup', email)
    setUnconfirmed(email)
    setWaiting(true)
  })
  async function chooseWay(email: string): Promise<void> {
    try {
      const { findWay } = await import('./company-sign-in.ts')
      const way = await findWay(email)
      if (way) setStep(way)
    } catch {
      showUnexpected()
    }
  }
  const isOffering = typeof step === 'object' && asksEmailFirst
  const isPasskeyFirst = last?.way === 'passkey'
  const hasFilledAbove = isPasskeyFirst || last?.way === 'company'
  // The height of the button, so that nothing moves when it is loaded and the server has answered.
  const passkeyWay =
    supportsPasskeys(settings) === false ? null : (
      <div className={isPasskeyFirst ? 'mb-6 min-h-13' : 'mt-3 min-h-13'}>
        <PasskeyWay isFirst={isPasskeyFirst} />
      </div>
    )
  if (unconfirmed !== undefined && isWaiting) {
    return (
      <AccountPage title={texts.checkEmail()}>
        <RevocationNote />
        <SentLinkNote email={unconfirmed} onSend={resendConfirmation} onWrongAddress={() => navigate(APP_PATHS.signUp)}>
          {withElements(texts.confirmationSent, { email: <Address>{unconfirmed}</Address> })}
        </SentLinkNote>
        <TextButton onClick={() => setWaiting(false)}>{texts.backToSignIn()}</TextButton>
      </AccountPage>
    )
  }
  return (
    <AccountPage {...(lead && { lead })} title={texts.signInTitle()}>
      <RevocationNote />
      {isOffering ? null : <CompanyWay settings={settings} last={last} />}
      {isPasskeyFirst ? passkeyWay : null}
      <form onSubmit={onSubmit} className="flex flex-col gap-4">
        <TextField
          ref={hasFilledAbove ? undefined : focusFirst}
          label={texts.email()}
          name="email"
          type="email"
          autoComplete="username webauthn"
          defaultValue={unconfirmed}
          onInput={() => {
            setStep('email')
            setHasTypedPassword(false)
          }}
          required
        />
        {isPasswordShown ? (
          <PasswordStep isFocused={step === 'password'} onTyped={() => setHasTypedPassword(true)} />
        ) : null}
        <FormError>{failure}</FormError>
        {isOffering ? (
          <CompanyOffer company={step} onPassword={() => setStep('password')} />
        ) : (
          <div className="mt-2">
            <Button kind={hasFilledAbove ? 'secondary' : 'primary'} type="submit" busy={busy}>
              {isPasswordShown ? (busy ? texts.signingIn() : texts.signIn()) : texts.next()}
            </Button>
          </div>
        )}
      </form>
      {isPasskeyFirst ? null : passkeyWay}
      <p className="mt-4 flex flex-wrap justify-between gap-x-6">
        <Link href={APP_PATHS.signUp} asChild>
          <TextLink>{texts.createAccount()}</TextLink>
        </Link>
        <Link href={APP_PATHS.forgotPassword} asChild>
          <TextLink tone="soft">{texts.forgotPassword()}</TextLink>
        </Link>
      </p>
    </AccountPage>
  )
}

/** Whether the server and this browser have this way. Until the server has answered, yes. */
function isOffered(last: SignInWay | undefined, settings: AuthSettings | undefined): boolean {
  if (last?.way !== 'company') return supportsPasskeys(settings) !== false
  return !settings || settings.sso_enabled === true
}

function PasswordStep({ isFocused, onTyped }: { isFocused: boolean; onTyped: () => void }) {
  const ref = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (isFocused) ref.current?.focus()
  }, [isFocused])
  return (
    <PasswordField
      ref={ref}
      label={texts.password()}
      name="password"
      username={null}
      autoComplete="current-password"
      onInput={onTyped}
      required
    />
  )
}

/** Where the last auth session of this page may still be active. */
function RevocationNote() {
  const revocation = useRevocation()
  if (revocation === undefined) return null
  return (
    <p role="status" className="mb-4 text-body text-pretty text-soft">
      {revocation === 'trying' ? texts.signedOutTrying() : texts.signedOutHereOnly()}
    </p>
  )
}

/**
 * Signs in. Resolves to whether it failed because the address is not confirmed. After a success the route leads signed-in
 * users to Home.
 */
async function signIn(email: string, password: string): Promise<boolean> {
  try {
    const { error } = await (await authClient()).signInWithPassword({ email, password })
    if (error) {
      showAddressFailure(texts.signInFailed(), error, email)
    } else {
      forgetSentLink()
      rememberWay({ way: 'password' })
      // Not waited for, and nothing is lost without it.
      import('./offer-passkey.ts').then(({ offerPasskey }) => offerPasskey()).catch(() => undefined)
    }
    return isAuthApiError(error) && error.code === 'email_not_confirmed'
  } catch {
    showUnexpected()
    return false
  }
}
