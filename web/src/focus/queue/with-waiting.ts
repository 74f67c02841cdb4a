import type { FocusSession, FocusState } from '@deeb/core/focus/api'
import { wholeSecond } from '@deeb/core/focus/session'
import type { FocusDay } from '@deeb/core/stats/api'
import { trackedSeconds } from '@deeb/core/stats/week'
import { byServerClock } from '../../server-clock.ts'
import type { WaitingChange } from './stored-changes.ts'

/** What the reads of all screens have in common: deeb mode, and the days on which a switch shows. */
export type FocusRead = FocusState & { today?: FocusDay; week?: FocusDay[] }

/** A read in which a session has ended: its time becomes saved time of its days. */
export function withEnded<Read extends FocusRead>(read: Read, session: FocusSession, endedAt: Date): Read {
  const change = (day: FocusDay) => ({ ...day, savedSeconds: trackedSeconds(day, session, endedAt) })
  const { today, week } = read
  return { ...read, openSession: null, ...(today && { today: change(today) }), ...(week && { week: week.map(change) }) }
}

/**
 * What a read becomes by the presses that the server may not know of yet. What it knows already changes nothing: an on
 * while something is open is that. An off ends what it names, and whatever an on before it began, as the server has it.
 */
export function withWaiting<Read extends FocusRead>(read: Read, waiting: readonly WaitingChange[]): Read {
  let shown = read
  const ons = new Set<string>()
  for (const change of waiting) {
    const { openSession } = shown
    if (change.to === 'on') {
      ons.add(change.sessionId)
      shown = openSession ? shown : { ...shown, openSession: begun(change) }
    } else if (openSession && (openSession.id === change.sessionId || ons.has(openSession.id))) {
      shown = withEnded(shown, openSession, byServerClock(change.actedAt))
    }
  }
  return shown
}

/** The session that is open by the presses alone, when nothing has been read; undefined without any. */
export function openByPresses(waiting: readonly WaitingChange[]): FocusSession | null | undefined {
  const last = waiting.at(-1)
  return last && (last.to === 'on' ? begun(last) : null)
}

function begun({ sessionId, actedAt }: WaitingChange): FocusSession {
  return { id: sessionId, startedAt: wholeSecond(byServerClock(actedAt)).toISOString(), endedAt: null }
}
