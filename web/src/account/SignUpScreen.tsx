import { inviteOf, SIGN_UP_CIRCLE } from '@deeb/core/circles/circle'
import { APP_PATHS } from '@deeb/core/paths'
import * as texts from '@deeb/texts/signIn'
import { useEffect, useState } from 'react'
import { useLocation } from 'wouter'
import { authClient } from '../session/auth-session.ts'
import { keptInvite } from '../session/kept-invite.ts'
import { Button } from '../ui/Button.tsx'
import { FormError } from '../ui/FormError.tsx'
import { TextField } from '../ui/TextField.tsx'
import { textOf, useSubmit } from '../ui/use-submit.ts'
import { AccountPage, BackToSignIn } from './AccountPage.tsx'
import { showAddressFailure } from './address-failure.ts'
import { showUnexpected } from './auth-failure.ts'
import { passwordsMatch, showEmailSent, useAuthSettings } from './auth-queries.ts'
import { NewPasswordFields } from './NewPasswordFields.tsx'
import { forgetSentLink, rememberSentLink, sentLinkTo } from './sent-link.ts'

export default function SignUpScreen() {
  const [, navigate] = useLocation()
  // Back from "Wrong address?": the address can be corrected.
  const [email] = useState(() => sentLinkTo('signup'))
  useEffect(forgetSentLink, [])
  const isOff = useAuthSettings()?.disable_signup
  const { onSubmit, busy, failure } = useSubmit(async (form) => {
    if (await signUp(form)) navigate(APP_PATHS.signIn)
  })
  if (isOff) {
    return (
      <AccountPage title={texts.createAccount()}>
        <p>{texts.signUpsDisabled()}</p>
        <BackToSignIn />
      </AccountPage>
    )
  }
  return (
    <AccountPage title={texts.createAccount()}>
      <form onSubmit={onSubmit} className="flex flex-col gap-4">
        <TextField
          label={texts.email()}
          name="email"
          type="email"
          autoComplete="username"
          defaultValue={email}
          required
        />
        <NewPasswordFields label={texts.password()} username={null} />
        <FormError>{failure}</FormError>
        <div className="mt-2">
          <Button kind="primary" type="submit" busy={busy}>
            {busy ? texts.creatingAccount() : texts.createAccount()}
          </Button>
        </div>
      </form>
      <BackToSignIn />
    </AccountPage>
  )
}

/** The circle whose link was opened before: the link of the email leads back to it, also in another browser. */
function circleData(): Record<string, string> {
  const invite = inviteOf(keptInvite() ?? '')
  return invite === null ? {} : { [SIGN_UP_CIRCLE]: invite }
}

/** Signs up and shows the result in a toast. Resolves to whether a confirmation email was sent. */
async function signUp(form: FormData): Promise<boolean> {
  const email = textOf(form, 'email')
  const password = textOf(form, 'password')
  if (!passwordsMatch(password, textOf(form, 'confirm'))) return false
  try {
    const { error } = await (await authClient()).signUp({ email, password, options: { data: circleData() } })
    if (error) {
      showAddressFailure(texts.signUpFailed(), error, email)
      return false
    }
  } catch {
    showUnexpected()
    return false
  }
  rememberSentLink('signup', email)
  showEmailSent(texts.accountCreated(), texts.verifyByEmail())
  return true
}
