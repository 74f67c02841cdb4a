import { isOlderVersion, OLDEST_CLIENT_HEADER } from '@deeb/core/client-version'

type Listener = (moment: 'learned' | 'navigation') => void

/** Stays so while the page lives: during a rolling restart an older server does not know it yet. */
let isUnsafe = false
let listener: Listener = () => {}

/** Notes from an answer of the API whether this version still counts as safe. */
export function noteOldestClient({ headers }: Response): void {
  if (isUnsafe || !isOlderVersion(__APP_VERSION__, headers.get(OLDEST_CLIENT_HEADER) ?? '')) return
  isUnsafe = true
  listener('learned')
}

/** To be called when another screen is shown. */
export function noteNavigation(): void {
  if (isUnsafe) listener('navigation')
}

/** Calls the one listener when this version is learned to be unsafe, now if it is known, and at each navigation from then on. */
export function onUnsafe(only: Listener): void {
  listener = only
  if (isUnsafe) listener('learned')
}
