import * as texts from '@deeb/texts/settings'
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
      ? await updateAccount({ email, current_password: textOf(form, 'current') }, texts.emailNotChanged())
      : await withProof(() => updateAccount({ email }, texts.emailNotChanged()))
    setIsWrong(outcome === 'wrong password')
    if (outcome !== 'done') return false
    showEmailSent(texts.checkNewMailbox(), texts.openToConfirm())
    return true
  }
  return (
    <>
      <FormDialog
        title={texts.changeEmail()}
        description={texts.emailChangeNote()}
        action={texts.changeEmail()}
        onSubmit={change}
        onClose={onClose}
      >
        <TextField label={texts.newEmail()} name="email" type="email" autoComplete="email" required />
        {hasPassword ? (
          <CurrentPasswordField
            label={texts.currentPassword()}
            name="current"
            error={isWrong ? texts.notYourPassword() : undefined}
          />
        ) : null}
      </FormDialog>
      {proofDialog}
    </>
  )
}
