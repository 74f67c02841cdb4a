import { APP_PATHS } from '@deeb/core/paths'
import { isAuthApiError } from '@supabase/auth-js'
import { useState } from 'react'
import { Link, useLocation } from 'wouter'
import { auth } from '../session.ts'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/TextField.tsx'
import { TextLink } from '../ui/TextLink.tsx'
import { showToast } from '../ui/toast.ts'
import { textOf, useSubmit } from '../ui/use-submit.ts'
import { AccountPage } from './AccountPage.tsx'
import { showAuthFailure, showUnexpected } from './auth-failure.ts'

/** Where the mail's link leads: `#token_hash=...`, in the fragment, so that it reaches no log. */
export default function ConfirmScreen() {
  const [tokenHash] = useState(() => new URLSearchParams(window.location.hash.slice(1)).get('token_hash'))
  const [isDead, setIsDead] = useState(tokenHash === null)
  return (
    <AccountPage title="Confirm">
      {tokenHash === null || isDead ? (
        <SendAgain />
      ) : (
        <ConfirmForm tokenHash={tokenHash} onDead={() => setIsDead(true)} />
      )}
      <p className="mt-4">
        <Link href={APP_PATHS.signIn} asChild>
          <TextLink>Back to Sign In</TextLink>
        </Link>
      </p>
    </AccountPage>
  )
}

/** The link alone is not enough: somebody else may have signed up with this address. */
function ConfirmForm({ tokenHash, onDead }: { tokenHash: string; onDead: () => void }) {
  const [, navigate] = useLocation()
  const [wrong, setWrong] = useState<string>()
  const { onSubmit, busy } = useSubmit(async (form) => {
    setWrong(undefined)
    const outcome = await confirm(tokenHash, textOf(form, 'password'))
    if (outcome === 'confirmed') navigate(APP_PATHS.home, { replace: true })
    if (outcome === 'dead link') onDead()
    if (outcome === 'wrong password') setWrong('This is not the password chosen at sign-up.')
  })
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-4">
      <p className="text-body text-soft">Enter the password you chose when you signed up.</p>
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        required
        error={wrong}
      />
      <div className="mt-2">
        <Button kind="primary" type="submit" busy={busy}>
          Confirm
        </Button>
      </div>
    </form>
  )
}

type Outcome = 'confirmed' | 'dead link' | 'wrong password' | 'failed'

async function confirm(tokenHash: string, password: string): Promise<Outcome> {
  try {
    const { error } = await auth.verifyOtp({ type: 'signup', token_hash: tokenHash, password } as VerifyWithPassword)
    if (!error) return 'confirmed'
    if (isAuthApiError(error) && error.code === 'otp_expired') return 'dead link'
    if (isAuthApiError(error) && error.code === 'invalid_credentials') return 'wrong password'
    showAuthFailure('Confirmation Failed', error)
  } catch {
    showUnexpected()
  }
  return 'failed'
}

/** Our service asks for the password beside the token; the client passes on what it is given, but has no type for it. */
type VerifyWithPassword = Parameters<typeof auth.verifyOtp>[0]

function SendAgain() {
  const { onSubmit, busy } = useSubmit(async (form) => {
    try {
      const { error } = await auth.resend({ type: 'signup', email: textOf(form, 'email') })
      if (error) return showAuthFailure('Email not sent', error)
      showToast({
        title: 'Email sent',
        description: 'If the address is waiting for it, a new link is on its way.',
        tone: 'success',
      })
    } catch {
      showUnexpected()
    }
  })
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-4">
      <p role="alert" className="text-body text-soft">
        This link has expired or was already used.
      </p>
      <TextField label="Email" name="email" type="email" autoComplete="username" required />
      <div className="mt-2">
        <Button kind="primary" type="submit" busy={busy}>
          Send the mail again
        </Button>
      </div>
    </form>
  )
}
