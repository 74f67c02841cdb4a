import * as texts from '@deeb/texts/otherWays'
import * as signInTexts from '@deeb/texts/signIn'
import type { Session } from '@supabase/auth-js'
import { authClient } from '../session/auth-session.ts'
import { showFailure } from '../ui/toast.ts'
import { showAuthFailure, showUnexpected } from './auth-failure.ts'
import { supportsPasskeys, useAuthSettings } from './auth-queries.ts'

/** A challenge is valid for 5 minutes. */
const AUTOFILL_RENEWED_MS = 4 * 60_000

/** Whether this server and this browser support passkeys; undefined until the server has answered. */
export function useSupportsPasskeys(): boolean | undefined {
  return supportsPasskeys(useAuthSettings())
}

/** Signs in with a passkey that its user chooses. Resolves to the auth session; null if that failed, or its user has cancelled. */
export async function signInWithPasskey(): Promise<Session | null> {
  stopPasskeyAutofill()
  try {
    const { data, error } = await (await authClient()).signInWithPasskey()
    if (!error) return data?.session ?? null
    showPasskeyFailure(signInTexts.signInFailed(), error)
  } catch {
    showUnexpected()
  }
  return null
}

/** Shows why a call with a passkey failed. Nothing is shown if its user has cancelled. */
export function showPasskeyFailure(title: string, error: Error & { code?: unknown }): void {
  const { name, code } = error
  if (name === 'NotAllowedError' || name === 'AbortError' || code === 'ERROR_CEREMONY_ABORTED') return
  if (code === 'ERROR_AUTHENTICATOR_PREVIOUSLY_REGISTERED') {
    showFailure(texts.passkeyExists(), title)
  } else if (code === 'ERROR_INVALID_DOMAIN' || code === 'ERROR_INVALID_RP_ID') {
    showFailure(texts.passkeysNotHere(), title)
  } else if (code === 'ERROR_AUTHENTICATOR_MISSING_USER_VERIFICATION_SUPPORT') {
    showFailure(texts.noScreenLock(), title)
  } else if (typeof code === 'string' && code.startsWith('ERROR_')) {
    showFailure(texts.passkeyNotPossible(), title)
  } else {
    showAuthFailure(title, error)
  }
}

let autofill: AbortController | undefined

/**
 * Offers passkeys in the autofill of the email field (conditional UI) until `stopPasskeyAutofill`. Failures are not shown: nobody
 * has pressed anything.
 */
export async function startPasskeyAutofill(onSignedIn: () => void): Promise<void> {
  stopPasskeyAutofill()
  const ended = new AbortController()
  autofill = ended
  if (!(await PublicKeyCredential.isConditionalMediationAvailable?.().catch(() => false))) return
  while (!ended.signal.aborted) {
    const attempt = new AbortController()
    const abort = () => attempt.abort()
    ended.signal.addEventListener('abort', abort)
    const timer = setTimeout(abort, AUTOFILL_RENEWED_MS)
    const options = { mediation: 'conditional', signal: attempt.signal } as const
    const { data, error } = await (await authClient())
      .signInWithPasskey({ options })
      .catch((error: unknown) => ({ data: null, error }))
    clearTimeout(timer)
    ended.signal.removeEventListener('abort', abort)
    if (!error && data?.session) return onSignedIn()
    // Only the timer starts the next attempt. After another failure that would be a loop of failures.
    if (!attempt.signal.aborted) return
  }
}

export function stopPasskeyAutofill(): void {
  autofill?.abort()
  autofill = undefined
}
