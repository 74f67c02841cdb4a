import { APP_PATHS } from '@deeb/core/paths'
import { isAuthApiError } from '@supabase/auth-js'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { auth } from '../auth-session.ts'
import { Button } from '../ui/Button.tsx'
import { FormError } from '../ui/FormError.tsx'
import { TextField } from '../ui/TextField.tsx'
import { TextLink } from '../ui/TextLink.tsx'
import { textOf, useSubmit } from '../ui/use-submit.ts'
import { AccountPage } from './AccountPage.tsx'
import { showAuthFailure, showUnexpected } from './auth-failure.ts'
import { resendConfirmation } from './auth-queries.ts'
import { Address } from './LinkGate.tsx'
import { PasswordField } from './PasswordField.tsx'
import { useRevocation } from './revoke-later.ts'
import { SentLinkNote } from './SentLinkNote.tsx'
import { forgetSentLink, rememberSentLink, sentLinkTo } from './sent-link.ts'

export default function SignInScreen() {
  const [, navigate] = useLocation()
  /** The address of a sign-up that is not confirmed yet. */
  const [unconfirmed, setUnconfirmed] = useState(() => sentLinkTo('signup'))
  const { onSubmit, busy, failure } = useSubmit(async (form) => {
    const email = textOf(form, 'email')
    if (!(await signIn(email, textOf(form, 'password')))) return
    rememberSentLink('signup', email)
    setUnconfirmed(email)
  })
  return (
    <AccountPage title="Sign In">
      <RevocationNote />
      {unconfirmed === undefined ? null : (
        <SentLinkNote email={unconfirmed} onSend={resendConfirmation} onWrongAddress={() => navigate(APP_PATHS.signUp)}>
          We sent a link to <Address>{unconfirmed}</Address>. Open it to confirm your address.
        </SentLinkNote>
      )}
      <form onSubmit={onSubmit} className="flex flex-col gap-4">
        <TextField label="Email" name="email" type="email" autoComplete="username" required />
        <PasswordField label="Password" name="password" autoComplete="current-password" required />
        <FormError>{failure}</FormError>
        <div className="mt-2">
          <Button kind="primary" type="submit" busy={busy}>
            {busy ? 'Signing in...' : 'Sign In'}
          </Button>
        </div>
      </form>
      <p className="mt-4 flex flex-wrap justify-between gap-x-6">
        <Link href={APP_PATHS.signUp} asChild>
          <TextLink>Create Account</TextLink>
        </Link>
        <Link href={APP_PATHS.forgotPassword} asChild>
          <TextLink tone="soft">Forgot password?</TextLink>
        </Link>
      </p>
    </AccountPage>
  )
}

/** Where the last auth session of this page may still be active. */
function RevocationNote() {
  const revocation = useRevocation()
  if (revocation === undefined) return null
  return (
    <p role="status" className="mb-4 text-body text-pretty text-soft">
      {revocation === 'trying'
        ? 'You are signed out here. The server could not be reached yet: keep this page open, and deeb tries again by itself.'
        : 'You are signed out here, but perhaps not at the server. To end that sign-in too, sign in again and change your password.'}
    </p>
  )
}

/**
 * Signs in. Resolves to whether it failed because the address is not confirmed. After a success the route leads signed-in
 * users to Home.
 */
async function signIn(email: string, password: string): Promise<boolean> {
  try {
    const { error } = await auth.signInWithPassword({ email, password })
    if (error) showAuthFailure('Sign In Failed', error)
    else forgetSentLink()
    return isAuthApiError(error) && error.code === 'email_not_confirmed'
  } catch {
    showUnexpected()
    return false
  }
}
