import type { OutputOf } from '@deeb/core/endpoint'
import type { FocusSession } from '@deeb/core/focus/api'
import { presenceOf } from '@deeb/core/presence/presence'
import type { ConnectionRequest, readTeam as endpoint, SentRequest } from '@deeb/core/team/api'
import type { Person } from '@deeb/core/team/connection'
import type { Actor } from '../actor.ts'
import { type Db, statement } from '../db/db.ts'
import { FOCUS_STATE_COLUMNS, FOCUS_STATE_JOINS, type FocusStateRow, focusState } from '../focus/focus-state.ts'
import { Refusal } from '../refusal.ts'
import { deactivatedOf } from './deactivated.ts'

/** SQL: the members of a person in `json_build_object`, without the id. */
export const PERSON = `'username', username, 'firstName', first_name, 'lastName', last_name, 'email', email`
/** SQL: the order of people. */
export const BY_NAME = 'first_name_key, last_name_key, username_key collate "C", email collate "C"'

/*
 * Correlated subqueries instead of joins: for joins the planner would scan all profiles. `materialized` prevents a parallel
 * plan, whose two extra processes cost twice as much as the read itself.
 */
export const READ_TEAM = statement(
  'team.read',
  `with deactivated as materialized (
    ${deactivatedOf('(select company_domain from profiles where id = :userId)')}
  ), team as materialized (
    select id, person_id from (
      select id, receiver_id as person_id from team_connections where requester_id = :userId and status = 'accepted'
      union all
      select id, requester_id from team_connections where receiver_id = :userId and status = 'accepted'
    ) as connections where person_id not in (select id from deactivated)
  )
  select ${FOCUS_STATE_COLUMNS},
    (select coalesce(json_agg(json_build_object('id', team.id, 'person', json_build_object('id', profiles.id, ${PERSON}),
        'session', (select json_strip_nulls(json_build_object('startedAt', start_time, 'targetMinutes', target_minutes))
          from deeb_sessions where user_id = person_id and is_active),
        'version', (select user_presence.version from user_presence where user_id = person_id)) order by ${BY_NAME}), '[]')
      from team cross join lateral (select * from profiles where profiles.id = person_id offset 0) as profiles) as connections,
    (select coalesce(json_agg(json_build_object('id', waiting.id, ${PERSON}) order by waiting.created_at desc), '[]')
      from team_connections as waiting left join profiles on profiles.id = waiting.requester_id
      where waiting.receiver_id = :userId and waiting.status = 'pending'
        and waiting.requester_id not in (select id from deactivated)) as requests,
    (select coalesce(json_agg(json_build_object('id', asked.id, 'person', json_build_object('id', profiles.id, ${PERSON}))
        order by asked.created_at desc, asked.id), '[]')
      from team_connections as asked
        cross join lateral (select * from profiles where profiles.id = receiver_id offset 0) as profiles
      where asked.requester_id = :userId and asked.status in ('pending', 'declined') and not asked.taken_back
        and asked.receiver_id not in (select id from deactivated)) as sent
  from profiles ${FOCUS_STATE_JOINS}
  where profiles.id = :userId`,
)

interface TeamRow extends FocusStateRow {
  connections: {
    id: string
    person: Person
    session: Pick<FocusSession, 'startedAt' | 'targetMinutes'> | null
    version: number
  }[]
  requests: ConnectionRequest[]
  sent: SentRequest[]
}

/**
 * The data of the team screen: the user's switch, connections by name with presence, and requests to and from the user, newest
 * first. A declined request is in `sent` like a pending one: a decline stays secret. Without
 * users whom the company has deactivated.
 */
export async function readTeam(db: Db, actor: Actor, now: Date): Promise<OutputOf<typeof endpoint>> {
  const [row] = await db.query<TeamRow>(READ_TEAM, { userId: actor.userId })
  if (!row) throw new Refusal('not_signed_in')
  return {
    connections: row.connections.map(({ id, person, session, version }) => ({
      id,
      person,
      presence: presenceOf(session && { ...session, startedAt: new Date(session.startedAt).toISOString() }, version),
    })),
    requests: row.requests,
    sent: row.sent,
    ...focusState(row, now),
  }
}
