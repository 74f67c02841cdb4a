import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { saveGoals as endpoint } from '@deeb/core/goals/api'
import type { Actor } from '../actor.ts'
import { type Db, statement } from '../db/db.ts'
import { Refusal } from '../refusal.ts'

const save = statement(
  'goals.save',
  `insert into daily_goals (user_id, day_of_week, goal_minutes)
  select $1, * from unnest($2::int[], $3::int[])
  on conflict (user_id, day_of_week) do update set goal_minutes = excluded.goal_minutes`,
)

/** Writes the goals of all seven days. Refuses with `invalid_input` when a day is named twice, so another is missing. */
export async function saveGoals(
  db: Db,
  actor: Actor,
  input: InputOf<typeof endpoint>,
): Promise<OutputOf<typeof endpoint>> {
  const goals = input.goals.toSorted((a, b) => a.dayOfWeek - b.dayOfWeek)
  const days = goals.map((goal) => goal.dayOfWeek)
  if (new Set(days).size !== days.length) {
    throw new Refusal('invalid_input', [{ path: 'goals', message: 'Name each of the seven days once.' }])
  }
  await db.query(save, [actor.userId, days, goals.map((goal) => goal.goalMinutes)])
  return { goals }
}
