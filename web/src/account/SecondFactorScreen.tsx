import * as texts from '@deeb/texts/links'
import * as otherWaysTexts from '@deeb/texts/otherWays'
import { Button } from '../ui/Button.tsx'
import { FormError } from '../ui/FormError.tsx'
import { useBusy } from '../ui/use-busy.ts'
import { AccountPage } from './AccountPage.tsx'
import { signInWithPasskey, useSupportsPasskeys } from './passkeys.ts'
import { SecondFactorForm } from './SecondFactorForm.tsx'
import { SignOutButton } from './SignOutButton.tsx'

/** Replaces every screen until the second factor of the account was given: a code, or a passkey, which is two factors. */
export default function SecondFactorScreen() {
  return (
    <AccountPage title={texts.codeTitle()}>
      <SecondFactorForm />
      <div className="mt-2 flex flex-col gap-3">
        <PasskeyInstead />
        <SignOutButton kind="secondary" />
      </div>
    </AccountPage>
  )
}

function PasskeyInstead() {
  const [busy, run, failure] = useBusy()
  if (!useSupportsPasskeys()) return null
  return (
    <div>
      <Button kind="secondary" busy={busy} onClick={() => void run(signInWithPasskey)}>
        {otherWaysTexts.byPasskey()}
      </Button>
      <FormError>{failure}</FormError>
    </div>
  )
}
