import { APP_PATHS } from '@deeb/core/paths'
import * as texts from '@deeb/texts/links'
import * as signInTexts from '@deeb/texts/signIn'
import { useLocation } from 'wouter'
import { AccountPage } from '../account/AccountPage.tsx'
import { useAuthSettings } from '../account/auth-queries.ts'
import { Button } from '../ui/Button.tsx'

/** The page of a circle's link for visitors. The circle follows when they are signed in. */
export default function InvitedScreen() {
  const [, navigate] = useLocation()
  const settings = useAuthSettings()
  return (
    <AccountPage title={texts.joinCircle()}>
      <p className="text-body text-pretty text-soft">{texts.invitation()}</p>
      <div className="mt-6 flex flex-col gap-3">
        {settings?.disable_signup ? null : (
          <Button kind="primary" onClick={() => navigate(APP_PATHS.signUp)}>
            {signInTexts.createAccount()}
          </Button>
        )}
        <Button kind={settings?.disable_signup ? 'primary' : 'secondary'} onClick={() => navigate(APP_PATHS.signIn)}>
          {signInTexts.signIn()}
        </Button>
      </div>
    </AccountPage>
  )
}
