import { UNTOUCHED_HOURS } from '@deeb/core/sessions/still-on'
import { type Db, statement } from '../db/db.ts'
import { pushInsert } from '../push/queue-push.ts'
import { WORTH_SENDING } from './notice-free.ts'

/**
 * SQL: a row of deeb_sessions may be forgotten. It is the cause `untouched` of `stillOnCause`, for which the open app asks "Still in
 * deeb mode?".
 */
export const IS_UNTOUCHED = `(is_active
  and greatest(start_time, last_touch_at) <= :now::timestamptz - interval '${UNTOUCHED_HOURS} hours'
  and (target_minutes is null or start_time + target_minutes * interval '1 minute' <= :now::timestamptz)
  and not 'untouched' = any(coalesce(still_on_answers, '{}')))`

/* Decides between several servers, and once per session: by the row lock and `reminded_at`. */
const remind = statement(
  'alerts.remind-still-on',
  `with due as materialized (
    select user_id, id from deeb_sessions
    where ${IS_UNTOUCHED} and reminded_at is null
      -- For the index of open sessions.
      and start_time <= :now::timestamptz - interval '${UNTOUCHED_HOURS} hours'
      and exists (select from profiles where profiles.id = deeb_sessions.user_id and still_on_reminders)
      and exists (select from push_subscriptions where push_subscriptions.user_id = deeb_sessions.user_id)
    for update skip locked
  ), reminded as (
    update deeb_sessions as session set reminded_at = :now from due
    where session.user_id = due.user_id and session.id = due.id and session.is_active
    returning session.user_id, session.id
  )
  ${pushInsert({ kind: "'still-on'", about: 'id', worth: WORTH_SENDING, from: 'reminded' })} returning 1`,
)

/** Queues push messages to people who may have forgotten that deeb mode is on, once per session. Returns whether there are any. */
export async function remindStillOn(db: Db, now: Date): Promise<boolean> {
  return (await db.query(remind, { now })).length > 0
}
