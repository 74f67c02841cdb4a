import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { takeBackRequest as endpoint } from '@deeb/core/team/api'
import { type Db, statement } from '../db/db.ts'
import { retryUntilVisible } from '../db/retry-until-visible.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'

/*
 * Deletes a pending request. A declined one stays declined for its receiver, so that asking again does not reach them.
 *
 * No row means that a concurrent transaction answered the request: the caller retries.
 */
const takeBack = statement(
  'team.take-back',
  `with gone as (
    delete from team_connections where id = :requestId and requester_id = :userId and status = 'pending'
    returning receiver_id
  ), hidden as (
    update team_connections set taken_back = true
    where id = :requestId and requester_id = :userId and status = 'declined' and not taken_back
    returning receiver_id
  ), changed as (
    select receiver_id from gone union all select receiver_id from hidden
  )
  select receiver_id as "receiverId", false as "isAccepted" from changed
  union all
  select null, coalesce(status = 'accepted', false)
  from (values (0)) as one left join team_connections on id = :requestId and requester_id = :userId
  where not exists (select from changed) and (status is null or status = 'accepted' or taken_back)`,
)

interface TakeBackRow {
  receiverId: string | null
  isAccepted: boolean
}

/**
 * Takes back a request of the actor. Idempotent, with the same answer for a pending, a declined and an unknown request. Refuses
 * with `connection_exists` if it was accepted. `receiverId` is the other user, or null if nothing changed.
 */
export async function takeBackRequest(
  db: Db,
  actor: Actor,
  { requestId }: InputOf<typeof endpoint>,
): Promise<OutputOf<typeof endpoint> & { receiverId: string | null }> {
  const values = { userId: actor.userId, requestId }
  const row = await retryUntilVisible(() => db.query<TakeBackRow>(takeBack, values))
  if (!row) throw new Error('A request to take back had no visible row after all retries.')
  if (row.isAccepted) throw new Refusal('connection_exists')
  return { takenBack: true, receiverId: row.receiverId }
}
