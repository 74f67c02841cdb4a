import { INVITE_KEY } from './circle-invite.ts'

/** Long enough for a sign-up. */
const KEPT_MS = 24 * 3_600_000

/** Keeps the fragment of the link of a circle in local storage: the link that confirms a sign-up opens a new tab. */
export function keepInvite(invite: string): void {
  try {
    localStorage.setItem(INVITE_KEY, JSON.stringify({ invite, until: Date.now() + KEPT_MS }))
  } catch {
    // The storage is full: only the tab of the link remembers it.
  }
}

/** The fragment that was kept in the last 24 hours, or null. Removes an older one. */
export function keptInvite(): string | null {
  try {
    const { invite, until } = JSON.parse(localStorage.getItem(INVITE_KEY) ?? '')
    if (typeof invite === 'string' && Date.now() < until) return invite
  } catch {
    // Nothing is stored, or something else.
  }
  localStorage.removeItem(INVITE_KEY)
  return null
}
