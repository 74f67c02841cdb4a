import { APP_PATHS } from '@deeb/core/paths'
import * as texts from '@deeb/texts/signIn'
import * as signUpTexts from '@deeb/texts/signUp'
import { useEffect, useState } from 'react'
import { Redirect, useLocation } from 'wouter'
import { keptInvite } from '../session/kept-invite.ts'
import { TextField } from '../ui/TextField.tsx'
import { textOf, useSubmit } from '../ui/use-submit.ts'
import { AccountPage, BackToSignIn, focusFirst } from './AccountPage.tsx'
import { passwordsMatch, useAuthSettings } from './auth-queries.ts'
import { FormEnd } from './FormEnd.tsx'
import { NewPasswordFields } from './NewPasswordFields.tsx'
import { PrivacyLink } from './PrivacyLink.tsx'
import { forgetSentLink, sentLinkTo } from './sent-link.ts'
import { signUp } from './sign-up.ts'

/** With an invitation that was opened before, its page is the form. */
export default function SignUpScreen() {
  return keptInvite() === null ? <SignUp /> : <Redirect to={APP_PATHS.circle} replace />
}

function SignUp() {
  const [, navigate] = useLocation()
  // Back from "Wrong address?": the address can be corrected.
  const [email] = useState(() => sentLinkTo('signup'))
  useEffect(forgetSentLink, [])
  const isOff = useAuthSettings()?.disable_signup
  const [passwordFault, setPasswordFault] = useState<string>()
  const { onSubmit, busy, failure } = useSubmit(async (form) => {
    setPasswordFault(undefined)
    const password = textOf(form, 'password')
    if (!passwordsMatch(password, textOf(form, 'confirm'))) return
    const outcome = await signUp({ email: textOf(form, 'email'), password })
    if (outcome === true) navigate(APP_PATHS.signIn)
    else if (outcome) setPasswordFault(outcome.passwordFault)
  })
  if (isOff) {
    return (
      <AccountPage title={texts.createAccount()}>
        <p>{signUpTexts.signUpsDisabled()}</p>
        <BackToSignIn />
      </AccountPage>
    )
  }
  return (
    <AccountPage title={texts.createAccount()}>
      <form onSubmit={onSubmit} className="flex flex-col gap-4">
        <TextField
          ref={focusFirst}
          label={texts.email()}
          name="email"
          type="email"
          autoComplete="username"
          defaultValue={email}
          hint={signUpTexts.workAddress()}
          required
        />
        <NewPasswordFields label={texts.password()} username={null} error={passwordFault} />
        <FormEnd busy={busy} failure={failure}>
          {busy ? signUpTexts.creatingAccount() : texts.createAccount()}
        </FormEnd>
      </form>
      <div className="flex flex-wrap justify-between gap-x-6">
        <BackToSignIn />
        <PrivacyLink />
      </div>
    </AccountPage>
  )
}
