import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { replaySwitches as endpoint } from '@deeb/core/focus/api'
import { instantOf } from '@deeb/core/focus/device-times'
import type { PendingPress } from '@deeb/core/focus/interruptions'
import type { QueuedSwitch } from '@deeb/core/focus/replay'
import type { Db } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { timeZoneOf } from '../profile/time-zone-of.ts'
import { countInterruptions } from './count-interruptions.ts'
import { replayWithinDailyLimit } from './daily-limit.ts'
import { findNamed } from './find-named.ts'
import { focusSession } from './focus-state.ts'

type Refused = OutputOf<typeof endpoint>['refused'][number]

/**
 * Replays the switches that one device queued offline, in order, in one transaction. Then counts interruptions, in another one.
 * Idempotent. `refused` lists changes that can never be applied, with their error codes, among them starts past 300 on one local date.
 * All others are applied.
 */
export async function replaySwitches(
  db: Db,
  actor: Actor,
  { changes, sentAt }: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const refused: Refused[] = []
  const late: QueuedSwitch[] = []
  const presses: PendingPress[] = []
  for (const { actedAt, ...change } of changes) {
    const { sessionId, to } = change
    const at = instantOf({ actedAt, sentAt }, now)
    if ('pressId' in change) {
      if (typeof at === 'string') refused.push({ sessionId, to, code: at })
      else presses.push(change)
    } else if (typeof at === 'string') {
      const stored = await findNamed(db, actor.userId, sessionId)
      if (!stored || (to === 'off' && stored.endedAt === null)) refused.push({ sessionId, to, code: at })
    } else if (change.to === 'off') late.push({ ...change, at })
    else {
      const timeZone = await timeZoneOf(db, actor, change, at).catch(unknownZone)
      if (timeZone === null) refused.push({ sessionId, to, code: 'invalid_time_zone' })
      else late.push({ ...change, timeZone, at })
    }
  }
  const { openSession, sessionById, surplus } = await replayWithinDailyLimit(db, actor, late, now)
  for (const change of late) {
    const { sessionId, to } = change
    if (surplus.includes(change)) refused.push({ sessionId, to, code: 'too_many_sessions' })
    else if (!sessionById(sessionId)) refused.push({ sessionId, to, code: 'session_not_found' })
  }
  for (const { sessionId, to } of await countInterruptions(db, actor, presses, now)) {
    refused.push({ sessionId, to, code: 'session_not_found' })
  }
  return { openSession: openSession ? focusSession(openSession) : null, refused, serverTime: now.toISOString() }
}

function unknownZone(error: unknown): null {
  if (error instanceof Refusal) return null
  throw error
}
