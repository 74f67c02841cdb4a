import { type FocusSession, startFocus, stopFocus } from '@deeb/core/focus/api'
import { wholeSecond } from '@deeb/core/focus/session'
import { type QueryClient, useMutation, useQueryClient } from '@tanstack/react-query'
import { v7 as uuidv7 } from 'uuid'
import { ApiError, api } from '../api.ts'
import { serverNow } from '../server-clock.ts'
import { showFailure } from '../ui/toast.ts'
import { FOCUS_READS, knownOpenSession, showEnded, showOpened, takeBackEnded, takeBackOpened } from './focus-reads.ts'
import { currentTimeZone } from './time-zone.ts'

const SWITCH_KEY = [startFocus.path]

interface FocusChange {
  to: 'on' | 'off'
  session: FocusSession
}

/**
 * What a press of the switch does: deeb mode goes on or off. The screen follows at once, and quick presses are sent one
 * after the other. What the server does not accept is taken back, with a toast. At the end the data is read again, so
 * that the screen shows what is true.
 */
export function useSwitchFocus() {
  const queries = useQueryClient()
  const { mutate } = useMutation({
    mutationKey: SWITCH_KEY,
    scope: { id: 'switch-focus' },
    mutationFn: ({ to, session }: FocusChange) =>
      to === 'on'
        ? api(startFocus, { sessionId: session.id, timeZone: currentTimeZone() })
        : api(stopFocus, { sessionId: session.id }),
    // The id makes the call repeatable, so a lost answer is asked for again.
    retry: (failures, error) => isUnanswered(error) && failures < 1,
    onMutate: ({ to, session }) => {
      // A read that is under way knows nothing of this. Not reverted: that would take back an earlier press with it.
      void queries.cancelQueries(FOCUS_READS, { revert: false })
      const now = serverNow()
      if (to === 'on') showOpened(queries, session)
      else showEnded(queries, session, now)
      return now
    },
    onError: (error, { to, session }, shownAt) => {
      if (to === 'on') takeBackOpened(queries)
      else if (isUnanswered(error)) takeBackEnded(queries, session, shownAt ?? serverNow())
      if (!isSignedOut(error)) showFailure('Failed to toggle deeb mode')
    },
    onSettled: () => {
      // While another press waits for its turn, the server's state is behind what the screen already shows. Not awaited:
      // a press that comes meanwhile must not wait for a slow read.
      if (queries.isMutating({ mutationKey: SWITCH_KEY }) === 1) void queries.invalidateQueries(FOCUS_READS)
    },
  })
  return function pressSwitch(): void {
    // From the cache, not from what was drawn last: a second press may come before the first is on the screen.
    const openSession = knownOpenSession(queries)
    if (openSession !== undefined) mutate(nextChange(openSession, serverNow()))
  }
}

/** Whether a press is still on its way to the server. */
export function isSwitching(queries: QueryClient): boolean {
  return queries.isMutating({ mutationKey: SWITCH_KEY }) > 0
}

/** The change that the switch makes from this state: a new session, or the end of the one that is open. */
function nextChange(openSession: FocusSession | null, now: Date): FocusChange {
  if (openSession) return { to: 'off', session: openSession }
  return { to: 'on', session: { id: uuidv7(), startedAt: wholeSecond(now).toISOString(), endedAt: null } }
}

function isUnanswered(error: Error): boolean {
  return error instanceof ApiError && error.code === 'unavailable'
}

/** Said already, where the person is led to. */
function isSignedOut(error: Error): boolean {
  return error instanceof ApiError && error.code === 'not_signed_in'
}
