import { type Db, statement } from '../db/db.ts'
import { pushInsert } from '../push/queue-push.ts'
import { IS_SEEN, isOn, LAPSES_AFTER } from './free-alert.ts'

/** A short pause calls nobody. */
const FREE_FOR = "interval '2 minutes'"
/** That somebody is free is worth a push message for this long. */
export const WORTH_SENDING = "interval '30 minutes'"

/*
 * Triggers delete a wish when two people are no longer colleagues. This finds what they cannot: a deactivated colleague, or circles
 * that are switched off.
 */
const forget = statement('alerts.forget', `delete from free_alerts where not ${IS_SEEN}`)

/*
 * Decides between several servers: the row lock and `due_at is null` let each wish come true once, together with its push messages.
 * A session that the server ended after 16 hours tells nothing about its user. A deleted one ends at its start, so its deletion counts.
 */
const notice = statement(
  'alerts.notice-free',
  `with free as materialized (
    select watcher_id, target_id from free_alerts cross join lateral (
      select greatest(end_time, discarded_at) as free_from, capped from deeb_sessions where user_id = target_id order by start_time desc limit 1) as last
    where due_at is null and asked_at > :now::timestamptz - ${LAPSES_AFTER}
      and free_from <= :now::timestamptz - ${FREE_FOR} and not capped
      and not ${isOn('watcher_id')} and ${IS_SEEN}
    for update of free_alerts skip locked
  ), due as (
    update free_alerts set due_at = :now from free
    where free_alerts.watcher_id = free.watcher_id and free_alerts.target_id = free.target_id and due_at is null
    returning free_alerts.watcher_id as user_id, free_alerts.target_id
  ), queued as (
    ${pushInsert({ kind: "'free'", about: 'target_id', worth: WORTH_SENDING, from: 'due' })}
  )
  select distinct user_id as "userId" from due`,
)

/**
 * Finds wishes that have come true. Call it every 15 seconds. Returns the ids of the watchers, to publish after the commit.
 * `circlesAt` as in who-sees.ts.
 */
export async function noticeFree(db: Db, now: Date, circlesAt: Date | null): Promise<string[]> {
  await db.query(forget, { circlesAt })
  const rows = await db.query<{ userId: string }>(notice, { now, circlesAt })
  return rows.map(({ userId }) => userId)
}
