import { APP_PATHS } from '@deeb/core/paths'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { OPENS_CHANGE_EMAIL } from '../history.ts'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/TextField.tsx'
import { showToast } from '../ui/toast.ts'
import { textOf, useSubmit } from '../ui/use-submit.ts'
import { AccountPage, BackToSignIn } from './AccountPage.tsx'
import { resendConfirmation, spendLink } from './account-calls.ts'
import { DeadLink, DeadLinkNote } from './EmailForm.tsx'
import { useLinkInMail } from './link-in-mail.ts'

/** Where the links of two mails lead: of a sign-up, and of a change of address. */
export default function ConfirmScreen() {
  const link = useLinkInMail()
  const [deadToken, setDeadToken] = useState<string>()
  const isUsable = link !== null && link.tokenHash !== deadToken
  return (
    <AccountPage title="Confirm">
      {!isUsable && link?.type === 'email_change' ? <DeadChange /> : null}
      {!isUsable && link?.type !== 'email_change' ? <DeadLink onSend={resendConfirmation} /> : null}
      {isUsable && link.type === 'email_change' ? (
        <ConfirmChange tokenHash={link.tokenHash} onDead={() => setDeadToken(link.tokenHash)} />
      ) : null}
      {isUsable && link.type !== 'email_change' ? (
        <ConfirmSignUp tokenHash={link.tokenHash} onDead={() => setDeadToken(link.tokenHash)} />
      ) : null}
      <BackToSignIn />
    </AccountPage>
  )
}

interface ConfirmProps {
  tokenHash: string
  onDead: () => void
}

/** The link alone is not enough: somebody else may have signed up with this address. */
function ConfirmSignUp({ tokenHash, onDead }: ConfirmProps) {
  const [, navigate] = useLocation()
  const [wrong, setWrong] = useState<string>()
  const { onSubmit, busy } = useSubmit(async (form) => {
    setWrong(undefined)
    const outcome = await spendLink('signup', tokenHash, textOf(form, 'password'))
    if (outcome === 'done') navigate(APP_PATHS.home, { replace: true })
    if (outcome === 'dead link') onDead()
    if (outcome === 'wrong password') setWrong('This is not the password chosen at sign-up.')
  })
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-4">
      <p className="text-body text-soft">Enter the password you chose when you signed up.</p>
      <TextField
        label="Password"
        name="password"
        type="password"
        autoComplete="current-password"
        required
        error={wrong}
      />
      <div className="mt-2">
        <Button kind="primary" type="submit" busy={busy}>
          Confirm
        </Button>
      </div>
    </form>
  )
}

function ConfirmChange({ tokenHash, onDead }: ConfirmProps) {
  const [, navigate] = useLocation()
  const queries = useQueryClient()
  const { onSubmit, busy } = useSubmit(async () => {
    const outcome = await spendLink('email_change', tokenHash)
    if (outcome === 'dead link') onDead()
    if (outcome !== 'done') return
    showToast({ title: 'Email changed', description: 'From now on you sign in with the new address.', tone: 'success' })
    await queries.invalidateQueries()
    navigate(APP_PATHS.home, { replace: true })
  })
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-6">
      <p className="text-body text-soft">Use this address for your account from now on.</p>
      <Button kind="primary" type="submit" busy={busy}>
        Confirm
      </Button>
    </form>
  )
}

/** Only whoever is signed in may ask for this mail again, in Settings. */
function DeadChange() {
  const [, navigate] = useLocation()
  return (
    <>
      <DeadLinkNote />
      <p className="mb-6 text-body text-soft">For a new one, enter the address in Settings once more.</p>
      <Button kind="primary" onClick={() => navigate(APP_PATHS.settings, { state: OPENS_CHANGE_EMAIL })}>
        Send the mail again
      </Button>
    </>
  )
}
