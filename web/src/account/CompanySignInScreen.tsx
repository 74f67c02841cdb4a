import { APP_PATHS } from '@deeb/core/paths'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, Redirect, useLocation } from 'wouter'
import { useAuthSession } from '../auth-session.ts'
import { IS_NATIVE } from '../platform.ts'
import { Button, buttonLook } from '../ui/Button.tsx'
import { FormError } from '../ui/FormError.tsx'
import { TextField } from '../ui/TextField.tsx'
import { TextLink } from '../ui/TextLink.tsx'
import { useBusy } from '../ui/use-busy.ts'
import { textOf, useSubmit } from '../ui/use-submit.ts'
import { AccountPage, BackToSignIn } from './AccountPage.tsx'
import { useAuthSettings } from './auth-queries.ts'
import { type CompanyReturn, useCompanyReturn } from './company-return.ts'
import {
  type AskedDigits,
  askedDigits,
  begunSignIn,
  type CompanyOutcome,
  exchangeCompanyCode,
  forgetBegunSignIn,
  screenAfter,
  signInByCompany,
  verifyMailedDigits,
} from './company-sign-in.ts'
import { rememberWay } from './last-way.ts'

/** The way back from the sign-in page of a company. */
export default function CompanySignInScreen() {
  const returned = useCompanyReturn()
  const session = useAuthSession()
  const [asked] = useState(askedDigits)
  if (returned || asked) {
    return (
      <AccountPage title="Company sign-in">
        {returned?.app && !IS_NATIVE ? (
          <BackToApp platform={returned.app} fragment={returned.fragment} />
        ) : (
          <Return key={returned?.fragment} returned={returned} asked={asked} />
        )}
      </AccountPage>
    )
  }
  if (session === 'checking') return null
  return <Redirect to={session === null ? APP_PATHS.signIn : APP_PATHS.home} replace />
}

/** The address of the app's own URL scheme. It needs a tap: browsers block a page that opens an app by itself. */
function BackToApp({ platform, fragment }: { platform: 'android' | 'ios'; fragment: string }) {
  const settings = useAuthSettings()
  const scheme = settings?.app_scheme?.[platform]
  if (!settings) return <Waiting />
  if (!scheme) return <Failure message="This server has no app. Sign in here instead." />
  return (
    <>
      <p className="mb-6 text-body text-soft">Your company has confirmed who you are.</p>
      <a href={`${scheme}://sso#${fragment}`} className={buttonLook('primary')}>
        Continue in the app
      </a>
    </>
  )
}

/** A code works once, so it is exchanged once, also if this screen is mounted twice. */
const exchanges = new Map<string, Promise<CompanyOutcome>>()

function exchangeOnce({ code, flowId, errorCode }: CompanyReturn): Promise<CompanyOutcome> {
  if (code === null) return Promise.resolve({ kind: 'failed', code: errorCode ?? '' })
  const exchange = exchanges.get(code) ?? exchangeCompanyCode(code, flowId)
  exchanges.set(code, exchange)
  return exchange
}

interface ReturnProps {
  /** Null after a reload, which removes it. */
  returned: CompanyReturn | null
  asked: AskedDigits | undefined
}

function Return({ returned, asked }: ReturnProps) {
  const [outcome, setOutcome] = useState<CompanyOutcome | undefined>(
    returned || !asked ? undefined : { kind: 'code needed', asked },
  )
  const finish = useFinish()
  useEffect(() => {
    if (!returned) return
    let isGone = false
    void exchangeOnce(returned).then((outcome) => {
      if (isGone) return
      setOutcome(outcome)
      if (outcome.kind === 'done') finish()
    })
    return () => {
      isGone = true
    }
  }, [returned, finish])
  if (!outcome || outcome.kind === 'done') return <Waiting />
  if (outcome.kind === 'failed') return <Failure message={messageOf(outcome)} />
  return (
    <MailedCode
      asked={outcome.asked}
      onOutcome={(outcome) => {
        setOutcome(outcome)
        if (outcome.kind === 'done') finish()
      }}
    />
  )
}

/** Leads to the screen where this sign-in began. */
function useFinish(): () => void {
  const [, navigate] = useLocation()
  const queryClient = useQueryClient()
  const [finish] = useState(() => () => {
    const begun = begunSignIn()
    forgetBegunSignIn()
    if (begun) rememberWay({ way: 'company', domain: begun.domain, name: begun.name })
    // The account may be connected now, or its user re-authenticated.
    void queryClient.invalidateQueries()
    navigate(screenAfter(begun?.purpose ?? 'sign in'), { replace: true })
  })
  return finish
}

function Waiting() {
  return (
    <p role="status" className="text-body text-soft">
      Signing you in...
    </p>
  )
}

interface MailedCodeProps {
  asked: AskedDigits
  onOutcome: (outcome: CompanyOutcome) => void
}

/** The server has emailed six digits: they prove that the mailbox belongs to this person. */
function MailedCode({ asked, onOutcome }: MailedCodeProps) {
  const [wrong, setWrong] = useState<string>()
  const { onSubmit, busy, failure } = useSubmit(async (form) => {
    setWrong(undefined)
    const outcome = await verifyMailedDigits(asked.code, textOf(form, 'digits').replaceAll(/\s/g, ''))
    if (outcome === 'wrong digits') setWrong('This code is wrong. Check the email and try again.')
    else if (outcome !== 'unreachable') onOutcome(outcome)
  })
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-4">
      <p role="status" className="text-body text-soft wrap-anywhere">
        {asked.message}
      </p>
      <TextField
        label="Code from the email"
        name="digits"
        inputMode="numeric"
        autoComplete="one-time-code"
        error={wrong}
        required
      />
      <FormError>{failure}</FormError>
      <div className="mt-2">
        <Button kind="primary" type="submit" busy={busy}>
          {busy ? 'Checking...' : 'Continue'}
        </Button>
      </div>
      <BackToSignIn />
    </form>
  )
}

function Failure({ message }: { message: string }) {
  const [busy, run, failure] = useBusy()
  const session = useAuthSession()
  const [begun] = useState(begunSignIn)
  const [, navigate] = useLocation()
  async function retry(): Promise<void> {
    if (!begun) navigate(APP_PATHS.signIn, { replace: true })
    else if (begun.purpose === 'connect') navigate(screenAfter('connect'), { replace: true })
    else await signInByCompany(begun.domain, begun.purpose)
  }
  return (
    <>
      <p role="alert" className="mb-6 text-body text-pretty text-soft">
        {message}
      </p>
      <FormError>{failure}</FormError>
      <Button kind="primary" busy={busy} onClick={() => void run(retry)}>
        Try again
      </Button>
      {session === null ? (
        <BackToSignIn />
      ) : (
        <p className="mt-4">
          <Link href={APP_PATHS.home} asChild>
            <TextLink>Back to Home</TextLink>
          </Link>
        </p>
      )}
    </>
  )
}

const MESSAGES: Record<string, string> = {
  access_denied: 'Your company did not sign you in.',
  bad_oauth_state: 'This sign-in has expired, or it began in another browser.',
  bad_oauth_callback: 'The answer of your company could not be read. Ask your administrator.',
  bad_code_verifier: 'This sign-in began in another browser.',
  pkce_code_verifier_not_found: 'This sign-in began in another browser.',
  flow_state_not_found: 'This sign-in was already used.',
  flow_state_expired: 'This sign-in has expired.',
  otp_expired: 'This code has expired, or it was wrong too often.',
  email_address_not_authorized:
    'Your company answered with an address that it may not sign in here. Ask your administrator.',
  identity_already_exists: 'This account is already connected. Ask your administrator.',
  user_banned: 'This account is blocked. Ask your administrator.',
  over_request_rate_limit: 'Too many attempts. Try again in a few minutes.',
  unexpected_failure: 'The sign-in of your company does not answer right now. Try again shortly.',
  unreachable: 'deeb cannot be reached. Check your connection.',
  session_not_found: 'Your session has ended. Sign in again.',
}

function messageOf({ code }: { code: string }): string {
  return MESSAGES[code] ?? 'The server could not sign you in.'
}
