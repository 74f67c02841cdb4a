import { randomUUID } from 'node:crypto'
import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { requestConnection as endpoint } from '@deeb/core/team/api'
import type { ConnectionStatus } from '@deeb/core/team/connection'
import { type Db, statement } from '../db/db.ts'
import { retryUntilVisible } from '../db/retry-until-visible.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { deactivatedOf } from '../presence/who-sees.ts'

/*
 * Decides every case in one upsert. A unique index on pairs serializes concurrent requests:
 *
 *     existing row                          result
 *     none                                  pending
 *     pending, from the other               accepted
 *     declined by the actor                 accepted: to its requester it is pending
 *     declined by the actor, taken back     pending, as a new request from the actor
 *     declined by the other, taken back     declined, as a new request that only the actor sees
 *     any other                             unchanged, and refused
 *
 * `for share` locks both profiles, so that neither user changes company between check and insert.
 */
const request = statement(
  'team.request',
  `with colleague as (
    select other.id from profiles as me join profiles as other on other.company_domain = me.company_domain
    where me.id = :userId and other.id = :otherId and other.id <> me.id
      and other.id not in (${deactivatedOf('me.company_domain')})
    for share
  ), made as (
    insert into team_connections as existing (id, requester_id, receiver_id, status, created_at, updated_at)
    select :id, :userId, id, 'pending', :now, :now from colleague
    on conflict (least(requester_id, receiver_id), greatest(requester_id, receiver_id)) do update set
      id = case when existing.taken_back then excluded.id else existing.id end,
      requester_id = case when existing.taken_back then excluded.requester_id else existing.requester_id end,
      receiver_id = case when existing.taken_back then excluded.receiver_id else existing.receiver_id end,
      created_at = case when existing.taken_back then excluded.created_at else existing.created_at end,
      status = case when not existing.taken_back then 'accepted'
        when existing.receiver_id = :userId then 'pending' else 'declined' end,
      taken_back = false,
      updated_at = excluded.updated_at
    where existing.taken_back or (existing.receiver_id = :userId and existing.status <> 'accepted')
    returning id, status
  )
  select made.id as "connectionId", made.status = 'accepted' as "isAccepted", existing.status as existing,
    exists (select from colleague) as "isColleague"
  from (values (0)) as one left join made on true left join team_connections as existing
    on least(requester_id, receiver_id) = least(:userId, :otherId::uuid)
      and greatest(requester_id, receiver_id) = greatest(:userId, :otherId)
  -- No row means that a concurrent transaction changed the pair: the caller retries.
  where made.id is not null or not exists (select from colleague)
    or existing.status = 'accepted' or existing.requester_id = :userId`,
)

interface RequestRow {
  connectionId: string | null
  isAccepted: boolean | null
  existing: ConnectionStatus | null
  isColleague: boolean
}

/**
 * Sends a connection request to a colleague, or accepts theirs. Refuses with `request_exists` or `connection_exists`, and
 * with `not_found` if the other user is no colleague or deactivated. A declined request looks pending to its requester, also when it is taken
 * back and sent again: a decline stays secret.
 */
export async function requestConnection(
  db: Db,
  actor: Actor,
  { userId }: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const values = { userId: actor.userId, otherId: userId, id: randomUUID(), now }
  const row = await retryUntilVisible(() => db.query<RequestRow>(request, values))
  if (!row) throw new Error('A connection request found no visible row after all retries.')
  if (row.connectionId) return { connectionId: row.connectionId, status: row.isAccepted ? 'accepted' : 'pending' }
  if (!row.isColleague) throw new Refusal('not_found')
  throw new Refusal(row.existing === 'accepted' ? 'connection_exists' : 'request_exists')
}
