import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import { wholeSecond } from '@deeb/core/focus/session'
import type { addSession as endpoint } from '@deeb/core/sessions/api'
import { CORRECTION_FAULTS, correctionFault } from '@deeb/core/sessions/correction'
import { type Db, statement } from '../db/db.ts'
import { isOverDailyLimit } from '../focus/daily-limit.ts'
import { adjustDailyTotals } from '../focus/daily-totals.ts'
import { dayCut } from '../focus/day-cut.ts'
import { focusSession, SESSION_TIMES, type SessionRow } from '../focus/focus-state.ts'
import { lockProfile } from '../focus/lock-profile.ts'
import { renewRevision } from '../focus/renew-revision.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { timeZoneOf } from '../profile/time-zone-of.ts'
import { overlapAsRefusal } from './rewrite-session.ts'

const insert = statement(
  'focus.add-past',
  `insert into deeb_sessions (user_id, id, start_time, end_time, time_zone, start_date, next_date, next_date_starts_at)
  values (:userId, :sessionId, :startedAt, :endedAt, :timeZone, :startDate, :nextDate, :nextDateStartsAt)
  on conflict (user_id, id) do nothing
  returning ${SESSION_TIMES}`,
)

const findAdded = statement(
  'focus.find-added',
  `select ${SESSION_TIMES} from deeb_sessions
  where user_id = :userId and id = :sessionId and discarded_at is null`,
)

/**
 * Adds a past focus session of the last 7 days. Idempotent per session id: a repeated call answers with the stored session.
 * Refuses with `invalid_input` if the times are impossible, with `session_overlaps` if another session has that time, with
 * `too_many_sessions` past 300 on one local date, and with `session_not_found` if the session was deleted in between.
 */
export async function addSession(
  database: Db,
  actor: Actor,
  input: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const { sessionId } = input
  const startedAt = wholeSecond(new Date(input.startedAt))
  const endedAt = wholeSecond(new Date(input.endedAt))
  const fault = correctionFault({ startedAt, endedAt, isMovedBack: true }, now)
  if (fault) {
    const [stored] = await database.query<SessionRow>(findAdded, { userId: actor.userId, sessionId })
    if (stored) return { session: focusSession(stored) }
    throw new Refusal('invalid_input', [CORRECTION_FAULTS[fault]])
  }
  const timeZone = await timeZoneOf(database, actor, input, startedAt)
  const session = { sessionId, timeZone, startedAt, endedAt }
  try {
    return await database.transaction(async (db) => ({ session: await insertOrFind(db, actor.userId, session) }))
  } catch (error) {
    // At the commit: a deferred trigger counts.
    throw isOverDailyLimit(error) ? new Refusal('too_many_sessions') : overlapAsRefusal(error)
  }
}

interface NewSession {
  sessionId: string
  timeZone: string
  startedAt: Date
  endedAt: Date
}

async function insertOrFind(db: Db, userId: string, { sessionId, timeZone, startedAt, endedAt }: NewSession) {
  await lockProfile(db, userId)
  const cut = dayCut(startedAt, timeZone)
  const [added] = await db.query<SessionRow>(insert, { userId, sessionId, timeZone, startedAt, endedAt, ...cut })
  if (added) {
    await db.query(renewRevision, { userId })
    await adjustDailyTotals(db, userId, [{ before: null, after: { startedAt, endedAt, ...cut } }])
  }
  const [session] = added ? [added] : await db.query<SessionRow>(findAdded, { userId, sessionId })
  if (!session) throw new Refusal('session_not_found')
  return focusSession(session)
}
