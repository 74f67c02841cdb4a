import { deleteAccount } from '@deeb/core/account/api'
import type { InputOf } from '@deeb/core/endpoint'
import * as texts from '@deeb/texts/settings'
import { useState } from 'react'
import { ApiError, api } from '../calls/api.ts'
import { discardPending } from '../focus/queue/switch-queue.ts'
import { signOut, useSignedInUserId } from '../session/auth-session.ts'
import { FormDialog } from '../ui/FormDialog.tsx'
import { showFailure, showToast } from '../ui/toast.ts'
import { textOf } from '../ui/use-submit.ts'
import { CurrentPasswordField } from './CurrentPasswordField.tsx'
import { useSignInInfo } from './sign-in-queries.ts'
import { useProof } from './use-proof.tsx'

export function DeleteAccountDialog({ onClose }: { onClose: () => void }) {
  const userId = useSignedInUserId()
  const [wrong, setWrong] = useState<string>()
  // Until it is known: most accounts have one.
  const hasPassword = useSignInInfo().data?.hasPassword ?? true
  const { withProof, proofDialog } = useProof()
  async function remove(form: FormData): Promise<boolean> {
    setWrong(undefined)
    const input = hasPassword ? { password: textOf(form, 'password') } : {}
    const outcome = await (hasPassword ? removeAccount(input) : withProof(() => removeAccount(input)))
    if (outcome === 'wrong password') setWrong(texts.notYourPassword())
    if (outcome === 'too many attempts') setWrong(texts.tooManyAttempts())
    if (outcome === 'failed') showFailure(texts.accountNotDeleted())
    if (outcome !== 'done') return false
    if (userId) await discardPending(userId)
    await signOut()
    showToast({ title: texts.accountDeleted(), description: texts.dataDeleted(), tone: 'success' })
    return true
  }
  return (
    <>
      <FormDialog
        title={texts.deleteAccount()}
        description={texts.deleteNote()}
        action={texts.deleteAccount()}
        kind="destructive"
        onSubmit={remove}
        onClose={onClose}
      >
        {hasPassword ? <CurrentPasswordField error={wrong} /> : null}
      </FormDialog>
      {proofDialog}
    </>
  )
}

const OUTCOMES = {
  wrong_password: 'wrong password',
  too_many_attempts: 'too many attempts',
  proof_needed: 'proof needed',
} as const

async function removeAccount(input: InputOf<typeof deleteAccount>) {
  try {
    await api(deleteAccount, input)
    return 'done'
  } catch (error) {
    const code = error instanceof ApiError ? error.code : 'unavailable'
    return code in OUTCOMES ? OUTCOMES[code as keyof typeof OUTCOMES] : 'failed'
  }
}
