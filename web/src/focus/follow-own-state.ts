import type { FocusSession } from '@deeb/core/focus/api'
import type { QueryClient } from '@tanstack/react-query'
import { serverNow } from '../server-clock.ts'
import { FOCUS_READS, knownOpenSession, showEnded, showOpened } from './focus-reads.ts'

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
  if (known === undefined) return
  const isSame = known?.id === openSession?.id
  if (isSame && (followed === undefined || followed === version)) return
  if (!isSame && known) showEnded(queries, known, serverNow())
  if (!isSame && openSession) showOpened(queries, openSession)
  void queries.invalidateQueries(FOCUS_READS)
}
