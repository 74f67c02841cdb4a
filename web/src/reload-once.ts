import { keepToastsOnReload } from './ui/kept-toasts.ts'

const RELOADED_AT = 'deeb.reloaded-at'
const AGAIN_AFTER_MS = 30_000

/**
 * Reloads the page after a file of it could not be loaded, as when the server has a newer build: the browser caches the failure until
 * then. Returns whether it does: once in 30 seconds, and not offline, where a reload would leave no page.
 */
export function reloadOnce(): boolean {
  const last = Number(sessionStorage.getItem(RELOADED_AT))
  if (!navigator.onLine || Date.now() - last < AGAIN_AFTER_MS) return false
  sessionStorage.setItem(RELOADED_AT, `${Date.now()}`)
  keepToastsOnReload()
  window.location.reload()
  return true
}
