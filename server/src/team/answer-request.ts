import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { answerRequest as endpoint } from '@deeb/core/team/api'
import { type Db, statement } from '../db/db.ts'
import { retryUntilVisible } from '../db/retry-until-visible.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'

const answer = statement(
  'team.answer',
  `with answered as (
    update team_connections set status = :answer, updated_at = :now
    where id = :requestId and receiver_id = :userId and status = 'pending'
    returning requester_id
  )
  select requester_id as "requesterId" from answered
  union all
  select requester_id from team_connections where id = :requestId and receiver_id = :userId and status = :answer`,
)

/**
 * Accepts or declines a pending request to the actor, and returns its requester. Idempotent with the same answer. Refuses
 * with `not_found` anything that is not a pending request to the actor.
 */
export async function answerRequest(
  db: Db,
  actor: Actor,
  input: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint> & { requesterId: string }> {
  const values = { userId: actor.userId, requestId: input.requestId, answer: input.answer, now }
  const row = await retryUntilVisible(() => db.query<{ requesterId: string }>(answer, values))
  if (!row) throw new Refusal('not_found')
  return { status: input.answer, requesterId: row.requesterId }
}
