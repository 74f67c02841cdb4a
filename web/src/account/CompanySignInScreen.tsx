import { digitsOf } from '@deeb/core/account/code'
import { APP_PATHS } from '@deeb/core/paths'
import * as commonTexts from '@deeb/texts/common'
import * as texts from '@deeb/texts/links'
import * as signInTexts from '@deeb/texts/signIn'
import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { Link, Redirect, useLocation } from 'wouter'
import { IS_NATIVE } from '../device/platform.ts'
import { useAuthSession } from '../session/auth-session.ts'
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
import { FormEnd } from './FormEnd.tsx'
import { rememberWay } from './last-way.ts'

/** The way back from the sign-in page of a company. */
export default function CompanySignInScreen() {
  const returned = useCompanyReturn()
  const session = useAuthSession()
  const [asked] = useState(askedDigits)
  if (returned || asked) {
    return (
      <AccountPage title={texts.companyTitle()}>
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
  if (!scheme) return <Failure message={texts.noApp()} />
  return (
    <>
      <p className="mb-6 text-body text-soft">{texts.companyConfirmed()}</p>
      <a href={`${scheme}://sso#${fragment}`} className={buttonLook('primary')}>
        {texts.continueInApp()}
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
      {texts.signingYouIn()}
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
    const outcome = await verifyMailedDigits(asked.code, digitsOf(textOf(form, 'digits')))
    if (outcome === 'wrong digits') setWrong(texts.mailedCodeWrong())
    else if (outcome !== 'unreachable') onOutcome(outcome)
  })
  return (
    <form onSubmit={onSubmit} className="flex flex-col gap-4">
      <p role="status" className="text-body text-soft wrap-anywhere">
        {asked.message}
      </p>
      <TextField
        label={texts.mailedCode()}
        name="digits"
        inputMode="numeric"
        autoComplete="one-time-code"
        error={wrong}
        required
      />
      <FormEnd busy={busy} failure={failure}>
        {busy ? texts.checking() : signInTexts.next()}
      </FormEnd>
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
        {commonTexts.tryAgain()}
      </Button>
      {session === null ? (
        <BackToSignIn />
      ) : (
        <p className="mt-4">
          <Link href={APP_PATHS.home} asChild>
            <TextLink>{texts.backToHome()}</TextLink>
          </Link>
        </p>
      )}
    </>
  )
}

const MESSAGES: Record<string, () => string> = {
  access_denied: texts.companyRefused,
  bad_oauth_state: texts.expiredOrOtherBrowser,
  bad_oauth_callback: texts.answerUnreadable,
  bad_code_verifier: texts.otherBrowser,
  pkce_code_verifier_not_found: texts.otherBrowser,
  flow_state_not_found: texts.signInUsed,
  flow_state_expired: texts.signInExpired,
  otp_expired: texts.codeExpired,
  email_address_not_authorized: texts.addressRefused,
  identity_already_exists: texts.alreadyConnected,
  user_banned: texts.accountBlocked,
  over_request_rate_limit: texts.tooManySignIns,
  unexpected_failure: texts.companySilent,
  unreachable: texts.offline,
  session_not_found: texts.sessionEnded,
}

function messageOf({ code }: { code: string }): string {
  // The code may be from the address bar: `constructor` is none.
  const message = Object.hasOwn(MESSAGES, code) ? MESSAGES[code] : undefined
  return (message ?? texts.notSignedIn)()
}
