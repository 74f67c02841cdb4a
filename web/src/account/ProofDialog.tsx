import { prove } from '@deeb/core/account/api'
import * as commonTexts from '@deeb/texts/common'
import * as otherWaysTexts from '@deeb/texts/otherWays'
import * as texts from '@deeb/texts/settings'
import * as signInTexts from '@deeb/texts/signIn'
import { useState } from 'react'
import { ApiError, api } from '../calls/api.ts'
import { useSignedInUserId } from '../session/auth-session.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog, DialogActions } from '../ui/Dialog.tsx'
import { FormError } from '../ui/FormError.tsx'
import { TextButton } from '../ui/TextLink.tsx'
import { showFailure, withdrawFailures } from '../ui/toast.ts'
import { useBusy } from '../ui/use-busy.ts'
import { textOf, useSubmit } from '../ui/use-submit.ts'
import { CurrentPasswordField } from './CurrentPasswordField.tsx'
import { signInByCompany } from './company-sign-in.ts'
import { signInWithPasskey, useSupportsPasskeys } from './passkeys.ts'
import { usePasskeyList, useSignInInfo } from './sign-in-queries.ts'

/** Asks for one of the user's ways to sign in (re-authentication). `onClose` gets whether it succeeded. */
export function ProofDialog({ onClose }: { onClose: (isDone: boolean) => void }) {
  const { data: info, isError, refetch } = useSignInInfo()
  const [wrong, setWrong] = useState<string>()
  const { onSubmit, busy, failure } = useSubmit(async (form) => {
    setWrong(undefined)
    const outcome = await proveByPassword(textOf(form, 'password'))
    if (outcome === 'done') onClose(true)
    else setWrong(outcome)
  })
  function cancel(): void {
    withdrawFailures()
    onClose(false)
  }
  return (
    <Dialog
      dismissal="dismissible"
      title={texts.proofTitle()}
      description={texts.proofNote()}
      onDismiss={cancel}
      busy={busy}
    >
      <div className="mt-5 flex flex-col gap-4">
        {isError && !info ? (
          <div role="alert">
            <p className="text-body text-soft">{texts.unreachable()}</p>
            <TextButton onClick={() => void refetch()}>{commonTexts.tryAgain()}</TextButton>
          </div>
        ) : null}
        <PasskeyProof onDone={() => onClose(true)} />
        {info?.company?.connected ? <CompanyProof domain={info.company.domain} name={info.company.name} /> : null}
        <form onSubmit={onSubmit} className="flex flex-col gap-4">
          {info?.hasPassword ? <CurrentPasswordField error={wrong} /> : null}
          <FormError>{failure}</FormError>
          <DialogActions>
            <Button kind="secondary" onClick={cancel} busy={busy}>
              {commonTexts.cancel()}
            </Button>
            {info?.hasPassword ? (
              <Button kind="primary" type="submit" busy={busy}>
                {signInTexts.next()}
              </Button>
            ) : null}
          </DialogActions>
        </form>
      </div>
    </Dialog>
  )
}

/** Resolves to `done`, or to what is wrong with the password. An empty text: a toast was shown. */
async function proveByPassword(password: string): Promise<'done' | string> {
  try {
    await api(prove, { password })
    return 'done'
  } catch (error) {
    const code = error instanceof ApiError ? error.code : 'unavailable'
    if (code === 'wrong_password') return texts.notYourPassword()
    if (code === 'too_many_attempts') return texts.tooManyAttempts()
    showFailure(texts.unreachable())
    return ''
  }
}

function PasskeyProof({ onDone }: { onDone: () => void }) {
  const userId = useSignedInUserId()
  const isSupported = useSupportsPasskeys() === true
  const { data: passkeys } = usePasskeyList(isSupported)
  const [busy, run, failure] = useBusy()
  if (!isSupported || !passkeys?.length) return null
  async function proveByPasskey(): Promise<void> {
    const session = await signInWithPasskey()
    // A passkey of another account signs in as that one: the screens of this one are replaced.
    if (session?.user.id === userId) onDone()
  }
  return (
    <div>
      <Button kind="secondary" busy={busy} onClick={() => void run(proveByPasskey)}>
        {otherWaysTexts.byPasskey()}
      </Button>
      <FormError>{failure}</FormError>
    </div>
  )
}

/** Leads to the sign-in page of the company, which asks for the password again. */
export function CompanyProof({ domain, name }: { domain: string; name: string }) {
  const [busy, run, failure] = useBusy()
  const begin = () => signInByCompany(domain, 'prove')
  return (
    <div>
      <Button kind="secondary" busy={busy} onClick={() => void run(begin)}>
        {otherWaysTexts.continueWith({ company: name })}
      </Button>
      <FormError>{failure}</FormError>
    </div>
  )
}
