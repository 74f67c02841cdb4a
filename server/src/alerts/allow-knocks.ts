import type { allowKnocks as endpoint } from '@deeb/core/alerts/knock-api'
import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'

/* The locks keep a connection or membership that ends concurrently from failing the insert. A profile is locked before either. */
const allow = statement(
  'alerts.allow-knocks',
  `with held as materialized (
    select id from profiles where id = :userId for key share
  ), connection as (
    select team_connections.id from team_connections, held
    where team_connections.id = :id and held.id in (requester_id, receiver_id) and status = 'accepted' for key share of team_connections
  ), membership as (
    select circle_id from circle_members, held where circle_id = :id and user_id = held.id for key share of circle_members
  ), stored as (
    insert into knock_allowances (user_id, id, connection_id, circle_id)
    select :userId::uuid, id, id, null from connection union all select :userId, circle_id, null, circle_id from membership
    on conflict (user_id, id) do nothing
  )
  select from connection union all select from membership`,
)

const withdraw = statement(
  'alerts.withdraw-knocks',
  'delete from knock_allowances where user_id = :userId and id = :id',
)

/** Lets the people of a connection or circle of the actor knock, or not any more. Refuses with `not_found` for any other. */
export async function allowKnocks(
  db: Db,
  { userId }: Actor,
  { id, isAllowed }: InputOf<typeof endpoint>,
): Promise<OutputOf<typeof endpoint>> {
  const found = await db.query(isAllowed ? allow : withdraw, { userId, id })
  if (isAllowed && found.length === 0) throw new Refusal('not_found')
  return { isAllowed }
}
