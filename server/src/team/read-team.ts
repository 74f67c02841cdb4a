import type { OutputOf } from '@deeb/core/endpoint'
import type { FocusSession } from '@deeb/core/focus/api'
import { presenceOf } from '@deeb/core/presence/presence'
import type {
  CirclePerson,
  Connection,
  ConnectionRequest,
  readTeam as endpoint,
  Newcomer,
  SentRequest,
  TeamCircle,
} from '@deeb/core/team/api'
import type { Person } from '@deeb/core/team/connection'
import { type Db, statement } from '../db/db.ts'
import { FOCUS_STATE_COLUMNS, FOCUS_STATE_JOINS, type FocusStateRow, focusState } from '../focus/focus-state.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { circlesAt, deactivatedOf, hiddenWith, OTHER_MEMBERS, seenInCircles } from '../presence/who-sees.ts'
import { PERSON } from '../profile/person.ts'
import { withIsoTimes } from '../quiet/quiet-times.ts'

/** SQL: the order of people. */
export const BY_NAME = 'first_name_key, last_name_key, username_key collate "C", email collate "C"'

/** SQL: the members of `person_id` and of `circle_ids`, which may be null, in `json_build_object`. */
const SEEN_PERSON = `'person', json_build_object('id', profiles.id, ${PERSON}),
  'session', (select json_strip_nulls(json_build_object('startedAt', start_time, 'targetMinutes', target_minutes))
    from deeb_sessions where user_id = person_id and is_active),
  'circleIds', coalesce(circle_ids, '[]')`
const PROFILE_OF_PERSON =
  'cross join lateral (select * from profiles where profiles.id = person_id offset 0) as profiles'

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
  ), through as materialized (
    select user_id as person_id, json_agg(circle_id order by circle_id) as circle_ids
    from (${seenInCircles(':userId')}) as seen where user_id not in (select id from deactivated) group by user_id
  ), own as materialized (
    select circle_id, (select name from circles where id = circle_id) as name, visible_from from circle_members
    where user_id = :userId and :circlesAt::timestamptz is not null
  )
  select ${FOCUS_STATE_COLUMNS},
    (select coalesce(json_agg(json_build_object('id', team.id, ${SEEN_PERSON}) order by ${BY_NAME}), '[]')
      from team left join through using (person_id) ${PROFILE_OF_PERSON}) as connections,
    (select coalesce(json_agg(json_build_object(${SEEN_PERSON}) order by ${BY_NAME}), '[]')
      from through ${PROFILE_OF_PERSON} where person_id not in (select person_id from team)) as "throughCircles",
    (select coalesce(json_agg(json_build_object('id', circle_id, 'name', name, 'visibleFrom', visible_from,
          'quiet', (select coalesce(json_agg(json_build_object('startsAt', starts_at, 'endsAt', ends_at) order by starts_at, ends_at), '[]')
            from quiet_times where quiet_times.circle_id = own.circle_id and ends_at > :circlesAt))
        order by lower(name) collate "C", circle_id), '[]') from own) as circles,
    (select coalesce(json_agg(json_build_object('circleId', own.circle_id, 'visibleFrom', greatest(own.visible_from, other.visible_from),
        'person', json_build_object('id', profiles.id, ${PERSON})) order by other.visible_from, ${BY_NAME}), '[]')
      from own ${OTHER_MEMBERS} join profiles on profiles.id = other.user_id
      where other.user_id <> :userId and other.visible_from > :circlesAt and other.user_id not in (select id from deactivated)
        and other.user_id not in (${hiddenWith(':userId')})) as newcomers,
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

/** Somebody whom the actor sees, as the database returns them. */
interface SeenRow {
  person: Person
  session: Pick<FocusSession, 'startedAt' | 'targetMinutes'> | null
  circleIds: string[]
}

interface TeamRow extends FocusStateRow {
  connections: (SeenRow & { id: string })[]
  throughCircles: SeenRow[]
  circles: (Omit<TeamCircle, 'quiet'> & { quiet: { startsAt: string; endsAt: string }[] })[]
  newcomers: Newcomer[]
  requests: ConnectionRequest[]
  sent: SentRequest[]
}

/**
 * The data of the team screen: the user's switch, connections and people in circles by name with presence, and requests to and from
 * the user, newest first. A declined request is in `sent` like a pending one: a decline stays secret. Without
 * users whom the company has deactivated.
 */
export async function readTeam(
  db: Db,
  { userId }: Actor,
  circleSize: number,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const [row] = await db.query<TeamRow>(READ_TEAM, { userId, circlesAt: circlesAt(circleSize, now) })
  if (!row) throw new Refusal('not_signed_in')
  return {
    connections: row.connections.map(({ id, ...seen }): Connection => ({ id, ...seenPerson(seen, now) })),
    requests: row.requests,
    sent: row.sent,
    throughCircles: row.throughCircles.map((seen) => seenPerson(seen, now)),
    circles: row.circles.map(({ quiet, ...circle }) => ({ ...withIsoTime(circle), quiet: quiet.map(withIsoTimes) })),
    newcomers: row.newcomers.map(withIsoTime),
    circleSize,
    ...focusState(row, now),
  }
}

function seenPerson({ person, session, circleIds }: SeenRow, now: Date): CirclePerson {
  const openSession = session && { ...session, startedAt: new Date(session.startedAt).toISOString() }
  return { person, presence: presenceOf(openSession, now), circleIds }
}

function withIsoTime<Visible extends { visibleFrom: string }>(row: Visible): Visible {
  return { ...row, visibleFrom: new Date(row.visibleFrom).toISOString() }
}
