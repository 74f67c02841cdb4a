import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { discardSession as endpoint } from '@deeb/core/sessions/api'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { findChangeable, rewriteSession } from './rewrite-session.ts'

const isDiscarded = statement(
  'focus.is-discarded',
  'select from deeb_sessions where user_id = :userId and id = :sessionId and discarded_at is not null',
)

/**
 * Soft-deletes a focus session of the user and subtracts its time. Idempotent. Refuses with `session_not_found` if it is
 * another user's, still open or too old. An empty row stays as a tombstone: a late repeat of its start must not open it
 * again.
 */
export async function discardSession(
  database: Db,
  actor: Actor,
  { sessionId }: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  return database.transaction(async (db) => {
    const session = await findChangeable(db, actor.userId, sessionId, now)
    if (session) {
      const { startedAt } = session
      await rewriteSession(db, actor.userId, session, { startedAt, endedAt: startedAt, discardedAt: now })
    } else if ((await db.query(isDiscarded, { userId: actor.userId, sessionId })).length === 0) {
      throw new Refusal('session_not_found')
    }
    return { discarded: true as const }
  })
}
