import { APP_PATHS, type AppPath } from '@deeb/core/paths'

/** The key in local storage of the link of a circle that was opened before a sign-in: see circles/invite.ts. */
export const INVITE_KEY = 'deeb.circle-invite'

/** The screen after a sign-in: Home, or the circle whose link was opened before it. */
export function screenAfterSignIn(): AppPath {
  return localStorage.getItem(INVITE_KEY) === null ? APP_PATHS.home : APP_PATHS.circle
}
