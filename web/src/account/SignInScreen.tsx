import { APP_PATHS } from '@deeb/core/paths'
import { isAuthApiError } from '@supabase/auth-js'
import { useState } from 'react'
import { Link } from 'wouter'
import { auth } from '../auth-session.ts'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/TextField.tsx'
import { TextButton, TextLink } from '../ui/TextLink.tsx'
import { textOf, useSubmit } from '../ui/use-submit.ts'
import { AccountPage } from './AccountPage.tsx'
import { showAuthFailure, showUnexpected } from './auth-failure.ts'
import { resendConfirmation } from './auth-queries.ts'
import { useMailRequest } from './use-mail-request.ts'

export default function SignInScreen() {
  /** The address of an account that is not confirmed yet. */
  const [unconfirmed, setUnconfirmed] = useState<string>()
  const { request: sendAgain, busy: isSending } = useMailRequest(resendConfirmation)
  const { onSubmit, busy } = useSubmit(async (form) => {
    const email = textOf(form, 'email')
    const isUnconfirmed = await signIn(email, textOf(form, 'password'))
    setUnconfirmed(isUnconfirmed ? email : undefined)
  })
  return (
    <AccountPage title="Sign In">
      <form onSubmit={onSubmit} className="flex flex-col gap-4">
        <TextField label="Email" name="email" type="email" autoComplete="username" required />
        <TextField label="Password" name="password" type="password" autoComplete="current-password" required />
        {unconfirmed === undefined ? null : (
          <p className="text-body text-soft">
            Confirm your address with the link we emailed you.{' '}
            <TextButton aria-disabled={isSending} onClick={() => void sendAgain(unconfirmed)}>
              Send the email again
            </TextButton>
          </p>
        )}
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

/**
 * Signs in. Resolves to whether it failed because the address is not confirmed. After a success the route leads signed-in
 * users to Home.
 */
async function signIn(email: string, password: string): Promise<boolean> {
  try {
    const { error } = await auth.signInWithPassword({ email, password })
    if (error) showAuthFailure('Sign In Failed', error)
    return isAuthApiError(error) && error.code === 'email_not_confirmed'
  } catch {
    showUnexpected()
    return false
  }
}
