import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import { capOf, wholeSecond } from '@deeb/core/focus/session'
import type { restoreSession as endpoint } from '@deeb/core/sessions/api'
import { CORRECTABLE_DAYS, CORRECTION_FAULTS, correctionFault } from '@deeb/core/sessions/correction'
import { type Db, statement } from '../db/db.ts'
import { CAP } from '../focus/close-session-sql.ts'
import { CUT_COLUMNS } from '../focus/day-cut.ts'
import { focusSession, SESSION_TIMES } from '../focus/focus-state.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { type ChangeableSession, findChangeable, overlapAsRefusal, rewriteSession } from './rewrite-session.ts'

const findTombstone = statement(
  'focus.find-tombstone',
  `select ${SESSION_TIMES}, time_zone as "timeZone", capped as "isCapped", interruptions, ${CUT_COLUMNS}
  from deeb_sessions
  where user_id = :userId and id = :sessionId and discarded_at is not null
    and (:endedAt::timestamptz > :now::timestamptz - interval '${CORRECTABLE_DAYS} days'
      or (capped and not cap_answered and :endedAt = start_time + ${CAP}))
  for update`,
)

/**
 * Undoes the deletion of a focus session. The tombstone has its start; the client names the end. Idempotent. Refuses with
 * `session_not_found` if no such session was deleted, with `invalid_input` if the end is impossible, and with
 * `session_overlaps` if another session has that time already.
 */
export async function restoreSession(
  database: Db,
  actor: Actor,
  input: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const { sessionId } = input
  const endedAt = wholeSecond(new Date(input.endedAt))
  try {
    return await database.transaction(async (db) => {
      const restored = await findChangeable(db, actor.userId, sessionId, now)
      if (restored) return { session: { ...focusSession(restored), interruptions: restored.interruptions } }
      const values = { userId: actor.userId, sessionId, endedAt, now }
      const [tombstone] = await db.query<ChangeableSession & { isCapped: boolean }>(findTombstone, values)
      if (!tombstone) throw new Refusal('session_not_found')
      const { startedAt } = tombstone
      // A session of 0 seconds was pressed, but cannot be the result of a correction.
      const isEmpty = endedAt.getTime() === startedAt.getTime()
      const fault = isEmpty ? null : correctionFault({ startedAt, endedAt, isMovedBack: false }, now)
      if (fault) throw new Refusal('invalid_input', [CORRECTION_FAULTS[fault]])
      await rewriteSession(db, actor.userId, tombstone, {
        ...{ startedAt, endedAt, discardedAt: null },
        // The question about a forgotten session is open again.
        isCapped: tombstone.isCapped && endedAt.getTime() === capOf(startedAt).getTime(),
      })
      const { interruptions } = tombstone
      return { session: { ...focusSession({ id: sessionId, startedAt, endedAt }), interruptions } }
    })
  } catch (error) {
    throw overlapAsRefusal(error)
  }
}
