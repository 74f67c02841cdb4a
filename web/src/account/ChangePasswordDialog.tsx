import * as texts from '@deeb/texts/settings'
import { useState } from 'react'
import { FormDialog } from '../ui/FormDialog.tsx'
import { showToast } from '../ui/toast.ts'
import { textOf } from '../ui/use-submit.ts'
import { passwordsMatch, updateAccount } from './auth-queries.ts'
import { CurrentPasswordField } from './CurrentPasswordField.tsx'
import { NewPasswordFields } from './NewPasswordFields.tsx'

export function ChangePasswordDialog({ onClose }: { onClose: () => void }) {
  const [isWrong, setIsWrong] = useState(false)
  const [passwordFault, setPasswordFault] = useState<string>()
  async function change(form: FormData): Promise<boolean> {
    setIsWrong(false)
    setPasswordFault(undefined)
    const password = textOf(form, 'password')
    if (!passwordsMatch(password, textOf(form, 'confirm'))) return false
    const outcome = await updateAccount(
      { password, current_password: textOf(form, 'current') },
      texts.passwordNotUpdated(),
    )
    setIsWrong(outcome === 'wrong password')
    setPasswordFault(typeof outcome === 'object' ? outcome.passwordFault : undefined)
    if (outcome !== 'done') return false
    showToast({ title: texts.passwordUpdated(), description: texts.otherDevicesSignedOut(), tone: 'success' })
    return true
  }
  return (
    <FormDialog title={texts.changePassword()} action={texts.changePassword()} onSubmit={change} onClose={onClose}>
      <CurrentPasswordField
        label={texts.currentPassword()}
        name="current"
        error={isWrong ? texts.notYourPassword() : undefined}
      />
      <NewPasswordFields label={texts.newPassword()} username={null} error={passwordFault} />
    </FormDialog>
  )
}
