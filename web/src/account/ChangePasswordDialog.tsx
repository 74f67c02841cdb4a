import { TextField } from '../ui/TextField.tsx'
import { showToast } from '../ui/toast.ts'
import { textOf } from '../ui/use-submit.ts'
import { AccountDialog } from './AccountDialog.tsx'
import { passwordsMatch, updateAccount } from './account-calls.ts'

export function ChangePasswordDialog({ onClose }: { onClose: () => void }) {
  return (
    <AccountDialog title="Change password" action="Change password" onSubmit={changePassword} onClose={onClose}>
      <TextField label="Current password" name="current" type="password" autoComplete="current-password" required />
      <TextField label="New password" name="password" type="password" autoComplete="new-password" required />
      <TextField label="Confirm Password" name="confirm" type="password" autoComplete="new-password" required />
    </AccountDialog>
  )
}

async function changePassword(form: FormData): Promise<boolean> {
  const password = textOf(form, 'password')
  if (!passwordsMatch(password, textOf(form, 'confirm'))) return false
  const change = { password, current_password: textOf(form, 'current') }
  if (!(await updateAccount(change, 'Password not updated'))) return false
  showToast({ title: 'Password updated', description: 'Your other devices are signed out.', tone: 'success' })
  return true
}
