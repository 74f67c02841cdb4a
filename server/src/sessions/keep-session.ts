import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { keepSession as endpoint } from '@deeb/core/sessions/api'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'

/* A new revision makes the user's other devices refetch, so they stop asking about this session. */
const keep = statement(
  'focus.keep',
  `with kept as (
    update deeb_sessions set cap_answered = true where user_id = :userId and id = :sessionId and capped and discarded_at is null returning user_id
  )
  update user_presence set revision = revision + 1 where user_id = (select user_id from kept)
  returning user_id`,
)

/** Keeps a forgotten session with its end at 16 hours, at any age. Idempotent. Refuses others with `session_not_found`. */
export async function keepSession(
  db: Db,
  actor: Actor,
  { sessionId }: InputOf<typeof endpoint>,
): Promise<OutputOf<typeof endpoint>> {
  if ((await db.query(keep, { userId: actor.userId, sessionId })).length === 0) throw new Refusal('session_not_found')
  return { kept: true }
}
