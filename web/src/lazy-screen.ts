import { type ComponentType, lazy } from 'react'

const RELOADED_AT = 'deeb.reloaded-at'
const AGAIN_AFTER_MS = 30_000

export type ScreenModule<Props = object> = { default: ComponentType<Props> }

/**
 * A screen or dialog that is loaded when it is opened. If that fails, as when the server has a newer build, the browser caches the failure
 * until the page is reloaded. So this reloads the page, once in 30 seconds; then LoadBoundary shows the error. Offline it shows the error
 * immediately: a reload would leave no page.
 */
export function lazyScreen<Props>(load: () => Promise<ScreenModule<Props>>) {
  return lazy(() =>
    load().catch((error: unknown) => {
      const last = Number(sessionStorage.getItem(RELOADED_AT))
      if (!navigator.onLine || Date.now() - last < AGAIN_AFTER_MS) throw error
      sessionStorage.setItem(RELOADED_AT, `${Date.now()}`)
      window.location.reload()
      return new Promise<ScreenModule<Props>>(() => undefined)
    }),
  )
}
