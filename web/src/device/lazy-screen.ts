import { type ComponentType, lazy } from 'react'
import { reloadOnce } from './reload-once.ts'

export type ScreenModule<Props = object> = { default: ComponentType<Props> }

/** A screen or dialog that is loaded when it is opened. If that fails, the page is reloaded, or LoadBoundary shows the error. */
export function lazyScreen<Props>(load: () => Promise<ScreenModule<Props>>) {
  return lazy(() =>
    load().catch((error: unknown) => {
      if (!reloadOnce()) throw error
      return new Promise<ScreenModule<Props>>(() => undefined)
    }),
  )
}
