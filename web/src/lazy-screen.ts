import { type ComponentType, lazy } from 'react'

const RELOADED_AT = 'deeb.reloaded-at'
const AGAIN_AFTER_MS = 30_000

type ScreenModule = { default: ComponentType }

/**
 * A screen that is loaded when it is needed. If that fails, because the network was away or the server has a newer build
 * by now, only a new page helps: the browser remembers the failure for as long as this one stands. So the page is loaded
 * anew, but not in a circle: then the error is thrown, for LoadBoundary to show.
 */
export function lazyScreen(load: () => Promise<ScreenModule>) {
  return lazy(() =>
    load().catch((error: unknown) => {
      const last = Number(sessionStorage.getItem(RELOADED_AT))
      if (Date.now() - last < AGAIN_AFTER_MS) throw error
      sessionStorage.setItem(RELOADED_AT, `${Date.now()}`)
      window.location.reload()
      return new Promise<ScreenModule>(() => undefined)
    }),
  )
}
