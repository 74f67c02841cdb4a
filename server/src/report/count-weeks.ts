import { mondayAt } from '@deeb/core/focus/split-by-day'
import { MIN_MEMBERS, NOISE } from '@deeb/core/report/figures'
import { comingMonday, mondayAfter } from '@deeb/core/stats/weeks'
import type { ReportConfig } from '../config/config.ts'
import { type Db, isAboutData, statement } from '../db/db.ts'
import { hasTenMembers } from './counted-weeks.ts'
import { drawNoise } from './noise.ts'
import { sumUp } from './sum-up.ts'

const HOUR_MS = 3_600_000
/** From the Monday of a week to the Thursday after it. */
const COUNTED_AFTER_DAYS = 10
/** Older weeks are not counted any more. */
const MAX_WEEKS_BACK = 8

const start = statement(
  'report.start',
  `insert into company_reports (company_domain, first_week)
  select company_domain, :comingMonday::text from profiles
  where company_domain is not null and company_domain not in (select company_domain from company_reports)
    and id not in (select id from auth.users where deactivated_at is not null)
  group by company_domain having count(*) >= ${MIN_MEMBERS}
  on conflict do nothing`,
)

const postpone = statement(
  'report.postpone',
  'update company_reports set first_week = :comingMonday where first_week < :comingMonday',
)

const readDue = statement(
  'report.due',
  `select company_domain as domain, monday from company_reports as report cross join unnest(:mondays::text[]) as week (monday)
  where monday >= first_week and not exists (
      select from company_weeks as counted where counted.company_domain = report.company_domain and week_start = monday)
    and ${hasTenMembers('report.company_domain')}
  order by monday, company_domain`,
)

/* Of two servers that count the same week, the first row stays: nobody ever sees a second draw of its noise. */
const save = statement(
  'report.save-week',
  `insert into company_weeks (company_domain, week_start, members, people, minutes, goals, times, days, blur, counted_at)
  values (:domain, :monday, :members, :people, :minutes, :goals, :times::int[], :days::int[], :blur, :now)
  on conflict do nothing`,
)

/**
 * Counts every finished week of every company that was not counted yet, and starts the report of companies that have reached ten
 * accounts. Idempotent, and safe on several servers. Call it about once an hour; `signal` ends it between two batches of people.
 * Throws at the end if a week could not be counted.
 */
export async function countWeeks(db: Db, settings: ReportConfig, now: Date, signal?: AbortSignal): Promise<void> {
  const params = { comingMonday: comingMonday(now) }
  // So that no week of this time is ever counted, once the report is on again.
  if (!settings.isOn) return void (await db.query(postpone, params))
  await db.query(start, params)
  const lastMonday = mondayAt(new Date(now.getTime() - COUNTED_AFTER_DAYS * 24 * HOUR_MS), 'UTC')
  const mondays = Array.from({ length: MAX_WEEKS_BACK }, (_, n) => mondayAfter(lastMonday, -n))
  const failures: unknown[] = []
  for (const { domain, monday } of await db.query<{ domain: string; monday: string }>(readDue, { mondays })) {
    try {
      await countWeek(db, domain, monday, settings, now, signal)
    } catch (error) {
      // Rows that cannot be summed up stop the count of their company only. Anything else would fail for all of them.
      if (!isAboutData(error)) throw error
      failures.push(error)
    }
  }
  if (failures.length > 0)
    throw new AggregateError(failures, `${failures.length} weeks of companies could not be counted.`)
}

/*
 * In no transaction: it would hold the one connection of the embedded database. The gate is the number of accounts, which is public:
 * one on the true number of people would tell it.
 */
async function countWeek(
  db: Db,
  domain: string,
  monday: string,
  { blur, hasGoals }: ReportConfig,
  now: Date,
  signal: AbortSignal | undefined,
): Promise<void> {
  const { members, people, minutes, goals, times, days } = await sumUp(db, domain, monday, signal)
  if (members < MIN_MEMBERS) return
  const blurred = (sum: number, scale: number) => sum + drawNoise(scale * blur)
  await db.query(save, {
    ...{ domain, monday, members, blur, now },
    people: blurred(people, NOISE.people),
    minutes: blurred(minutes, NOISE.minutes),
    goals: hasGoals ? blurred(goals, NOISE.goals) : null,
    times: times.map((sum) => blurred(sum, NOISE.bars)),
    days: days.map((sum) => blurred(sum, NOISE.bars)),
  })
}
