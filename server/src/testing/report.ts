import { randomUUID } from 'node:crypto'
import type { CountedWeek } from '@deeb/core/report/figures'
import { type Db, statement } from '../db/db.ts'
import { startFocus } from '../focus/start-focus.ts'
import { stopFocus } from '../focus/stop-focus.ts'

/** A company with enough people for a report, and what they do in a week. */

/** A Monday, and the Thursday on which its week is counted. */
export const WEEK = '2026-06-08'
export const COUNTED_AT = new Date('2026-06-18T00:00:00Z')

/** The settings without the environment. */
export const REPORT = { isOn: true, blur: 4, hasGoals: true }

const addPeople = statement(
  'test.report-people',
  `with person as (
    insert into auth.users (id, email, encrypted_password, email_confirmed_at, created_at, updated_at)
    select id, id || '@' || :domain::text, '', '2026-01-01Z', '2026-01-01Z', '2026-01-01Z'
    from unnest(:ids::uuid[]) as person (id) returning id, email
  ), profile as (
    insert into profiles (id, email, company_domain) select id, email, :domain from person returning id
  )
  insert into user_presence (user_id) select id from profile`,
)

/** Adds people with a confirmed address to a company, and returns their ids. */
export async function makePeople(db: Db, domain: string, count: number): Promise<string[]> {
  const ids = Array.from({ length: count }, () => randomUUID())
  await db.query(addPeople, { ids, domain })
  return ids
}

const setFirstWeek = statement(
  'test.first-week',
  `insert into company_reports (company_domain, first_week) values (:domain, :monday)
  on conflict (company_domain) do update set first_week = excluded.first_week`,
)

/** Makes the report of a company begin with a week. */
export async function beginReport(db: Db, domain: string, monday = WEEK): Promise<void> {
  await db.query(setFirstWeek, { domain, monday })
}

/** A focus session of a person. */
export async function focus(db: Db, userId: string, from: Date, to: Date, timeZone = 'UTC'): Promise<void> {
  const sessionId = randomUUID()
  await startFocus(db, { userId }, { sessionId, timeZone }, from)
  await stopFocus(db, { userId }, { sessionId }, to)
}

const addFocus = statement(
  'test.add-focus',
  `with focus as (
    select * from unnest(:userIds::uuid[], :dates::text[], :minutes::int[]) as focus (user_id, date, minutes)
  ), sessions as (
    insert into deeb_sessions (user_id, id, start_time, end_time, time_zone, start_date, next_date, next_date_starts_at)
    select user_id, gen_random_uuid(), (date || 'T06:00Z')::timestamptz, (date || 'T06:00Z')::timestamptz + minutes * interval '1 minute',
      'UTC', date, (date::date + 1)::text, (date || 'T24:00Z')::timestamptz
    from focus
  )
  insert into daily_stats as stats (user_id, date, total_seconds) select user_id, date, minutes * 60 from focus
  on conflict (user_id, date) do update set total_seconds = stats.total_seconds + excluded.total_seconds`,
)

export interface Focus {
  userId: string
  date: string
  /** At most 16 hours. */
  minutes: number
}

/** Adds a session from 6:00 UTC to people's days, in one statement. */
export async function addFocusTo(db: Db, days: Focus[]): Promise<void> {
  await db.query(addFocus, {
    userIds: days.map(({ userId }) => userId),
    dates: days.map(({ date }) => date),
    minutes: days.map(({ minutes }) => minutes),
  })
}

const readWeeks = statement(
  'test.company-weeks',
  `select to_jsonb(week) as row from company_weeks as week where company_domain = :domain order by week_start`,
)

/** A row of company_weeks as JSON. */
export interface WeekRow extends Omit<CountedWeek, 'week'> {
  week_start: string
}

/** The counted weeks of a company, as they are stored. */
export async function storedWeeks(db: Db, domain: string): Promise<WeekRow[]> {
  return (await db.query<{ row: WeekRow }>(readWeeks, { domain })).map(({ row }) => row)
}
