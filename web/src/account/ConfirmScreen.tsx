import { APP_PATHS } from '@deeb/core/paths'
import { useQueryClient } from '@tanstack/react-query'
import { ArrowRight } from 'lucide-react'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { useAuthSession } from '../auth-session.ts'
import { OPENS_CHANGE_EMAIL } from '../history.ts'
import { screenAfterSignIn } from '../kept-invite.ts'
import { Button } from '../ui/Button.tsx'
import { FormError } from '../ui/FormError.tsx'
import { BreakableEmail } from '../ui/PersonRow.tsx'
import { showToast } from '../ui/toast.ts'
import { textOf, useSubmit } from '../ui/use-submit.ts'
import { AccountPage } from './AccountPage.tsx'
import { Address } from './Address.tsx'
import { resendConfirmation } from './auth-queries.ts'
import { EmailForm } from './EmailForm.tsx'
import { type GoodLink, LinkGate } from './LinkGate.tsx'
import { PasswordField } from './PasswordField.tsx'
import { forgetSentLink } from './sent-link.ts'

/** The target of two email links: the confirmation of a sign-up, and of a change of the address. */
export default function ConfirmScreen() {
  return (
    <AccountPage title="Confirm">
      <LinkGate
        kinds={['signup', 'email_change']}
        help={(link) =>
          link?.type === 'email_change' ? (
            <ChangeAgain />
          ) : (
            <EmailForm action="Send the email again" onSend={resendConfirmation} />
          )
        }
      >
        {(link) => (link.info.kind === 'signup' ? <ConfirmSignUp {...link} /> : <ConfirmChange {...link} />)}
      </LinkGate>
    </AccountPage>
  )
}

/** Asks for the password too: somebody else may have signed up with this address. */
function ConfirmSignUp({ info, open }: GoodLink) {
  const [, navigate] = useLocation()
  const [wrong, setWrong] = useState<string>()
  const { onSubmit, busy, failure } = useSubmit(async (form) => {
    setWrong(undefined)
    const outcome = await open(textOf(form, 'password'))
    if (outcome === 'done') {
      forgetSentLink()
      navigate(screenAfterSignIn(), { replace: true })
    }
    if (outcome === 'wrong password') setWrong("That's not the password you signed up with.")
  })
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-4">
      <p className="text-body text-soft wrap-anywhere">
        Enter the password you chose when you signed up as <Address>{info.email}</Address>. It proves that you signed up
        yourself, and nobody else with your address.
      </p>
      <OwnPasswordField error={wrong} />
      <FormError>{failure}</FormError>
      <div className="mt-2">
        <Button kind="primary" type="submit" busy={busy}>
          Confirm
        </Button>
      </div>
    </form>
  )
}

/** Confirms a change of the address. Shows both addresses: somebody else may have requested to move their account here. */
function ConfirmChange({ info, open }: GoodLink) {
  const [, navigate] = useLocation()
  const queryClient = useQueryClient()
  const isSignedOut = useAuthSession() === null
  /** The auth session has ended, and this device did not know it. */
  const [hasEnded, setHasEnded] = useState(false)
  const [wrong, setWrong] = useState<string>()
  const needsPassword = isSignedOut || hasEnded
  const { onSubmit, busy, failure } = useSubmit(async (form) => {
    setWrong(undefined)
    const outcome = await open(needsPassword ? textOf(form, 'password') : undefined)
    if (outcome === 'wrong password') setWrong('This is not the password of this account.')
    if (outcome === 'password needed') setHasEnded(true)
    if (outcome !== 'done') return
    showToast({ title: 'Email changed', description: 'Use the new address to sign in.', tone: 'success' })
    await queryClient.invalidateQueries()
    navigate(APP_PATHS.home, { replace: true })
  })
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-4">
      <p className="text-body text-soft">This changes the email of an account:</p>
      <p className="text-body font-500 wrap-anywhere">
        <BreakableEmail email={info.email} /> <span className="sr-only">→</span>
        {/* The typeface has no arrow. */}
        <ArrowRight size={16} aria-hidden="true" className="inline" /> <BreakableEmail email={info.newEmail ?? ''} />
      </p>
      <p className="text-body text-soft">
        {needsPassword ? 'Enter the password of this account. ' : ''}If this is not your account, close this page, and
        nothing will change.
      </p>
      {needsPassword ? <OwnPasswordField error={wrong} /> : null}
      <FormError>{failure}</FormError>
      <div className="mt-2">
        <Button kind="primary" type="submit" busy={busy}>
          Confirm
        </Button>
      </div>
    </form>
  )
}

function OwnPasswordField({ error }: { error: string | undefined }) {
  return <PasswordField label="Password" name="password" autoComplete="current-password" required error={error} />
}

/** The email for a change of the address can be requested again in Settings only. */
function ChangeAgain() {
  const [, navigate] = useLocation()
  return (
    <>
      <p className="mb-6 text-body text-soft">To get a new link, enter the address again in Settings.</p>
      <Button kind="primary" onClick={() => navigate(APP_PATHS.settings, { state: OPENS_CHANGE_EMAIL })}>
        Send the email again
      </Button>
    </>
  )
}
