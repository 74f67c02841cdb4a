import { CHART_DEFAULT_GOAL_MINUTES } from '@deeb/core/goals/week-of-goals'

/**
 * SQL: the goal of a row of `day (date, day_of_week, ends_at)`. The goal of a past day is the last one saved before its end, else the
 * first one of all; today and later days have the current goals.
 *
 *     goals saved          6h          4h
 *     days          |  Mo  |  Tu  |  We  | now Th |  Fr ...
 *     goal shown      6h     6h     4h     4h       4h
 *
 * Needs GOAL_JOINS, and the parameters `userId` and `now`.
 */
export const GOAL_MINUTES = `coalesce(case when day.ends_at <= :now then coalesce(then_goal.goal_minutes, first_goal.goal_minutes)
  else goal.goal_minutes end, ${CHART_DEFAULT_GOAL_MINUTES})`

export const GOAL_JOINS = `left join daily_goals as goal on goal.user_id = :userId and goal.day_of_week = day.day_of_week
  left join lateral (
    select goal_minutes from daily_goal_history as history
    where history.user_id = :userId and history.day_of_week = day.day_of_week and saved_at < day.ends_at
    order by saved_at desc limit 1) as then_goal on true
  left join lateral (
    select goal_minutes from daily_goal_history as history
    where history.user_id = :userId and history.day_of_week = day.day_of_week
    order by saved_at limit 1) as first_goal on true`
