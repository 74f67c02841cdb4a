import { store } from '../device/store.ts'

const KEY = 'deeb.sent-link'
/** In local storage: the link of the email opens a new tab. */
const SIGN_UP_KEY = 'deeb.sign-up'
/** Short, for browsers that several people use. */
const SIGN_UP_KEPT_MS = 3_600_000

/** The purpose of a link that we emailed. */
export type LinkPurpose = 'signup' | 'recovery'

/**
 * Remembers in this tab that a link was emailed, so that the page still says so after a reload. Where the browser blocks storage,
 * the page forgets it.
 */
export function rememberSentLink(purpose: LinkPurpose, email: string): void {
  store('sessionStorage', KEY, JSON.stringify({ purpose, email }))
}

/** The address to which this tab had a link of that purpose emailed; undefined if none is pending. */
export function sentLinkTo(purpose: LinkPurpose): string | undefined {
  try {
    const sent: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? 'null')
    const { purpose: known, email } = (sent ?? {}) as { purpose?: unknown; email?: unknown }
    return known === purpose && typeof email === 'string' ? email : undefined
  } catch {
    return undefined
  }
}

interface SignUp {
  email: string
  /** Confirms it in this browser, in place of the password. */
  secret: string
  /** The fragment of the invitation of a company by which it was made. */
  invite: string | null
}

/** Keeps for an hour that this browser has signed up, so that its link needs no password here. */
export function rememberSignUp(signUp: SignUp): void {
  store('localStorage', SIGN_UP_KEY, JSON.stringify({ ...signUp, until: Date.now() + SIGN_UP_KEPT_MS }))
}

/** The sign-up of an address by this browser; null in any other browser. */
export function signedUpHere(address: string): SignUp | null {
  try {
    const { until, ...signUp } = JSON.parse(localStorage.getItem(SIGN_UP_KEY) ?? '')
    return signUp.email === address && typeof signUp.secret === 'string' && Date.now() < until ? signUp : null
  } catch {
    return null
  }
}

/** Call it when the link was used, or the address was wrong. */
export function forgetSentLink(): void {
  try {
    sessionStorage.removeItem(KEY)
    localStorage.removeItem(SIGN_UP_KEY)
  } catch {}
}
