/*
 * The optimistic update of the switch: what a client shows while the server has not acknowledged its switches. It is the
 * replay rule (replay.ts) with the knowledge of one client: optimistic.test.ts compares the two.
 */
import type { FocusSession, FocusState } from './api.ts'
import { secondsWithin, wholeSecond } from './session.ts'

/** A switch that the server has not acknowledged. `at` is an instant of the server's clock. */
export interface PendingSwitch {
  to: 'on' | 'off'
  sessionId: string
  at: Date
}

/** What a switch changes of a day. */
interface Day {
  startsAt: string
  endsAt: string
  savedSeconds: number
}

/** What the responses for all screens have in common: deeb mode, and the days in which a switch shows. */
export type FocusRead = FocusState & { today?: Day; week?: Day[] }

/** Ends a session: its time becomes saved time of its days. */
export function withEnded<Read extends FocusRead>(read: Read, { startedAt }: FocusSession, endedAt: Date): Read {
  const saved = (day: Day) => {
    const span = { startsAt: new Date(day.startsAt), endsAt: new Date(day.endsAt) }
    return { ...day, savedSeconds: day.savedSeconds + secondsWithin(new Date(startedAt), endedAt, span) }
  }
  const { today, week } = read
  return { ...read, openSession: null, ...(today && { today: saved(today) }), ...(week && { week: week.map(saved) }) }
}

/**
 * Applies pending switches, in their order, to what the server said. An on while a session is open changes nothing. An off ends
 * the session that it names and the one that a pending on before it opened. So it is idempotent for switches that the server
 * has already recorded.
 *
 *     server          [====>          read
 *     pending               | off     named
 *     shown           [=====]         its time is saved
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

/** The open session by the pending switches alone, for a client without any response; undefined if there are none. */
export function openByPending(pending: readonly PendingSwitch[]): FocusSession | null | undefined {
  const last = pending.at(-1)
  return last && (last.to === 'on' ? opened(last) : null)
}

function opened({ sessionId, at }: PendingSwitch): FocusSession {
  return { id: sessionId, startedAt: wholeSecond(at).toISOString(), endedAt: null }
}
