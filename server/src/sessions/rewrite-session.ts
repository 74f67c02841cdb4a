import { CORRECTABLE_DAYS } from '@deeb/core/sessions/correction'
import { type Db, statement, violatedConstraint } from '../db/db.ts'
import { IS_FORGOTTEN } from '../focus/close-session-sql.ts'
import { adjustDailyTotals } from '../focus/daily-totals.ts'
import { CUT_COLUMNS, type DayCut, dayCut } from '../focus/day-cut.ts'
import { SESSION_TIMES } from '../focus/focus-state.ts'
import { lockProfile } from '../focus/lock-profile.ts'
import { renewRevision } from '../focus/renew-revision.ts'
import { Refusal } from '../lib/refusal.ts'

/** A focus session that its user may still change. */
export interface ChangeableSession extends DayCut {
  id: string
  startedAt: Date
  endedAt: Date
  timeZone: string
  interruptions: number
}

const find = statement(
  'focus.find-changeable',
  `select ${SESSION_TIMES}, time_zone as "timeZone", interruptions, ${CUT_COLUMNS}
  from deeb_sessions
  where user_id = :userId and id = :sessionId and discarded_at is null
    and (end_time > :now::timestamptz - interval '${CORRECTABLE_DAYS} days' or ${IS_FORGOTTEN})
  for update`,
)

const write = statement(
  'focus.rewrite',
  `update deeb_sessions set start_time = :startedAt, end_time = :endedAt, start_date = :startDate, next_date = :nextDate,
    next_date_starts_at = :nextDateStartsAt, capped = case when :discardedAt::timestamptz is null then :isCapped else capped end, discarded_at = :discardedAt,
    interruptions = :interruptions, cap_answered = cap_answered or (capped and discarded_at is null and :discardedAt::timestamptz is null),
    last_touch_at = null, still_on_answers = null
  where user_id = :userId and id = :id`,
)

/** Finds an ended session that the user may change, with a row lock until the transaction ends. */
export async function findChangeable(
  db: Db,
  userId: string,
  sessionId: string,
  now: Date,
): Promise<ChangeableSession | undefined> {
  // Serialized per user: two concurrent corrections could deadlock.
  await lockProfile(db, userId)
  const [session] = await db.query<ChangeableSession>(find, { userId, sessionId, now })
  return session
}

/**
 * Changes the times of a session, split by day in its own time zone, and updates the daily totals. A correction also
 * answers the question about a forgotten session; a deletion does not, so that undoing it asks again. Call it in the transaction of `findChangeable`.
 *
 *     before    Mo [=======|===] Tu     Mo 2 h   Tu 1 h
 *     after     Mo [====]  |            Mo -1 h  Tu -1 h
 */
export async function rewriteSession(
  db: Db,
  userId: string,
  before: ChangeableSession,
  after: { startedAt: Date; endedAt: Date; discardedAt: Date | null; isCapped?: boolean; interruptions?: number },
): Promise<void> {
  const { startedAt, endedAt, discardedAt, isCapped = false, interruptions = before.interruptions } = after
  const cut = dayCut(startedAt, before.timeZone)
  const values = { userId, id: before.id, startedAt, endedAt, discardedAt, isCapped, interruptions, ...cut }
  await db.query(write, values)
  await db.query(renewRevision, { userId })
  await adjustDailyTotals(db, userId, [{ before, after: { startedAt, endedAt, ...cut } }])
}

/** `session_overlaps` for the error of a write that would give two sessions the same time, else the error itself. */
export function overlapAsRefusal(error: unknown): unknown {
  return violatedConstraint(error) === 'deeb_sessions_never_overlap' ? new Refusal('session_overlaps') : error
}
