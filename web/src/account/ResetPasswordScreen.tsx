import * as texts from '@deeb/texts/links'
import * as settingsTexts from '@deeb/texts/settings'
import { useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { screenAfterSignIn } from '../session/kept-invite.ts'
import { showToast } from '../ui/toast.ts'
import { textOf, useSubmit } from '../ui/use-submit.ts'
import { withElements } from '../ui/with-elements.tsx'
import { AccountPage } from './AccountPage.tsx'
import Address from './Address.tsx'
import { passwordsMatch, sendResetLink, updateAccount } from './auth-queries.ts'
import { EmailForm } from './EmailForm.tsx'
import { FormEnd } from './FormEnd.tsx'
import { type GoodLink, LinkGate } from './LinkGate.tsx'
import { NewPasswordFields } from './NewPasswordFields.tsx'
import { SecondFactorForm } from './SecondFactorForm.tsx'
import { forgetSentLink } from './sent-link.ts'

/** The target of the link in the password reset email. */
export default function ResetPasswordScreen() {
  return (
    <AccountPage title={texts.resetPasswordTitle()}>
      <LinkGate kinds={['recovery']} help={() => <EmailForm action={texts.sendEmailAgain()} onSend={sendResetLink} />}>
        {(link) => <NewPasswordForm {...link} />}
      </LinkGate>
    </AccountPage>
  )
}

function NewPasswordForm({ info, open, giveUp }: GoodLink) {
  const [, navigate] = useLocation()
  /** The typed password, while the account asks for its second factor first. */
  const [waiting, setWaiting] = useState<string>()
  const [passwordFault, setPasswordFault] = useState<string>()
  // The link works once and signs in. If the server then refuses the password, the next attempt does not need the link.
  const isConsumed = useRef(false)
  const { onSubmit, busy, failure } = useSubmit(async (form) => {
    setPasswordFault(undefined)
    const password = textOf(form, 'password')
    if (!passwordsMatch(password, textOf(form, 'confirm'))) return
    if (!isConsumed.current) {
      if ((await open()) !== 'done') return
      isConsumed.current = true
    }
    await save(password)
  })
  async function save(password: string): Promise<void> {
    const outcome = await updateAccount({ password }, settingsTexts.passwordNotUpdated())
    setWaiting(outcome === 'code needed' ? password : undefined)
    // After 15 minutes the link no longer replaces the current password.
    if (outcome === 'password needed') giveUp()
    setPasswordFault(typeof outcome === 'object' ? outcome.passwordFault : undefined)
    if (outcome !== 'done') return
    forgetSentLink()
    showToast({
      title: settingsTexts.passwordUpdated(),
      description: settingsTexts.otherDevicesSignedOut(),
      tone: 'success',
    })
    navigate(screenAfterSignIn(), { replace: true })
  }
  if (waiting !== undefined) return <SecondFactorForm onDone={() => save(waiting)} />
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-4">
      <p className="text-body text-soft wrap-anywhere">
        {withElements(texts.chooseNewPassword, { email: <Address>{info.email}</Address> })}
      </p>
      <NewPasswordFields label={settingsTexts.newPassword()} username={info.email} error={passwordFault} />
      <FormEnd busy={busy} failure={failure}>
        {texts.updatePassword()}
      </FormEnd>
    </form>
  )
}
