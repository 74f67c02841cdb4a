import { type CountedWeek, MAX_MINUTES, NOISE, WHOLE } from '@deeb/core/report/figures'
import type { ReportConfig } from '../config/config.ts'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'

const read = statement(
  'report.read-weeks',
  `select me.company_domain as domain, week_start, members, people, minutes, goals, times, days, blur, counted_at
  from profiles as me left join company_weeks using (company_domain) where me.id = :userId order by week_start`,
)

interface WeekRow extends Omit<CountedWeek, 'week'> {
  domain: string | null
  /** Null in the one row of a company without a counted week. */
  week_start: string | null
  counted_at: Date
}

const COLUMNS = [
  ...['week', 'members', 'people', 'minutes', 'goals'],
  ...['before_8', '8_to_10', '10_to_12', '12_to_14', '14_to_16', '16_to_18', 'after_18'],
  ...['monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'weekend'],
  ...['blur', 'counted_at'],
]

const MEANING =
  'Every number but members was moved by chance before it was saved, so it may be negative. On average it was moved by: ' +
  `people and goals blur; minutes ${NOISE.minutes} x blur; each time of day and each day ${NOISE.bars} x blur. ` +
  `One person adds at most 1 to people and to goals, ${MAX_MINUTES} to minutes, ${WHOLE} to the times of day in all, ` +
  `and ${WHOLE} to the days in all.`

/**
 * Reads all counted weeks of the actor's company as they are stored, as CSV: a line that says what they mean, the names of the columns, a
 * line per week. Refuses with `not_found` without a company, and where the report is off.
 */
export async function readWeeks(db: Db, { userId }: Actor, { isOn }: ReportConfig): Promise<string> {
  const rows = await db.query<WeekRow>(read, { userId })
  const domain = rows[0]?.domain
  if (!isOn || !domain) throw new Refusal('not_found')
  const weeks = rows
    .filter(({ week_start }) => week_start !== null)
    .map(({ week_start, members, people, minutes, goals, times, days, blur, counted_at }) =>
      [week_start, members, people, minutes, goals ?? '', ...times, ...days, blur, counted_at.toISOString()].join(','),
    )
  return [`"The counted weeks of ${domain}. ${MEANING}"`, COLUMNS.join(','), ...weeks, ''].join('\r\n')
}
