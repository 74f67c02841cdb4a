import { isOlderVersion, OLDEST_CLIENT_HEADER } from '@deeb/core/client-version'

type Listener = (moment: 'learned' | 'navigation') => void

/** Never reset while the page is open: during a rolling restart an older server does not know it yet. */
let isUnsafe = false
let listener: Listener = () => {}

/** Reads from a response of the API whether this version is still safe. */
export function noteOldestClient({ headers }: Response): void {
  if (isUnsafe || !isOlderVersion(__APP_VERSION__, headers.get(OLDEST_CLIENT_HEADER) ?? '')) return
  isUnsafe = true
  listener('learned')
}

/** Call it when another screen is shown. */
export function noteNavigation(): void {
  if (isUnsafe) listener('navigation')
}

/** Sets the listener, which is called when this version turns out to be unsafe and at each later navigation. */
export function onUnsafe(onlyListener: Listener): void {
  listener = onlyListener
  if (isUnsafe) listener('learned')
}
