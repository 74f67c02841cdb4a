import { APP_PATHS } from '@deeb/core/paths'
import * as texts from '@deeb/texts/links'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useLocation } from 'wouter'
import { OPENS_CHANGE_EMAIL } from '../device/history.ts'
import { useAuthSession } from '../session/auth-session.ts'
import { keepInvite, screenAfterSignIn } from '../session/kept-invite.ts'
import { Button } from '../ui/Button.tsx'
import { ArrowRight } from '../ui/icons.tsx'
import { BreakableEmail } from '../ui/PersonRow.tsx'
import { showToast } from '../ui/toast.ts'
import { textOf, useSubmit } from '../ui/use-submit.ts'
import { withElements } from '../ui/with-elements.tsx'
import { AccountPage } from './AccountPage.tsx'
import Address from './Address.tsx'
import { resendConfirmation } from './auth-queries.ts'
import { CurrentPasswordField } from './CurrentPasswordField.tsx'
import { EmailForm } from './EmailForm.tsx'
import { FormEnd } from './FormEnd.tsx'
import { type GoodLink, LinkGate } from './LinkGate.tsx'
import { forgetSentLink, signedUpHere } from './sent-link.ts'

/** The target of two email links: the confirmation of a sign-up, and of a change of the address. */
export default function ConfirmScreen() {
  return (
    <AccountPage title={texts.confirmTitle()}>
      <LinkGate
        kinds={['signup', 'email_change']}
        help={(link) =>
          link?.type === 'email_change' ? (
            <ChangeAgain />
          ) : (
            <EmailForm action={texts.sendEmailAgain()} onSend={resendConfirmation} />
          )
        }
      >
        {(link) => (link.info.kind === 'signup' ? <ConfirmSignUp {...link} /> : <ConfirmChange {...link} />)}
      </LinkGate>
    </AccountPage>
  )
}

/** Asks for the password too, unless this browser has signed up: somebody else may have done that with this address. */
function ConfirmSignUp({ info, open }: GoodLink) {
  const [, navigate] = useLocation()
  const [here, setHere] = useState(() => signedUpHere(info.email))
  const [wrong, setWrong] = useState<string>()
  const { onSubmit, busy, failure } = useSubmit(async (form) => {
    setWrong(undefined)
    const outcome = await open(here === null ? { password: textOf(form, 'password') } : { browser: here.secret })
    if (outcome === 'done') {
      if (here?.invite) keepInvite(here.invite, true)
      forgetSentLink()
      navigate(screenAfterSignIn(), { replace: true })
    }
    if (outcome !== 'wrong password') return
    if (here === null) setWrong(texts.wrongSignUpPassword())
    // It has signed up again since then, or somebody else has.
    else setHere(null)
  })
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-4">
      <p className="text-body text-soft wrap-anywhere">
        {withElements(here === null ? texts.signUpPassword : texts.signedUpHere, {
          email: <Address>{info.email}</Address>,
        })}
      </p>
      {here === null ? <CurrentPasswordField username={info.email} error={wrong} /> : null}
      <FormEnd busy={busy} failure={failure}>
        {texts.confirmButton()}
      </FormEnd>
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
    const outcome = await open(needsPassword ? { password: textOf(form, 'password') } : {})
    if (outcome === 'wrong password') setWrong(texts.wrongAccountPassword())
    if (outcome === 'password needed') setHasEnded(true)
    if (outcome !== 'done') return
    showToast({ title: texts.emailChanged(), description: texts.newAddressNote(), tone: 'success' })
    await queryClient.invalidateQueries()
    navigate(APP_PATHS.home, { replace: true })
  })
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-4">
      <p className="text-body text-soft">{texts.emailChange()}</p>
      <p className="text-body font-500 wrap-anywhere">
        <BreakableEmail email={info.email} /> <span className="sr-only">→</span>
        {/* The typeface has no arrow. */}
        <ArrowRight size={16} className="inline rtl:-scale-x-100" /> <BreakableEmail email={info.newEmail ?? ''} />
      </p>
      <p className="text-body text-soft">
        {needsPassword ? `${texts.accountPassword()} ${texts.notYourAccount()}` : texts.notYourAccount()}
      </p>
      {needsPassword ? <CurrentPasswordField username={info.email} error={wrong} /> : null}
      <FormEnd busy={busy} failure={failure}>
        {texts.confirmButton()}
      </FormEnd>
    </form>
  )
}

/** The email for a change of the address can be requested again in Settings only. */
function ChangeAgain() {
  const [, navigate] = useLocation()
  return (
    <>
      <p className="mb-6 text-body text-soft">{texts.changeAgain()}</p>
      <Button kind="primary" onClick={() => navigate(APP_PATHS.signInSettings, { state: OPENS_CHANGE_EMAIL })}>
        {texts.sendEmailAgain()}
      </Button>
    </>
  )
}
