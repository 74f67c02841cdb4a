import { APP_PATHS } from '@deeb/core/paths'
import { useRef, useState } from 'react'
import { useLocation } from 'wouter'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/TextField.tsx'
import { showToast } from '../ui/toast.ts'
import { textOf, useSubmit } from '../ui/use-submit.ts'
import { AccountPage, BackToSignIn } from './AccountPage.tsx'
import { passwordsMatch, sendResetLink, spendLink, updateAccount } from './account-calls.ts'
import { DeadLink } from './EmailForm.tsx'
import { useLinkInMail } from './link-in-mail.ts'

/** Where the link of the reset mail leads. */
export default function ResetPasswordScreen() {
  const link = useLinkInMail()
  const [deadToken, setDeadToken] = useState<string>()
  return (
    <AccountPage title="Reset password">
      {link === null || link.tokenHash === deadToken ? (
        <DeadLink onSend={sendResetLink} />
      ) : (
        <NewPasswordForm key={link.tokenHash} tokenHash={link.tokenHash} onDead={() => setDeadToken(link.tokenHash)} />
      )}
      <BackToSignIn />
    </AccountPage>
  )
}

function NewPasswordForm({ tokenHash, onDead }: { tokenHash: string; onDead: () => void }) {
  const [, navigate] = useLocation()
  // The link works once and signs in; a password that is then refused is tried again without it.
  const isSpent = useRef(false)
  const { onSubmit, busy } = useSubmit(async (form) => {
    const password = textOf(form, 'password')
    if (!passwordsMatch(password, textOf(form, 'confirm'))) return
    if (!isSpent.current) {
      const outcome = await spendLink('recovery', tokenHash)
      if (outcome === 'dead link') onDead()
      if (outcome !== 'done') return
      isSpent.current = true
    }
    const outcome = await updateAccount({ password }, 'Password not updated')
    // Past its quarter of an hour the link does not stand in for the old password any more.
    if (outcome === 'password needed') onDead()
    if (outcome !== 'done') return
    showToast({ title: 'Password updated', description: 'Your other devices are signed out.', tone: 'success' })
    navigate(APP_PATHS.home, { replace: true })
  })
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-4">
      <TextField label="New password" name="password" type="password" autoComplete="new-password" required />
      <TextField label="Confirm Password" name="confirm" type="password" autoComplete="new-password" required />
      <div className="mt-2">
        <Button kind="primary" type="submit" busy={busy}>
          Update password
        </Button>
      </div>
    </form>
  )
}
