import { CORRECTABLE_DAYS } from '@deeb/core/sessions/correction'
import { type Db, statement } from '../db/db.ts'
import { adjustDailyTotals } from '../focus/daily-totals.ts'
import { CUT_COLUMNS, type DayCut, dayCut } from '../focus/day-cut.ts'
import { lockPerson } from '../focus/lock-person.ts'

/** A session that its person may still change. */
export interface ChangeableSession extends DayCut {
  id: string
  startedAt: Date
  endedAt: Date
  timeZone: string
}

const find = statement(
  'focus.find-changeable',
  `select id, start_time as "startedAt", end_time as "endedAt", time_zone as "timeZone", ${CUT_COLUMNS}
  from deeb_sessions
  where user_id = :userId and id = :sessionId and discarded_at is null
    and (end_time > :now::timestamptz - interval '${CORRECTABLE_DAYS} days' or (capped and not cap_answered))
  for update`,
)

const write = statement(
  'focus.rewrite',
  `update deeb_sessions set start_time = :startedAt, end_time = :endedAt, start_date = :startDate, next_date = :nextDate,
    next_date_starts_at = :nextDateStartsAt, capped = false, discarded_at = :discardedAt
  where user_id = :userId and id = :id`,
)

/* Other devices of the person read again what their days add up to. */
const renewVersion = statement(
  'focus.renew-version',
  "update user_presence set version = nextval('presence_versions') where user_id = :userId",
)

/** The session of that id, locked until the transaction ends, if the person may change it. An open one may not be. */
export async function findChangeable(
  db: Db,
  userId: string,
  sessionId: string,
  now: Date,
): Promise<ChangeableSession | undefined> {
  // Of two at once each would wait for what the other has moved already.
  await lockPerson(db, userId)
  const [session] = await db.query<ChangeableSession>(find, { userId, sessionId, now })
  return session
}

/**
 * Gives a session other times, in its own zone, and its days what follows from them. What the person says counts for an
 * answer, so it is no forgotten one any more. Belongs into the transaction that found it.
 *
 *     before    Mo [=======|===] Tu     Mo 2 h   Tu 1 h
 *     after     Mo [====]  |            Mo -1 h  Tu -1 h
 */
export async function rewriteSession(
  db: Db,
  userId: string,
  before: ChangeableSession,
  after: { startedAt: Date; endedAt: Date; discardedAt: Date | null },
): Promise<void> {
  const { startedAt, endedAt, discardedAt } = after
  const cut = dayCut(startedAt, before.timeZone)
  await db.query(write, { userId, id: before.id, startedAt, endedAt, discardedAt, ...cut })
  await db.query(renewVersion, { userId })
  await adjustDailyTotals(db, userId, [{ before, after: { startedAt, endedAt, ...cut } }])
}
