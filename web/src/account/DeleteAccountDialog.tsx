import { deleteAccount } from '@deeb/core/account/api'
import { useState } from 'react'
import { ApiError, api } from '../api.ts'
import { signOut, useSignedInUserId } from '../auth-session.ts'
import { discardPending } from '../focus/queue/switch-queue.ts'
import { showFailure, showToast } from '../ui/toast.ts'
import { textOf } from '../ui/use-submit.ts'
import { AccountDialog } from './AccountDialog.tsx'
import { PasswordField } from './PasswordField.tsx'

export function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const userId = useSignedInUserId()
  const [wrong, setWrong] = useState<string>()
  async function remove(form: FormData): Promise<boolean> {
    setWrong(undefined)
    try {
      await api(deleteAccount, { password: textOf(form, 'password') })
    } catch (error) {
      const code = error instanceof ApiError ? error.code : 'unavailable'
      if (code === 'wrong_password') setWrong('This is not your password.')
      else if (code === 'too_many_attempts') setWrong('Too many attempts. Wait a while and try again.')
      else showFailure('Your account could not be deleted. Please try again.')
      return false
    }
    if (userId) await discardPending(userId)
    await signOut()
    showToast({ title: 'Account deleted', description: 'All your data has been deleted.', tone: 'success' })
    return true
  }
  return (
    <AccountDialog
      title="Delete account"
      description="Your sessions, goals and connections are deleted permanently. This cannot be undone."
      action="Delete account"
      kind="destructive"
      onSubmit={remove}
      onClose={onClose}
    >
      <PasswordField label="Password" name="password" autoComplete="current-password" required error={wrong} />
    </AccountDialog>
  )
}
