import { MAX_SESSION_HOURS } from '@deeb/core/focus/session'
import { type Db, statement } from '../db/db.ts'
import { deliveryInsert } from './queue-deliveries.ts'

/** A switch that arrives late can still reach the goal of the day before. */
const LOOKS_BACK = "interval '36 hours'"

/** SQL: the users who want `goal.reached`. */
const WANTS_GOALS = "off_reason is null and 'goal.reached' = any(events)"

/**
 * SQL: the CTEs `touched` and `noted` after a CTE `people` (user_id). `noted` has each day that reaches its goal and was not noted
 * before. A session has two local dates at most:
 *
 *     start_time        next_date_starts_at      end_time or now
 *        |----- start_date -----|----- next_date ----|
 *
 * The goal of a day is as in the week: of a past day the last goal saved before its end, else the current one.
 * Only for that choice, `next_date` has 24 hours.
 */
const NOTED = `touched as (
    select user_id, date, max(ends_at) as ends_at, sum(case when end_time is null then greatest(running, interval '0') else interval '0' end) as running
    from people join deeb_sessions using (user_id) cross join lateral (values
      (start_date, start_time, next_date_starts_at, least(:now, next_date_starts_at) - start_time),
      (next_date, next_date_starts_at, next_date_starts_at + interval '24 hours', :now - next_date_starts_at)
    ) as part (date, begins_at, ends_at, running)
    where coalesce(end_time, :now) > :now::timestamptz - ${LOOKS_BACK} and begins_at < coalesce(end_time, :now)
      and start_time > :now::timestamptz - ${LOOKS_BACK} - interval '${MAX_SESSION_HOURS} hours'
    group by user_id, date
  ), reached as (
    select user_id, date, goal_minutes, (seconds / 60)::int as minutes from touched
    cross join lateral (select extract(epoch from running)::int + coalesce((select total_seconds from daily_stats as stats
      where stats.user_id = touched.user_id and stats.date = touched.date), 0) as seconds) as day
    cross join lateral (select case when ends_at <= :now then (
        select goal_minutes from daily_goal_history as history
        where history.user_id = touched.user_id and day_of_week = extract(dow from date::date) and saved_at < ends_at
        order by saved_at desc limit 1)
      else (select goal_minutes from daily_goals as goal
        where goal.user_id = touched.user_id and day_of_week = extract(dow from date::date)) end as goal_minutes) as goal
    where goal_minutes > 0 and seconds >= goal_minutes * 60
  ), noted as (
    insert into webhook_goal_days (user_id, date, noted_at) select user_id, date, :now from reached
    on conflict do nothing returning user_id, date
  )`

/* Decides between several servers, and once per local day: the primary key of webhook_goal_days. */
const notice = statement(
  'webhooks.notice-goals',
  `with people as materialized (
    select distinct user_id from webhook_endpoints where ${WANTS_GOALS}
  ), ${NOTED}, found as (
    select user_id, date, minutes, goal_minutes from noted join reached using (user_id, date)
  ), queued as (
    ${deliveryInsert({
      type: 'goal.reached',
      data: "jsonb_build_object('date', date, 'minutes', minutes, 'goalMinutes', goal_minutes)",
      from: 'found',
    })}
  )
  select count(*)::int as count from found`,
)

/** Queues `goal.reached` for each day that has reached its goal. Call it every 15 seconds. Returns the number of days. */
export async function noticeGoals(db: Db, now: Date): Promise<number> {
  const [row] = await db.query<{ count: number }>(notice, { now })
  return row?.count ?? 0
}

const noteEarlier = statement(
  'webhooks.note-earlier-goals',
  `with people as materialized (
    select id as user_id from profiles
    where id = :userId and not exists (select from webhook_endpoints where user_id = :userId and ${WANTS_GOALS})
  ), ${NOTED}
  select from noted`,
)

/** Notes the days that reached their goal before the user wanted to know. Call it in the transaction that changes an endpoint, before that. */
export async function noteEarlierGoals(db: Db, userId: string, now: Date): Promise<void> {
  await db.query(noteEarlier, { userId, now })
}
