import { MAX_SESSION_HOURS } from '@deeb/core/focus/session'

export const CAP = `interval '${MAX_SESSION_HOURS} hours'`

/** What an `update deeb_sessions` in a CTE named `closed` must return for SETTLE_CLOSED to follow it. */
export const CLOSED_COLUMNS = 'user_id, id, start_time, end_time, start_date, next_date, next_date_starts_at'

/**
 * The CTEs that make presence and totals agree with the sessions in `closed`.
 *
 *     start_time        next_date_starts_at      end_time
 *        |----- start_date -----|----- next_date ----|
 *
 * A session that ends before the boundary gives its whole length to start_date and nothing to next_date.
 *
 * All that changes both locks sessions, then presence, then days, or two would wait for each other: `counted` reads `absent`
 * for no other reason.
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
  )`
