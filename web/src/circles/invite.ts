import { APP_PATHS } from '@deeb/core/paths'
import { useSyncExternalStore } from 'react'
import { onAuthSessionChange } from '../auth-session.ts'
import { INVITE_KEY } from '../circle-invite.ts'
import { keepInvite, keptInvite } from '../kept-invite.ts'

const listeners = new Set<() => void>()

let invite = takeInvite() ?? keptInvite()
window.addEventListener('hashchange', () => setInvite(takeInvite() ?? invite))
// After a sign-out query-client.ts has removed it from the storage.
onAuthSessionChange((session) => {
  if (session === null && localStorage.getItem(INVITE_KEY) === null) setInvite(null)
})

/** Reads the fragment of the link of a circle and removes it from the address bar. Null at any other address. */
function takeInvite(): string | null {
  const { pathname, hash } = window.location
  if (pathname !== APP_PATHS.circle || hash === '') return null
  window.history.replaceState(window.history.state, '', pathname)
  keepInvite(hash)
  return hash
}

function setInvite(next: string | null): void {
  invite = next
  for (const listener of listeners) listener()
}

/**
 * The fragment of the link of a circle that was opened in this browser, until it is used or its user signs out. It survives
 * signing in, signing up, the sign-in page of a company and the onboarding.
 */
export function useInvite(): string | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => invite,
  )
}

/** Call it when the link was used, or its reader does not want to use it. */
export function forgetInvite(): void {
  localStorage.removeItem(INVITE_KEY)
  setInvite(null)
}
