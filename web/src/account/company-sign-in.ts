import { APP_PATHS, type AppPath } from '@deeb/core/paths'
import * as texts from '@deeb/texts/otherWays'
import * as signInTexts from '@deeb/texts/signIn'
import type { AuthError, UserIdentity } from '@supabase/auth-js'
import { IS_NATIVE, SERVER } from '../device/platform.ts'
import { store } from '../device/store.ts'
import { isAuthApiError, isAuthRetryableFetchError } from '../session/auth-errors.ts'
import { authClient } from '../session/auth-session.ts'
import { screenAfterSignIn } from '../session/kept-invite.ts'
import { showFailure } from '../ui/toast.ts'
import { showAuthFailure, showUnexpected } from './auth-failure.ts'

/** The company that a domain belongs to. */
export interface Company {
  domain: string
  name: string
  /** Its accounts sign in by it only. */
  only: boolean
}

/** `prove` asks for the password of the company again (re-authentication); `connect` adds the company to the user's account. */
type Purpose = 'sign in' | 'prove' | 'connect'

/** The screen that a user returns to from the company. */
export function screenAfter(purpose: Purpose): AppPath {
  return purpose === 'sign in' ? screenAfterSignIn() : APP_PATHS.signInSettings
}

/** A sign-in by the company that this tab has begun. */
interface BegunSignIn {
  domain: string
  name: string
  purpose: Purpose
  /** The six digits that the server has emailed since, if they are still to be entered. */
  asked?: AskedDigits | undefined
}

/** They complete the sign-in of this code. */
export interface AskedDigits {
  code: string
  /** Names the address. */
  message: string
  /** The time at which they expire, in milliseconds since 1970. */
  until: number
}

const DIGITS_MS = 15 * 60_000

const KEY = 'deeb.company-sign-in'

/** The domain of an email address; empty if it has none. */
function domainOf(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).trim()
}

/**
 * How the account of an address signs in: by its company or by a password. If only the company signs it in, its page opens. Undefined
 * then, and after a failure, which was shown in a toast.
 */
export async function findWay(email: string): Promise<'password' | Company | undefined> {
  const domain = domainOf(email)
  const found = await request(domain, 'sign in')
  if (found === 'none') return 'password'
  if (found === 'failed') return undefined
  if (!found.company.only) return found.company
  leaveFor(found.url, { domain, name: found.company.name, purpose: 'sign in' })
  return undefined
}

/**
 * Leaves the page for the sign-in page of the company; `/app/sso` is the way back. Resolves to whether it began; a failure was shown
 * in a toast.
 */
export async function signInByCompany(
  domain: string,
  purpose: Exclude<Purpose, 'connect'> = 'sign in',
): Promise<boolean> {
  const found = await request(domain, purpose)
  if (found === 'none') showFailure(texts.noCompany({ domain }), signInTexts.signInFailed())
  if (typeof found === 'string') return false
  leaveFor(found.url, { domain, name: found.company.name, purpose })
  return true
}

async function request(
  domain: string,
  purpose: Purpose,
): Promise<{ company: Company; url: string } | 'none' | 'failed'> {
  try {
    const options = { redirectTo: returnAddress(purpose === 'prove' ? '?again=1' : ''), skipBrowserRedirect: true }
    const { data, error } = await (await authClient()).signInWithSSO({ domain, options })
    if (!error) {
      // The types of auth-js leave out what our server adds.
      const { url, name = domain, only = false } = data as { url: string; name?: string; only?: boolean }
      return { company: { domain, name, only }, url }
    }
    if (isAuthApiError(error) && error.status === 404) return 'none'
    showCompanyFailure(signInTexts.signInFailed(), error)
  } catch {
    showUnexpected()
  }
  return 'failed'
}

/** Leaves the page to connect the account with the company. Resolves to whether it began, or whether a proof is needed first. */
export async function connectCompany({ domain, name }: Company): Promise<'begun' | 'proof needed' | 'failed'> {
  try {
    const options = { redirectTo: returnAddress(), skipBrowserRedirect: true }
    const { data, error } = await (await authClient()).linkIdentity({ provider: `custom:${domain}`, options })
    if (!error && data.url) {
      leaveFor(data.url, { domain, name, purpose: 'connect' })
      return 'begun'
    }
    if (isAuthApiError(error) && error.code === 'reauthentication_needed') return 'proof needed'
    if (error) showCompanyFailure(texts.companyNotConnected(), error)
  } catch {
    showUnexpected()
  }
  return 'failed'
}

/** The identity of the account at its company; undefined if they are not connected. */
export function companyIdentity(identities: readonly UserIdentity[] | undefined): UserIdentity | undefined {
  return identities?.find(({ provider }) => provider !== 'email')
}

function showCompanyFailure(title: string, error: AuthError): void {
  if (isAuthRetryableFetchError(error) && error.status === 503) {
    showFailure(texts.companyUnreachable(), title)
  } else {
    showAuthFailure(title, error)
  }
}

function returnAddress(query = ''): string {
  return (SERVER || window.location.origin) + APP_PATHS.companySignIn + query
}

function leaveFor(url: string, begun: BegunSignIn): void {
  if (!rememberBegun(begun)) {
    showFailure(texts.nothingStored(), signInTexts.signInFailed())
    return
  }
  // A native app stays open: the sign-in page of the company opens in the browser of the system.
  if (IS_NATIVE) window.open(url, '_blank')
  else window.location.assign(url)
}

/** The sign-in by the company that this tab has begun last; undefined if there is none. */
export function begunSignIn(): BegunSignIn | undefined {
  try {
    return (JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as BegunSignIn | null) ?? undefined
  } catch {
    return undefined
  }
}

/** Returns false if the browser stores nothing. */
function rememberBegun(begun: BegunSignIn): boolean {
  return store('sessionStorage', KEY, JSON.stringify(begun))
}

/** The six digits that this tab waits for, also after a reload; undefined if there are none, or if they have expired. */
export function askedDigits(): AskedDigits | undefined {
  const asked = begunSignIn()?.asked
  return asked && Date.now() < asked.until ? asked : undefined
}

function rememberAsked(asked: AskedDigits | undefined): void {
  const begun = begunSignIn()
  if (begun) rememberBegun({ ...begun, asked })
}

export function forgetBegunSignIn(): void {
  sessionStorage.removeItem(KEY)
}

/** How the way back from the company ended. `code needed`: the server has emailed six digits. */
export type CompanyOutcome =
  | { kind: 'done' }
  | { kind: 'code needed'; asked: AskedDigits }
  | { kind: 'failed'; code: string }

/** Exchanges the code of the company's answer for an auth session. Only the browser that began has the verifier for it. */
export async function exchangeCompanyCode(code: string, flowId: string | null): Promise<CompanyOutcome> {
  try {
    const { error } = await (await authClient()).exchangeCodeForSession(code, flowId === null ? undefined : { flowId })
    if (error?.code === 'provider_email_needs_verification') {
      const asked = { code, message: error.message, until: Date.now() + DIGITS_MS }
      rememberAsked(asked)
      return { kind: 'code needed', asked }
    }
    if (isAuthRetryableFetchError(error)) return { kind: 'failed', code: 'unreachable' }
    return error ? { kind: 'failed', code: String(error.code ?? '') } : { kind: 'done' }
  } catch {
    return { kind: 'failed', code: '' }
  }
}

/** Sends the digits of the email together with the code, which the auth client passes on although its types do not include both. */
export async function verifyMailedDigits(
  code: string,
  digits: string,
): Promise<CompanyOutcome | 'wrong digits' | 'unreachable'> {
  try {
    const both = { type: 'magiclink', token_hash: code, token: digits } as const
    const { error } = await (await authClient()).verifyOtp(both)
    if (!error) return { kind: 'done' }
    if (error.code === 'invalid_credentials' || error.code === 'validation_failed') return 'wrong digits'
    if (isAuthApiError(error) && error.status < 500 && error.status !== 429) {
      rememberAsked(undefined)
      return { kind: 'failed', code: String(error.code ?? '') }
    }
    showAuthFailure(texts.codeNotAccepted(), error)
  } catch {
    showUnexpected()
  }
  return 'unreachable'
}
