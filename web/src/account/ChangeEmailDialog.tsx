import { useState } from 'react'
import { FormDialog } from '../ui/FormDialog.tsx'
import { TextField } from '../ui/TextField.tsx'
import { textOf } from '../ui/use-submit.ts'
import { showEmailSent, updateAccount } from './auth-queries.ts'
import { CurrentPasswordField } from './CurrentPasswordField.tsx'
import { useSignInInfo } from './sign-in-queries.ts'
import { useProof } from './use-proof.tsx'

export function ChangeEmailDialog({ onClose }: { onClose: () => void }) {
  const [isWrong, setIsWrong] = useState(false)
  // Until it is known: most accounts have one.
  const hasPassword = useSignInInfo().data?.hasPassword ?? true
  const { withProof, proofDialog } = useProof()
  async function change(form: FormData): Promise<boolean> {
    setIsWrong(false)
    const email = textOf(form, 'email')
    const outcome = hasPassword
      ? await updateAccount({ email, current_password: textOf(form, 'current') }, 'Email not changed')
      : await withProof(() => updateAccount({ email }, 'Email not changed'))
    setIsWrong(outcome === 'wrong password')
    if (outcome !== 'done') return false
    showEmailSent('Check the new mailbox', 'Open the link in our email to confirm the change.')
    return true
  }
  return (
    <FormDialog
      title="Change email"
      description="We send a link to the new address. When you open it, your email and your company change."
      action="Change email"
      onSubmit={change}
      onClose={onClose}
    >
      <TextField label="New email" name="email" type="email" autoComplete="email" required />
      {hasPassword ? <CurrentPasswordField isWrong={isWrong} /> : null}
      {proofDialog}
    </FormDialog>
  )
}
