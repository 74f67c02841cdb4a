import { keepToastsOnReload } from '../ui/kept-toasts.ts'
import { store } from './store.ts'

const RELOADED = 'deeb.reloaded'
const FIRST_PAUSE_MS = 30_000
const MAX_PAUSE_MS = 60 * 60_000

/** The last reload, and for how long no other follows. */
export interface Reload {
  atMs: number
  pauseMs: number
}

/**
 * Reloads the page after a file of it could not be loaded, as when the server has a newer build: the browser caches the failure until
 * then. Returns whether it does: not offline, where a reload would leave no page, and with exponential backoff. A reload loses what was
 * typed, and may not help.
 */
export function reloadOnce(): boolean {
  const stored = sessionStorage.getItem(RELOADED)
  const next = nextReload(stored === null ? null : JSON.parse(stored), Date.now())
  if (!navigator.onLine || next === null) return false
  // If nothing counts the reloads, they would not end.
  if (!store('sessionStorage', RELOADED, JSON.stringify(next))) return false
  keepToastsOnReload()
  window.location.reload()
  return true
}

/** The reload at `nowMs`, or null if it is too early. After two hours without one, the pauses begin again. */
export function nextReload(last: Reload | null, nowMs: number): Reload | null {
  if (last === null || nowMs - last.atMs > 2 * MAX_PAUSE_MS) return { atMs: nowMs, pauseMs: FIRST_PAUSE_MS }
  if (nowMs - last.atMs < last.pauseMs) return null
  return { atMs: nowMs, pauseMs: Math.min(2 * last.pauseMs, MAX_PAUSE_MS) }
}
