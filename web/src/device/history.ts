import { navigate } from 'wouter/use-browser-location'

/** The state of a history entry that records the previous screen: `navigate(to, { state: enteredFrom(path) })`. */
export function enteredFrom(path: string): { from: string } {
  return { from: path }
}

export function wasEnteredFrom(path: string): boolean {
  return window.history.state?.from === path
}

/**
 * Leaves a sub-page for its parent: goes back in the history if the parent is the previous entry, else replaces the entry. So
 * the browser's back button never leads to the sub-page again.
 */
export function goUp(parent: string): void {
  if (wasEnteredFrom(parent)) window.history.back()
  else navigate(parent, { replace: true })
}

/** The state of a history entry of Sign-in that opens the dialog `Change email`. */
export const OPENS_CHANGE_EMAIL = { opens: 'email' } as const

export function opensChangeEmail(): boolean {
  return window.history.state?.opens === OPENS_CHANGE_EMAIL.opens
}

/** Clears that state, so that a reload opens no dialog. */
export function clearOpensChangeEmail(): void {
  if (opensChangeEmail()) window.history.replaceState(null, '')
}

/** The state of a history entry of Home that leads to another screen after the onboarding. */
export function beforeOnboarding(): { next: string } {
  const { pathname, search, hash } = window.location
  return { next: pathname + search + hash }
}

/** Call it after the onboarding: opens the screen that its user wanted, if it was not Home. */
export function leaveOnboarding(): void {
  const next: unknown = window.history.state?.next
  if (typeof next === 'string') navigate(next, { replace: true })
}
