import type { SignInInfo } from '@deeb/core/account/api'
import * as texts from '@deeb/texts/signInSettings'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { Button } from '../../ui/Button.tsx'
import { FormDialog } from '../../ui/FormDialog.tsx'
import { showToast } from '../../ui/toast.ts'
import { textOf } from '../../ui/use-submit.ts'
import { passwordsMatch, updateAccount } from '../auth-queries.ts'
import { ChangePasswordDialog } from '../ChangePasswordDialog.tsx'
import { useOwnAddress } from '../CurrentPasswordField.tsx'
import { NewPasswordFields } from '../NewPasswordFields.tsx'
import { SIGN_IN_KEY } from '../sign-in-queries.ts'
import type { WithProof } from '../use-proof.tsx'
import { Section } from './Section.tsx'

/** The password: change it, or set one for an account without. */
export function PasswordSection({ info, withProof }: { info: SignInInfo; withProof: WithProof }) {
  const [isOpen, setIsOpen] = useState(false)
  const close = () => setIsOpen(false)
  if (info.company?.only) {
    return <Section title={texts.password()} note={texts.passwordOfCompany({ company: info.company.name })} />
  }
  const note = info.hasPassword ? undefined : texts.noPassword()
  const label = info.hasPassword ? texts.changePassword() : texts.choosePassword()
  return (
    <Section
      title={texts.password()}
      note={note}
      action={
        <Button kind="secondary" size="list" onClick={() => setIsOpen(true)}>
          {label}
        </Button>
      }
    >
      {isOpen && info.hasPassword ? <ChangePasswordDialog onClose={close} /> : null}
      {isOpen && !info.hasPassword ? <SetPasswordDialog withProof={withProof} onClose={close} /> : null}
    </Section>
  )
}

function SetPasswordDialog({ withProof, onClose }: { withProof: WithProof; onClose: () => void }) {
  const queryClient = useQueryClient()
  const [passwordFault, setPasswordFault] = useState<string>()
  async function save(form: FormData): Promise<boolean> {
    setPasswordFault(undefined)
    const password = textOf(form, 'password')
    if (!passwordsMatch(password, textOf(form, 'confirm'))) return false
    const outcome = await withProof(() => updateAccount({ password }, texts.passwordNotSet()))
    if (typeof outcome === 'object') setPasswordFault(outcome.passwordFault)
    if (outcome !== 'done') return false
    await queryClient.invalidateQueries({ queryKey: SIGN_IN_KEY })
    showToast({ title: texts.passwordSet(), description: texts.othersSignedOut(), tone: 'success' })
    return true
  }
  return (
    <FormDialog title={texts.choosePassword()} action={texts.setPassword()} onSubmit={save} onClose={onClose}>
      <NewPasswordFields label={texts.newPassword()} username={useOwnAddress()} error={passwordFault} />
    </FormDialog>
  )
}
