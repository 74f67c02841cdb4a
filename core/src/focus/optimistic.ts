/*
 * The optimistic update of the switch: what a client shows until the server acknowledges its pending switches. It is the
 * replay rule (replay.ts) for the sessions that one client knows. optimistic.test.ts compares the two.
 */
import type { FocusSession, FocusState } from './api.ts'
import { secondsWithin, wholeSecond } from './session.ts'

/** A switch that the server has not acknowledged. `at` is an instant of the server's clock. */
export interface PendingSwitch {
  to: 'on' | 'off'
  sessionId: string
  at: Date
  /** Only if `to` is `on`. */
  targetMinutes?: number | undefined
}

/** The fields of a day that a switch changes or needs. */
interface Day {
  startsAt: string
  endsAt: string
  savedSeconds: number
}

/** The common part of the responses for all screens: the focus state, and the days whose saved time a switch changes. */
export type FocusRead = FocusState & { today?: Day; week?: Day[] }

/** Ends a session: its time is added to the saved time of its days. */
export function withEnded<Read extends FocusRead>(read: Read, { startedAt }: FocusSession, endedAt: Date): Read {
  const saved = (day: Day) => {
    const span = { startsAt: new Date(day.startsAt), endsAt: new Date(day.endsAt) }
    return { ...day, savedSeconds: day.savedSeconds + secondsWithin(new Date(startedAt), endedAt, span) }
  }
  const { today, week } = read
  return { ...read, openSession: null, ...(today && { today: saved(today) }), ...(week && { week: week.map(saved) }) }
}

/**
 * Applies pending switches, in order, to a response of the server. An on changes nothing while a session is open. An off
 * ends the open session if it names it, or if a pending on before it opened it.
 *
 *     before          [====>          the response
 *     pending               | off     names the session
 *     after           [=====]         its time is saved
 *
 * Idempotent: switches that the response already contains change nothing.
 */
export function withPending<Read extends FocusRead>(read: Read, pending: readonly PendingSwitch[]): Read {
  let shown = read
  const ons = new Set<string>()
  for (const change of pending) {
    const { openSession } = shown
    if (change.to === 'on') {
      ons.add(change.sessionId)
      shown = openSession ? shown : { ...shown, openSession: opened(change) }
    } else if (openSession && (openSession.id === change.sessionId || ons.has(openSession.id))) {
      shown = withEnded(shown, openSession, change.at)
    }
  }
  return shown
}

/** The open session by the pending switches alone, for a client without a response. Undefined without pending switches. */
export function openByPending(pending: readonly PendingSwitch[]): FocusSession | null | undefined {
  const last = pending.at(-1)
  return last && (last.to === 'on' ? opened(last) : null)
}

function opened({ sessionId, at, targetMinutes }: PendingSwitch): FocusSession {
  return { id: sessionId, startedAt: wholeSecond(at).toISOString(), endedAt: null, targetMinutes }
}
