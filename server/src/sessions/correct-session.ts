import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import { wholeSecond } from '@deeb/core/focus/session'
import type { correctSession as endpoint } from '@deeb/core/sessions/api'
import { CORRECTION_FAULTS, correctionFault } from '@deeb/core/sessions/correction'
import type { Db } from '../db/db.ts'
import { focusSession } from '../focus/focus-state.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { findChangeable, overlapAsRefusal, rewriteSession } from './rewrite-session.ts'

/**
 * Changes the start, the end or the interruptions of a focus session of the user. Refuses with `session_not_found` if it is another user's, still
 * open or too old, with `invalid_input` if the times are impossible, and with `session_overlaps` if another session has
 * that time.
 */
export async function correctSession(
  database: Db,
  actor: Actor,
  input: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  return database.transaction(async (db) => {
    const session = await findChangeable(db, actor.userId, input.sessionId, now)
    if (!session) throw new Refusal('session_not_found')
    const startedAt = input.startedAt ? wholeSecond(new Date(input.startedAt)) : session.startedAt
    const endedAt = input.endedAt ? wholeSecond(new Date(input.endedAt)) : session.endedAt
    const isMovedBack = startedAt < session.startedAt
    const fault = correctionFault({ startedAt, endedAt, isMovedBack }, now)
    if (fault) throw new Refusal('invalid_input', [CORRECTION_FAULTS[fault]])
    const { interruptions = session.interruptions } = input
    try {
      await rewriteSession(db, actor.userId, session, { startedAt, endedAt, interruptions, discardedAt: null })
    } catch (error) {
      throw overlapAsRefusal(error)
    }
    return { session: { ...focusSession({ id: session.id, startedAt, endedAt }), interruptions } }
  })
}
