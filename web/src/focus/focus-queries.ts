import type { OutputOf } from '@deeb/core/endpoint'
import { type FocusSession, startFocus, stopFocus } from '@deeb/core/focus/api'
import { elapsedSeconds, secondsWithin, wholeSecond } from '@deeb/core/focus/session'
import { readHome } from '@deeb/core/stats/api'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { v7 as uuidv7 } from 'uuid'
import { ApiError, api } from '../api.ts'
import { serverNow } from '../server-clock.ts'
import { showToast } from '../ui/toast.ts'
import { currentTimeZone } from './time-zone.ts'

export type Home = OutputOf<typeof readHome>

const HOME_KEY = [readHome.path]
const SWITCH_KEY = [startFocus.path]
const homeKey = (timeZone: string) => [...HOME_KEY, timeZone]

/** What the home screen shows; read anew when the day ends, when the device's zone changes and when one comes back. */
export function useHome() {
  const queries = useQueryClient()
  const timeZone = currentTimeZone()
  const home = useQuery({
    queryKey: homeKey(timeZone),
    queryFn: () => api(readHome, { timeZone }),
  })
  const dayEndsAt = home.data?.today.endsAt
  useEffect(() => {
    if (!dayEndsAt) return
    const untilNextDay = Math.max(0, Date.parse(dayEndsAt) - serverNow().getTime())
    const timer = setTimeout(() => queries.invalidateQueries({ queryKey: HOME_KEY }), untilNextDay + 500)
    return () => clearTimeout(timer)
  }, [dayEndsAt, queries])
  return home
}

/** The day's seconds: what is saved, and the part of the open session that lies in today. */
export function secondsToday(home: Home, now: Date): number {
  const { openSession, savedSeconds, today } = home
  if (!openSession) return savedSeconds
  const day = { startsAt: new Date(today.startsAt), endsAt: new Date(today.endsAt) }
  return savedSeconds + secondsWithin(new Date(openSession.startedAt), now, day)
}

/** Whole seconds of the open session; null while deeb mode is off. */
export function sessionSeconds(home: Home, now: Date): number | null {
  return home.openSession && elapsedSeconds(new Date(home.openSession.startedAt), now)
}

/**
 * What a press of the switch does: deeb mode goes on or off. The screen follows at once, and quick presses are sent one
 * after the other. What the server does not accept is taken back, with a toast. At the end the data is read again, so
 * that the screen shows what is true.
 */
export function useSwitchFocus() {
  const queries = useQueryClient()
  const update = (change: (home: Home) => Home) =>
    queries.setQueriesData<Home>({ queryKey: HOME_KEY }, (home) => home && change(home))
  const { mutate } = useMutation({
    mutationKey: SWITCH_KEY,
    scope: { id: 'switch-focus' },
    mutationFn: ({ to, session }: FocusChange) =>
      to === 'on'
        ? api(startFocus, { sessionId: session.id, timeZone: currentTimeZone() })
        : api(stopFocus, { sessionId: session.id }),
    // The id makes the call repeatable, so a lost answer is asked for again.
    retry: (failures, error) => isUnanswered(error) && failures < 1,
    onMutate: (change) => {
      // A read that is under way knows nothing of this. Not reverted: that would take back an earlier press with it.
      void queries.cancelQueries({ queryKey: HOME_KEY }, { revert: false })
      const now = serverNow()
      update((home) => switched(home, change, now))
      return now
    },
    onError: (error, change, shownAt) => {
      if (change.to === 'on') update((home) => ({ ...home, openSession: null }))
      else if (isUnanswered(error)) update((home) => reopened(home, change.session, shownAt ?? serverNow()))
      if (!isSignedOut(error)) {
        showToast({ title: 'Error', description: 'Failed to toggle deeb mode', tone: 'destructive' })
      }
    },
    onSettled: async () => {
      // While another press waits for its turn, the server's state is behind what the screen already shows.
      if (queries.isMutating({ mutationKey: SWITCH_KEY }) === 1) await queries.invalidateQueries({ queryKey: HOME_KEY })
    },
  })
  return function pressSwitch(): void {
    // From the cache, not from what was drawn last: a second press may come before the first is on the screen.
    const home = queries.getQueryData<Home>(homeKey(currentTimeZone()))
    if (home) mutate(nextChange(home, serverNow()))
  }
}

function isUnanswered(error: Error): boolean {
  return error instanceof ApiError && error.code === 'unavailable'
}

/** Said already, where the person is led to. */
function isSignedOut(error: Error): boolean {
  return error instanceof ApiError && error.code === 'not_signed_in'
}

interface FocusChange {
  to: 'on' | 'off'
  session: FocusSession
}

/** The change that the switch makes from this state: a new session, or the end of the one that is open. */
function nextChange(home: Home, now: Date): FocusChange {
  if (home.openSession) return { to: 'off', session: home.openSession }
  return { to: 'on', session: { id: uuidv7(), startedAt: wholeSecond(now).toISOString(), endedAt: null } }
}

function switched(home: Home, { to, session }: FocusChange, now: Date): Home {
  if (to === 'on') return { ...home, openSession: session }
  return { ...home, openSession: null, savedSeconds: secondsToday(home, now) }
}

/** Takes back an end that was shown at `endedAt` but not saved. */
function reopened(home: Home, session: FocusSession, endedAt: Date): Home {
  const ofSession = secondsToday({ ...home, openSession: session, savedSeconds: 0 }, endedAt)
  return { ...home, openSession: session, savedSeconds: home.savedSeconds - ofSession }
}
