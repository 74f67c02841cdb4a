import { APP_PATHS } from '@deeb/core/paths'
import { Link } from 'wouter'
import { auth } from '../session.ts'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/TextField.tsx'
import { TextLink } from '../ui/TextLink.tsx'
import { textOf, useSubmit } from '../ui/use-submit.ts'
import { AccountPage } from './AccountPage.tsx'
import { showAuthFailure, showUnexpected } from './auth-failure.ts'

/** A success needs no step of its own: the session appears, and the route leads a signed-in person to Home. */
async function signIn(form: FormData): Promise<void> {
  try {
    const { error } = await auth.signInWithPassword({
      email: textOf(form, 'email'),
      password: textOf(form, 'password'),
    })
    if (error) showAuthFailure('Sign In Failed', error)
  } catch {
    showUnexpected()
  }
}

export default function SignInScreen() {
  const { onSubmit, busy } = useSubmit(signIn)
  return (
    <AccountPage title="Sign In">
      <form onSubmit={onSubmit} className="flex flex-col gap-4">
        <TextField label="Email" name="email" type="email" autoComplete="username" required />
        <TextField label="Password" name="password" type="password" autoComplete="current-password" required />
        <div className="mt-2">
          <Button kind="primary" type="submit" busy={busy}>
            {busy ? 'Signing in...' : 'Sign In'}
          </Button>
        </div>
      </form>
      <p className="mt-4">
        <Link href={APP_PATHS.signUp} asChild>
          <TextLink>Create Account</TextLink>
        </Link>
      </p>
    </AccountPage>
  )
}
