import type { AppPath } from '@deeb/core/paths'
import { navigate } from 'wouter/use-browser-location'

/** What an entry of the history has to say where it was entered from: `navigate(to, { state: enteredFrom(path) })`. */
export function enteredFrom(path: AppPath): { from: AppPath } {
  return { from: path }
}

/**
 * From a sub-page to its parent: as the browser's own way back if the page was entered from there, else in its place. So the
 * way back never leads to the sub-page again.
 */
export function goUp(parent: AppPath): void {
  if (window.history.state?.from === parent) window.history.back()
  else navigate(parent, { replace: true })
}

/** What an entry of Settings has to say to begin with the dialog `Change email`. */
export const OPENS_CHANGE_EMAIL = { opens: 'email' } as const

export function opensChangeEmail(): boolean {
  return window.history.state?.opens === OPENS_CHANGE_EMAIL.opens
}

/** The entry begins with nothing open when it is loaded again. */
export function forgetWhatOpens(): void {
  if (opensChangeEmail()) window.history.replaceState(null, '')
}
