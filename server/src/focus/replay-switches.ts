import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { replaySwitches as endpoint } from '@deeb/core/focus/api'
import { instantOf } from '@deeb/core/focus/device-times'
import type { QueuedSwitch } from '@deeb/core/focus/replay'
import { isTimeZone } from '@deeb/core/focus/split-by-day'
import type { Actor } from '../actor.ts'
import type { Db } from '../db/db.ts'
import { replayWithinDailyLimit } from './daily-limit.ts'
import { focusSession } from './focus-state.ts'

type Refused = OutputOf<typeof endpoint>['refused'][number]

/**
 * Takes what a device switched without a network, all in one transaction. May be repeated. A change that can never be
 * taken is left out and named in the answer; the others are taken. So is the surplus of a day with 300 sessions.
 */
export async function replaySwitches(
  db: Db,
  actor: Actor,
  { changes, sentAt }: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const refused: Refused[] = []
  const late: QueuedSwitch[] = []
  for (const { actedAt, ...change } of changes) {
    const { sessionId, to } = change
    const at = instantOf({ actedAt, sentAt }, now)
    if (typeof at === 'string') refused.push({ sessionId, to, code: at })
    else if (change.to === 'on' && !isTimeZone(change.timeZone))
      refused.push({ sessionId, to, code: 'invalid_time_zone' })
    else late.push({ ...change, at })
  }
  const { openSession, named, surplus } = await replayWithinDailyLimit(db, actor, late, now)
  for (const change of late) {
    const { sessionId, to } = change
    if (surplus.includes(change)) refused.push({ sessionId, to, code: 'too_many_sessions' })
    else if (!named(sessionId)) refused.push({ sessionId, to, code: 'session_not_found' })
  }
  return { openSession: openSession ? focusSession(openSession) : null, refused, serverTime: now.toISOString() }
}
