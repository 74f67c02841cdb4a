import type { Knocks } from '@deeb/core/alerts/knock-api'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { deactivatedAmong, seenInCircles } from '../presence/who-sees.ts'
import { PERSON } from '../profile/person.ts'

/** A knock is forgotten after that. */
export const KEPT_FOR = "interval '1 hour'"

/** SQL: a row of knocks still waits for its answer, or for the sender to see it. */
export const IS_FRESH = `(asked_at > :now::timestamptz - ${KEPT_FOR})`

/** SQL: deletes the knocks with `condition`, and the push messages about them, as `gone`. */
export function forgetting(condition: string): string {
  return `gone as (
    delete from knocks where ${condition} returning id, sender_id, receiver_id
  ), unsent as (
    delete from push_messages using gone where user_id in (sender_id, receiver_id) and about = gone.id
  )`
}

/** SQL: the ids of everybody at whom `person` may knock while they are in deeb mode, each once. With `:circlesAt`. */
function whoMayBeKnocked(person: string): string {
  return `select knock_allowances.user_id from team_connections join knock_allowances on connection_id = team_connections.id
    where (requester_id = ${person} or receiver_id = ${person}) and status = 'accepted' and knock_allowances.user_id <> ${person}
    union select knock_allowances.user_id from (${seenInCircles(person)}) as seen join knock_allowances using (user_id, circle_id)`
}

/** SQL: the receiver of a row of knocks lets its sender knock, and the company has deactivated neither. With `:circlesAt`. */
export const IS_ALLOWED = `(receiver_id in (${whoMayBeKnocked('sender_id')})
  and not exists (${deactivatedAmong('sender_id, receiver_id')}))`

const read = statement(
  'alerts.read-knocks',
  `select
    (select coalesce(json_agg(id order by id), '[]') from knock_allowances where user_id = :userId) as allowed,
    (select coalesce(json_agg(user_id order by user_id), '[]') from (${whoMayBeKnocked(':userId')}) as receivers
      where not exists (${deactivatedAmong('user_id')})) as "mayKnock",
    (select coalesce(json_agg(json_build_object('id', profiles.id, ${PERSON}) order by asked_at, knocks.id), '[]')
      from knocks join profiles on profiles.id = sender_id
      where receiver_id = :userId and answer is null and ${IS_FRESH} and ${IS_ALLOWED}) as received,
    (select coalesce(json_agg(json_build_object('userId', receiver_id, 'answer', answer) order by asked_at, id), '[]')
      from knocks where sender_id = :userId and ${IS_FRESH} and (answer is not null
        or session_id in (select id from deeb_sessions where user_id = receiver_id and is_active))) as sent`,
)

const forget = statement(
  'alerts.forget-knocks',
  `with ${forgetting(`not ${IS_FRESH}`)}
  select sender_id as "userId" from gone union select receiver_id from gone`,
)

/** Reads the knocks from and to the actor, and who may knock. */
export async function readKnocks(db: Db, { userId }: Actor, now: Date, circlesAt: Date | null): Promise<Knocks> {
  const [row] = await db.query<Knocks>(read, { userId, now, circlesAt })
  return row ?? { allowed: [], mayKnock: [], received: [], sent: [] }
}

/** Forgets the knocks of an hour ago. Call it every 15 seconds. Returns the ids of both sides, to publish after the commit. */
export async function forgetKnocks(db: Db, now: Date): Promise<string[]> {
  const rows = await db.query<{ userId: string }>(forget, { now })
  return rows.map(({ userId }) => userId)
}
