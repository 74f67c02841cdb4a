import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { quitConnection as endpoint } from '@deeb/core/team/api'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { inCirclesOf } from '../presence/who-sees.ts'

/* Locks both profiles before the connection, as a change of company does, which prevents deadlocks. */
const quit = statement(
  'team.quit',
  `with wanted as materialized (
    select id, case when requester_id = :userId then receiver_id else requester_id end as other_id from team_connections
    where id = :connectionId and :userId in (requester_id, receiver_id) and status = 'accepted'
  ), held as materialized (
    select profiles.id from profiles, wanted where profiles.id in (:userId, other_id) order by profiles.id for key share of profiles
  ), gone as (
    delete from team_connections using wanted
    where team_connections.id = wanted.id and (select count(*) from held) > 0 returning other_id
  ), hidden as (
    insert into hidden_people (user_id, hidden_from, created_at)
    select :userId, other_id, :now from gone where other_id in (${inCirclesOf(':userId')})
    on conflict do nothing
  )
  select other_id as "otherId" from gone`,
)

/**
 * Deletes an accepted connection of the actor. If the two share a circle, the actor hides from the other there too: they no longer see
 * each other anywhere. Idempotent. `otherId` is the other user, or null if there was no connection.
 */
export async function quitConnection(
  db: Db,
  actor: Actor,
  { connectionId }: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint> & { otherId: string | null }> {
  const [gone] = await db.query<{ otherId: string }>(quit, { userId: actor.userId, connectionId, now })
  return { quit: true, otherId: gone?.otherId ?? null }
}
