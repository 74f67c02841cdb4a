import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import { localDateOf } from '@deeb/core/focus/split-by-day'
import type { saveGoals as endpoint } from '@deeb/core/goals/api'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { timeZoneOf } from '../profile/time-zone-of.ts'

/*
 * Writes the current goals and their history in one statement:
 *
 * - `saved` upserts the goals. The upsert locks each row, and `greatest` never lets `saved_at` decrease. The history
 *   takes its values from here, so of two concurrent saves the same one is last in both tables.
 * - `replaced` deletes history from after now, of a clock that was set back. A later date of a zone further east stays: the days that
 *   ended since had that goal.
 * - The history has one row per local date: the goal of a past day is that of the last save before its end.
 */
const save = statement(
  'goals.save',
  `with saved as (
    insert into daily_goals as goal (user_id, day_of_week, goal_minutes, saved_at)
    select :userId, day_of_week, goal_minutes, :now
    from unnest(:days::int[], :minutes::int[]) as day (day_of_week, goal_minutes)
    on conflict (user_id, day_of_week) do update
    set goal_minutes = excluded.goal_minutes, saved_at = greatest(goal.saved_at, excluded.saved_at)
    returning user_id, day_of_week, goal_minutes, saved_at
  ), replaced as (
    delete from daily_goal_history where user_id = :userId and saved_on > :localDate and saved_at > :now
  )
  insert into daily_goal_history as history (user_id, day_of_week, goal_minutes, saved_at, saved_on)
  select user_id, day_of_week, goal_minutes, saved_at, :localDate from saved
  on conflict (user_id, day_of_week, saved_on) do update
  set goal_minutes = excluded.goal_minutes, saved_at = greatest(history.saved_at, excluded.saved_at)`,
)

/**
 * Saves the goals of all seven days. Idempotent. Refuses with `invalid_input` if a day occurs twice, and with
 * `invalid_time_zone` (see `timeZoneOf`).
 */
export async function saveGoals(
  db: Db,
  actor: Actor,
  input: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const goals = input.goals.toSorted((a, b) => a.dayOfWeek - b.dayOfWeek)
  const days = goals.map((goal) => goal.dayOfWeek)
  if (new Set(days).size !== days.length) {
    throw new Refusal('invalid_input', [{ path: 'goals', message: 'Name each of the seven days once.' }])
  }
  const { timeZone: name = 'UTC', utcOffset } = input
  const timeZone = await timeZoneOf(db, actor, { timeZone: name, utcOffset }, now)
  const minutes = goals.map((goal) => goal.goalMinutes)
  await db.query(save, { userId: actor.userId, days, minutes, now, localDate: localDateOf(now, timeZone) })
  return { goals }
}
