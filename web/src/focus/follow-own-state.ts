import type { FocusSession } from '@deeb/core/focus/api'
import type { QueryClient } from '@tanstack/react-query'
import { serverNow } from '../server-clock.ts'
import { FOCUS_READS, knownOpenSession, showEnded, showOpened } from './focus-reads.ts'
import { isSwitching } from './use-switch-focus.ts'

/** The newest version that was followed. In the cache, so that it goes with the person. */
const VERSION_KEY = ['own-version']

/** Shows what deeb mode became on another device, at once; what it adds up to is read after it. Older news are dropped. */
export function followOwnState(
  queries: QueryClient,
  { openSession, version }: { openSession: FocusSession | null; version: number },
): void {
  const followed = queries.getQueryData<number>(VERSION_KEY)
  if (followed !== undefined && version < followed) return
  queries.setQueryData(VERSION_KEY, version)
  const known = knownOpenSession(queries)
  // What this device is about to say is newer; when it has been answered, everything is read again.
  if (known === undefined || isSwitching(queries)) return
  const isSame = known?.id === openSession?.id
  if (isSame && (followed === undefined || followed === version)) return
  if (!isSame && known) showEnded(queries, known, serverNow())
  if (!isSame && openSession) showOpened(queries, openSession)
  void queries.invalidateQueries(FOCUS_READS)
}
