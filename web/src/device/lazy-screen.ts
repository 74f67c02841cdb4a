import { type ComponentType, lazy } from 'react'
import { reloadOnce } from './reload-once.ts'

export type ScreenModule<Props = object> = { default: ComponentType<Props> }

/** The file of a screen or dialog could not be loaded. */
export class NotLoaded extends Error {}

/** A screen or dialog that is loaded when it is opened. If that fails, the page is reloaded, or LoadBoundary shows the error. */
export function lazyScreen<Props>(load: () => Promise<ScreenModule<Props>>) {
  return lazy(() =>
    load().catch((cause: unknown) => {
      if (!reloadOnce()) throw new NotLoaded(String(cause))
      return new Promise<ScreenModule<Props>>(() => undefined)
    }),
  )
}
