import type { OutputOf } from '@deeb/core/endpoint'
import { type readPeople as endpoint, MAX_COUNTED, MAX_SUGGESTED } from '@deeb/core/team/api'
import type { Person } from '@deeb/core/team/connection'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { deactivatedOf } from '../presence/who-sees.ts'
import { PERSON } from '../profile/person.ts'
import { BY_NAME } from './read-team.ts'

/** SQL: the next colleagues on one side of the actor's id, by the index on `company_domain, id`. */
function nextColleagues(comparison: '>' | '<'): string {
  return `(select profiles.* from profiles where company_domain = (select company_domain from me) and id ${comparison} :userId
    and id not in (select id from known) order by id limit ${MAX_SUGGESTED})`
}

/*
 * Suggests the colleagues who follow the actor in the order of ids, and after the last the first ones. Ids are random. So
 * everybody is suggested to as few others as possible, the same ones each time, and the order reveals nothing.
 *
 * `known` depends on what the actor sees only: a request that was declined by the other is like a pending one.
 */
export const READ_PEOPLE = statement(
  'team.read-people',
  `with me as (
    select company_domain from profiles where id = :userId
  ), deactivated as materialized (
    ${deactivatedOf('(select company_domain from me)')}
  ), known as materialized (
    select receiver_id as id from team_connections where requester_id = :userId and not taken_back
    union all
    select requester_id from team_connections where receiver_id = :userId
    union all select id from deactivated
  ), suggested as (
    select * from (
      select 1 as turn, * from ${nextColleagues('>')} as later union all select 2, * from ${nextColleagues('<')} as earlier
    ) as ring order by turn, id limit ${MAX_SUGGESTED}
  )
  select (select count(*)::int from (
      select from profiles where company_domain = (select company_domain from me)
        and id not in (select id from deactivated) order by id limit ${MAX_COUNTED + 1}
    ) as counted) as count,
    (select coalesce(json_agg(json_build_object('id', id, ${PERSON}) order by ${BY_NAME}), '[]') from suggested) as people`,
)

/** Counts the people of the actor's company, and suggests up to six who have no connection or request with the actor. */
export async function readPeople(db: Db, actor: Actor): Promise<OutputOf<typeof endpoint>> {
  const [row] = await db.query<{ count: number; people: Person[] }>(READ_PEOPLE, { userId: actor.userId })
  return row ?? { count: 0, people: [] }
}
