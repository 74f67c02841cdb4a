import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import { dateAfter, localWeekFrom, mondayAt } from '@deeb/core/focus/split-by-day'
import { CHART_DEFAULT_GOAL_MINUTES } from '@deeb/core/goals/week-of-goals'
import { type CountedWeek, companyAverageOf } from '@deeb/core/report/figures'
import type { readWeek as endpoint } from '@deeb/core/stats/api'
import { averageWeekMinutes } from '@deeb/core/stats/averages'
import { isWeek, mondayAfter, WEEKS_IN_LINE } from '@deeb/core/stats/weeks'
import type { ReportConfig } from '../config/config.ts'
import { type Db, lookup } from '../db/db.ts'
import { FOCUS_STATE_COLUMNS, FOCUS_STATE_JOINS, type FocusStateRow, focusState } from '../focus/focus-state.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { timeZoneOf } from '../profile/time-zone-of.ts'
import { countedWeeks, hasTenMembers, oldestWeek } from '../report/counted-weeks.ts'
import { focusDay } from './focus-day.ts'
import { GOAL_JOINS, GOAL_MINUTES } from './goal-of-day.ts'

/*
 * Parameters: the seven dates of the shown week, their days of the week, and the instants at which they end.
 *
 * Everything else is about the weeks before the current one, whichever week is shown. Their average = saved sums of all weeks,
 * minus the current week and later ones (travellers have those). So the cost of the read does not grow with the history.
 */
const read = lookup(
  'stats.read-week',
  `select
    (select json_agg(json_build_object(
        'savedSeconds', coalesce(total_seconds, 0),
        'goalMinutes', ${GOAL_MINUTES}) order by day_number)
      from unnest(:dates::text[], :daysOfWeek::int[], :ends::timestamptz[]) with ordinality
        as day (date, day_of_week, ends_at, day_number)
      left join daily_stats as stats on stats.user_id = :userId and stats.date = day.date
      ${GOAL_JOINS}) as days,
    coalesce(focus_totals.total_minutes, 0) - recent.minutes as "earlierMinutes",
    coalesce(active_weeks, 0) - recent.weeks as "earlierCount",
    first_week.week_start as "firstWeek",
    coalesce((select json_agg(coalesce(total_minutes, 0) order by monday)
      from unnest(:earlierMondays::text[]) as earlier (monday)
      left join weekly_stats as sums on sums.user_id = :userId and sums.week_start = monday
      where monday >= first_week.week_start), '[]') as "earlierWeeksMinutes",
    (select json_agg(coalesce(total_minutes, 0) order by last_week.date)
      from unnest(:lastWeekDates::text[]) as last_week (date)
      left join daily_stats as stats on stats.user_id = :userId and stats.date = last_week.date) as "lastWeekMinutes",
    company_domain as "companyDomain",
    case when ${hasTenMembers('profiles.company_domain')} then ${countedWeeks('profiles.company_domain')} else '[]' end
      as "countedWeeks",
    ${FOCUS_STATE_COLUMNS}
  from profiles ${FOCUS_STATE_JOINS}
  left join focus_totals on focus_totals.user_id = profiles.id
  cross join lateral (
    select coalesce(sum(total_minutes), 0)::int as minutes, (count(*) filter (where total_minutes > 0))::int as weeks
    from weekly_stats where user_id = :userId and week_start >= :thisWeek) as recent
  left join lateral (
    select week_start from weekly_stats where user_id = :userId and week_start < :thisWeek and total_minutes > 0
    order by week_start limit 1) as first_week on true
  where profiles.id = :userId`,
)

interface WeekRow extends FocusStateRow {
  days: { savedSeconds: number; goalMinutes: number }[]
  earlierMinutes: number
  earlierCount: number
  firstWeek: string | null
  earlierWeeksMinutes: number[]
  lastWeekMinutes: number[]
  companyDomain: string | null
  countedWeeks: CountedWeek[]
}

/**
 * The data of the profile screen: a week in `timeZone`, the current one by default, and the weeks before the current one. Refuses
 * with `invalid_time_zone`, and with `invalid_input` for a `week` that is no Monday or in the future.
 */
export async function readWeek(
  db: Db,
  actor: Actor,
  { week: monday, ...device }: InputOf<typeof endpoint>,
  settings: ReportConfig,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const timeZone = await timeZoneOf(db, actor, device, now)
  const thisWeek = mondayAt(now, timeZone)
  const shown = monday ?? thisWeek
  if (!isWeek(shown) || shown > thisWeek) {
    const message = 'Name the current or an earlier week by the date of its Monday.'
    throw new Refusal('invalid_input', [{ path: 'week', message }])
  }
  const week = localWeekFrom(shown, timeZone)
  const lastWeek = mondayAfter(thisWeek, -1)
  const [row] = await db.query<WeekRow>(read, {
    userId: actor.userId,
    dates: week.map((day) => day.date),
    daysOfWeek: week.map((day) => day.dayOfWeek),
    ends: week.map((day) => day.endsAt),
    thisWeek,
    earlierMondays: Array.from({ length: WEEKS_IN_LINE - 1 }, (_, n) => mondayAfter(thisWeek, n + 1 - WEEKS_IN_LINE)),
    lastWeekDates: Array.from({ length: 7 }, (_, n) => dateAfter(lastWeek, n)),
    oldestWeek: oldestWeek(now),
    now,
  })
  if (!row) throw new Refusal('not_signed_in')
  const average = settings.isOn ? companyAverageOf(row.countedWeeks) : null
  return {
    week: week.map((day, n) => {
      const { savedSeconds = 0, goalMinutes = CHART_DEFAULT_GOAL_MINUTES } = row.days[n] ?? {}
      return { ...focusDay(day, savedSeconds), goalMinutes }
    }),
    averageWeekMinutes: averageWeekMinutes({ totalMinutes: row.earlierMinutes, count: row.earlierCount }),
    firstWeek: row.firstWeek,
    earlierWeeksMinutes: row.earlierWeeksMinutes,
    lastWeekMinutes: row.lastWeekMinutes,
    earlierWeeks: row.earlierCount,
    companyAverage: average && row.companyDomain !== null ? { domain: row.companyDomain, ...average } : null,
    ...focusState(row, now),
  }
}
