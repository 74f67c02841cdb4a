import type { FocusSession } from '@deeb/core/focus/api'
import type { QueryClient } from '@tanstack/react-query'
import { askAgain, askFailed } from '../ask-again.ts'
import { serverNow } from '../server-clock.ts'
import {
  areUpTo,
  FOCUS_READS,
  followedVersion,
  knownOpenSession,
  setFollowedVersion,
  showEnded,
  showOpened,
} from './focus-reads.ts'

/** Shows what deeb mode became on another device, at once; what it adds up to is read after it. Older news are dropped. */
export function followOwnState(
  queries: QueryClient,
  { openSession, version }: { openSession: FocusSession | null; version: number },
): void {
  if (version < followedVersion(queries)) return
  setFollowedVersion(queries, version)
  // Who tells this can be asked again, too.
  askFailed(queries, FOCUS_READS)
  const known = knownOpenSession(queries)
  if (known === undefined || areUpTo(queries, version)) return
  const isSame = known?.id === openSession?.id
  if (!isSame && known) showEnded(queries, known, serverNow())
  if (!isSame && openSession) showOpened(queries, openSession)
  askAgain(queries, FOCUS_READS)
}
