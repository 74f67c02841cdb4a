import type { Session } from '@supabase/auth-js'

/** The entry of local storage in which the auth client keeps the auth session. */
export const STORAGE_KEY = 'deeb.auth.token'

/** The auth client refreshes an access token that has less time left. */
const EXPIRY_MARGIN_MS = 90_000

/**
 * The auth session in local storage, if the auth client would use it without a refresh; else null. Only reads, so that a page can
 * show a signed-in user before the auth client is loaded.
 */
export function storedSession(): Session | null {
  try {
    const session = JSON.parse(localStorage.getItem(STORAGE_KEY) ?? '')
    const isComplete = [session.access_token, session.refresh_token, session.user.id].every(
      (text) => typeof text === 'string',
    )
    return isComplete && session.expires_at * 1000 - Date.now() >= EXPIRY_MARGIN_MS ? session : null
  } catch {
    return null
  }
}
