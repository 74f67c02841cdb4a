import { APP_PATHS } from '@deeb/core/paths'
import { useLocation } from 'wouter'
import { AccountPage } from '../account/AccountPage.tsx'
import { useAuthSettings } from '../account/auth-queries.ts'
import { Button } from '../ui/Button.tsx'

/** What the link of a circle shows to visitors. The circle follows when they are signed in. */
export default function InvitedScreen() {
  const [, navigate] = useLocation()
  const settings = useAuthSettings()
  return (
    <AccountPage title="Join a circle">
      <p className="text-body text-pretty text-soft">
        A colleague shows you a circle: people who see when the others are in deeb mode. Use the email address of your
        company to see who is in it. You decide then whether you join.
      </p>
      <div className="mt-6 flex flex-col gap-3">
        {settings?.disable_signup ? null : (
          <Button kind="primary" onClick={() => navigate(APP_PATHS.signUp)}>
            Create Account
          </Button>
        )}
        <Button kind={settings?.disable_signup ? 'primary' : 'secondary'} onClick={() => navigate(APP_PATHS.signIn)}>
          Sign In
        </Button>
      </div>
    </AccountPage>
  )
}
