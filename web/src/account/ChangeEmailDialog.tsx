import { TextField } from '../ui/TextField.tsx'
import { showToast } from '../ui/toast.ts'
import { textOf } from '../ui/use-submit.ts'
import { AccountDialog } from './AccountDialog.tsx'
import { updateAccount } from './account-calls.ts'

export function ChangeEmailDialog({ onClose }: { onClose: () => void }) {
  return (
    <AccountDialog
      title="Change email"
      description="We send a link to the new address. Your address changes when you open it; your company changes with it."
      action="Change email"
      onSubmit={changeEmail}
      onClose={onClose}
    >
      <TextField label="New email" name="email" type="email" autoComplete="email" required />
      <TextField label="Current password" name="current" type="password" autoComplete="current-password" required />
    </AccountDialog>
  )
}

async function changeEmail(form: FormData): Promise<boolean> {
  const change = { email: textOf(form, 'email'), current_password: textOf(form, 'current') }
  if (!(await updateAccount(change, 'Email not changed'))) return false
  const description = 'Open the link in it to confirm the change.'
  showToast({ title: 'Check the new mailbox', description, tone: 'success' })
  return true
}
