import { APP_PATHS } from '@deeb/core/paths'
import { useRef } from 'react'
import { useLocation } from 'wouter'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/TextField.tsx'
import { showToast } from '../ui/toast.ts'
import { textOf, useSubmit } from '../ui/use-submit.ts'
import { AccountPage } from './AccountPage.tsx'
import { passwordsMatch, sendResetLink, updateAccount } from './auth-queries.ts'
import { EmailForm } from './EmailForm.tsx'
import { Address, type GoodLink, LinkGate } from './LinkGate.tsx'

/** Where the link of the reset mail leads. */
export default function ResetPasswordScreen() {
  return (
    <AccountPage title="Reset password">
      <LinkGate kinds={['recovery']} help={() => <EmailForm action="Send the email again" onSend={sendResetLink} />}>
        {(link) => <NewPasswordForm {...link} />}
      </LinkGate>
    </AccountPage>
  )
}

function NewPasswordForm({ info, open, giveUp }: GoodLink) {
  const [, navigate] = useLocation()
  // The link works once and signs in; a password that is then refused is tried again without it.
  const isSpent = useRef(false)
  const { onSubmit, busy } = useSubmit(async (form) => {
    const password = textOf(form, 'password')
    if (!passwordsMatch(password, textOf(form, 'confirm'))) return
    if (!isSpent.current) {
      if ((await open()) !== 'done') return
      isSpent.current = true
    }
    const outcome = await updateAccount({ password }, 'Password not updated')
    // Past its quarter of an hour the link does not stand in for the old password any more.
    if (outcome === 'password needed') giveUp()
    if (outcome !== 'done') return
    showToast({ title: 'Password updated', description: 'Your other devices are signed out.', tone: 'success' })
    navigate(APP_PATHS.home, { replace: true })
  })
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-4">
      <p className="text-body text-soft wrap-anywhere">
        Choose a new password for <Address>{info.email}</Address>.
      </p>
      <TextField label="New password" name="password" type="password" autoComplete="new-password" required />
      <TextField label="Confirm password" name="confirm" type="password" autoComplete="new-password" required />
      <div className="mt-2">
        <Button kind="primary" type="submit" busy={busy}>
          Update password
        </Button>
      </div>
    </form>
  )
}
