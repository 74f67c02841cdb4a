import { MAX_SESSION_HOURS } from '@deeb/core/focus/session'
import { ENDED_QUEUED } from '../webhooks/queue-deliveries.ts'

/** SQL: a session that the server ended, and about which its person has not answered. A tombstone asks nothing. */
export const IS_FORGOTTEN = '(capped and not cap_answered and discarded_at is null)'

export const CAP = `interval '${MAX_SESSION_HOURS} hours'`

/** The columns that a CTE named `closed` (an `update deeb_sessions`) must return before SETTLE_CLOSED. */
export const CLOSED_COLUMNS = 'user_id, id, start_time, end_time, capped, start_date, next_date, next_date_starts_at'

/**
 * Three CTEs that follow `closed`: they switch presence off, add the time of the closed sessions to the daily totals, and queue the
 * event for webhooks. Needs `:now`.
 *
 *     start_time        next_date_starts_at      end_time
 *        |----- start_date -----|----- next_date ----|
 *
 * If a session ends before the boundary, start_date gets its whole length and next_date nothing.
 *
 * Lock order: sessions, then presence, then daily totals. Every writer keeps it, which prevents deadlocks. `counted` reads
 * `absent` only to run after it.
 */
export const SETTLE_CLOSED = `absent as (
    update user_presence as presence set current_session_id = null from closed
    where presence.user_id = closed.user_id and current_session_id = closed.id
    returning presence.user_id
  ), counted as (
    insert into daily_stats as stats (user_id, date, total_seconds)
    select user_id, date, extract(epoch from part)
    from closed cross join lateral (values
      (start_date, least(end_time, next_date_starts_at) - start_time),
      (next_date, end_time - next_date_starts_at)) as parts (date, part)
    where part > interval '0' and (select count(*) from absent) is not null
    on conflict (user_id, date) do update set total_seconds = stats.total_seconds + excluded.total_seconds
  ), queued as (
    ${ENDED_QUEUED('closed')}
  )`
