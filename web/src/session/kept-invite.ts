import { APP_PATHS, type AppPath } from '@deeb/core/paths'
import { useSyncExternalStore } from 'react'
import { store } from '../device/store.ts'

/*
 * The fragment of an invitation that was opened in this browser, until it is used or its user signs out. It survives signing
 * in, signing up, the sign-in page of a company and the onboarding. In local storage: the link that confirms a sign-up opens a new tab.
 */
const KEY = 'deeb.circle-invite'
/** Long enough for a sign-up. */
const KEPT_MS = 24 * 3_600_000

const listeners = new Set<() => void>()
interface Kept {
  invite: string
  /** Whether the user has agreed to join. Set for an account that was signed up by the page of the invitation, when it is confirmed. */
  joins: boolean
}

/** While the storage is full, only this tab remembers it. */
let unstored: Kept | null = null

takeInvite()
window.addEventListener('hashchange', takeInvite)

/** Keeps the fragment of an invitation from the address bar, and removes it there. */
function takeInvite(): void {
  const { pathname, hash } = window.location
  if ((pathname !== APP_PATHS.circle && pathname !== APP_PATHS.invite) || hash === '') return
  window.history.replaceState(window.history.state, '', pathname)
  keepInvite(hash)
}

export function keepInvite(invite: string, joins = false): void {
  const isStored = store('localStorage', KEY, JSON.stringify({ invite, joins, until: Date.now() + KEPT_MS }))
  unstored = isStored ? null : { invite, joins }
  for (const listener of listeners) listener()
}

/** The fragment that was kept in the last 24 hours, or null. */
export function keptInvite(): string | null {
  return kept()?.invite ?? null
}

/** Whether the user has agreed to join it. */
export function joinsKeptInvite(): boolean {
  return kept()?.joins === true
}

function kept(): Kept | null {
  try {
    const { invite, joins, until } = JSON.parse(localStorage.getItem(KEY) ?? '')
    if (typeof invite === 'string' && Date.now() < until) return { invite, joins }
  } catch {
    // Nothing is stored, or something else.
  }
  return unstored
}

/** The same for a component. */
export function useInvite(): string | null {
  return useSyncExternalStore(subscribe, keptInvite)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

/** Call it when the link was used, its reader does not want to use it, or its user signs out. */
export function forgetInvite(): void {
  unstored = null
  localStorage.removeItem(KEY)
  for (const listener of listeners) listener()
}

/** The screen after a sign-in: Home, or that of the invitation which was opened before it. */
export function screenAfterSignIn(): AppPath {
  return keptInvite() === null ? APP_PATHS.home : APP_PATHS.circle
}
