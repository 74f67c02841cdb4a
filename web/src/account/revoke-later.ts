import type { Session } from '@supabase/auth-js'
import { useSyncExternalStore } from 'react'
import { isAuthApiError } from '../session/auth-errors.ts'
import { authClient } from '../session/auth-session.ts'

const MIN_BACKOFF_MS = 1_000
/** With its jitter below a minute. */
const MAX_BACKOFF_MS = 30_000
const TOO_MANY_REQUESTS = 429

/** The state of an auth session that this device has left: `trying` to revoke it at the server too, or `failed`. */
type Revocation = 'trying' | 'failed'

let revocation: Revocation | undefined
const listeners = new Set<() => void>()

/** Undefined if the server has ended the last auth session of this page, or there was none. */
export function useRevocation(): Revocation | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => revocation,
  )
}

/** Call it after a sign-out that reached the server: the outcome of an earlier one no longer matters. */
export function forgetRevocation(): void {
  setRevocation(undefined)
}

function setRevocation(next: Revocation | undefined): void {
  revocation = next
  for (const listener of listeners) listener()
}

/**
 * Revokes an auth session that this device has left while the server did not answer: retries with exponential backoff as long as this
 * page is open and the access token is valid. Resolves to whether the server has ended it. The token is in memory only.
 */
export async function revokeLater(session: Session | null): Promise<boolean> {
  setRevocation('trying')
  const isDone = session !== null && (await retry(session))
  setRevocation(isDone ? undefined : 'failed')
  return isDone
}

async function retry({ access_token, expires_at = 0 }: Session): Promise<boolean> {
  let backoffMs = MIN_BACKOFF_MS
  while (Date.now() < expires_at * 1000) {
    await pause(backoffMs * (0.5 + Math.random()))
    if (await revoke(access_token)) return true
    backoffMs = Math.min(backoffMs * 2, MAX_BACKOFF_MS)
  }
  return false
}

/** Waits, at most until the network returns. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(end, ms)
    window.addEventListener('online', end)
    function end(): void {
      clearTimeout(timer)
      window.removeEventListener('online', end)
      resolve()
    }
  })
}

/** A refusal of the token means that its auth session has ended. */
async function revoke(accessToken: string): Promise<boolean> {
  try {
    const { error } = await (await authClient()).admin.signOut(accessToken, 'local')
    return error === null || (isAuthApiError(error) && error.status < 500 && error.status !== TOO_MANY_REQUESTS)
  } catch {
    return false
  }
}
