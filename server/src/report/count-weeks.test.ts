// Runs in npm run test:all.
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readCompany } from '@deeb/core/report/api'
import { mondayAfter } from '@deeb/core/stats/weeks'
import { describe, expect, vi } from 'vitest'
import { readConfig } from '../config/config.ts'
import { openPostgres, statement } from '../db/db.ts'
import { startServer } from '../start/start-server.ts'
import { type MadeUser, makeUser } from '../testing/make.ts'
import { addFocusTo, beginReport, COUNTED_AT, makePeople, REPORT, storedWeeks, WEEK } from '../testing/report.ts'
import { test as base } from '../testing/test.ts'
import { createTestDatabase, withDirectUrl } from '../testing/test-database.ts'
import { until } from '../testing/until.ts'
import { countWeeks } from './count-weeks.ts'
import { setInReport } from './set-in-report.ts'
import { sumUp } from './sum-up.ts'

const test = base.extend('settings', { scope: 'file' }, { LOG_LEVEL: 'debug' }).extend('report', ({ app }) => {
  const count = (at: Date | string = COUNTED_AT, settings = REPORT, signal?: AbortSignal) =>
    countWeeks(app.db, settings, new Date(at), signal)
  const weeksOf = (domain: string) => storedWeeks(app.db, domain)
  /** A company whose report begins with WEEK. Its first people have an hour on the Monday. */
  async function company(people: number, active = 0): Promise<{ domain: string; ids: string[] }> {
    const domain = `${randomUUID()}.example`
    const ids = await makePeople(app.db, domain, people)
    await beginReport(app.db, domain)
    await addFocusTo(
      app.db,
      ids.slice(0, active).map((userId) => ({ userId, date: WEEK, minutes: 60 })),
    )
    return { domain, ids }
  }
  const firstWeekOf = async (domain: string) =>
    (await app.db.query<{ monday: string }>(readFirstWeek, { domain }))[0]?.monday
  /** SQL that selects every row of every table as text. */
  async function dumpSql(): Promise<string> {
    const names = statement(
      'test.dump-tables',
      `select quote_ident(schemaname) || '.' || quote_ident(tablename) as name from pg_tables
    where schemaname in ('auth', 'public')`,
    )
    const tables = await app.db.query<{ name: string }>(names)
    return tables.map(({ name }) => `select to_jsonb(held)::text as text from ${name} as held`).join(' union all ')
  }
  return { count, weeksOf, company, firstWeekOf, dumpSql }
})

/** The companies of other tests have no accounts any more, so that none of their weeks is due. */
test.beforeEach(({ app }) => app.db.script('update profiles set company_domain = null'))

const readFirstWeek = statement(
  'test.read-first-week',
  'select first_week as monday from company_reports where company_domain = :domain',
)

describe('the start of the report of a company', () => {
  test('is at its tenth account that is not deactivated, once', async ({ app, report }) => {
    const domain = `${randomUUID()}.example`
    const [left] = await makePeople(app.db, domain, 10)
    await app.db.script(`update auth.users set deactivated_at = now() where id = '${left}'`)
    await report.count('2026-05-06T12:00Z')
    expect(await report.firstWeekOf(domain)).toBe(undefined)
    await makePeople(app.db, domain, 1)
    await report.count('2026-05-13T12:00Z')
    expect(await report.firstWeekOf(domain)).toBe('2026-05-18')
    await report.count('2026-05-27T12:00Z')
    expect(await report.firstWeekOf(domain)).toBe('2026-05-18')
  })

  test('does not exist for people without a company', async ({ app, report }) => {
    await makePeople(app.db, 'freemail.example', 12)
    await app.db.script('update profiles set company_domain = null')
    const reports = statement('test.reports', 'select count(*)::int as count from company_reports')
    const before = await app.db.query(reports)
    await report.count('2026-05-06T12:00Z')
    expect(await app.db.query(reports)).toEqual(before)
  })
})

const setDays = (name: string, seconds: string) =>
  statement(
    `test.${name}`,
    `update daily_stats set total_seconds = ${seconds} from profiles where profiles.id = user_id and company_domain = :domain`,
  )
/** More seconds on the two days of a weekend than an integer can hold. */
const breakDays = setDays('break-days', '2147483647')
const repairDays = setDays('repair-days', '3600')

describe('a week is counted', () => {
  test('from the Thursday after it on, with its noise, even if nobody used deeb', async ({ app, report }) => {
    const [used, unused] = [await report.company(14, 12), await report.company(10)]
    await report.count('2026-06-17T23:59:59Z')
    expect([await report.weeksOf(used.domain), await report.weeksOf(unused.domain)]).toEqual([[], []])
    await report.count()
    const [week] = await report.weeksOf(used.domain)
    expect(week).toMatchObject({ week_start: WEEK, members: 14, blur: 4, counted_at: '2026-06-18T00:00:00+00:00' })
    expect(await report.weeksOf(unused.domain)).toMatchObject([{ week_start: WEEK, members: 10 }])
    const sums = await sumUp(app.db, used.domain, WEEK)
    expect(sums).toMatchObject({ people: 12, minutes: 720 })
    // All equal by chance: once in 10^25 runs.
    expect([week?.minutes, week?.times, week?.days]).not.toEqual([sums.minutes, sums.times, sums.days])
  })

  test('threat 144: every number but the number of accounts has noise of its own', async ({ report }) => {
    const companies = await Promise.all(Array.from({ length: 12 }, () => report.company(10)))
    await report.count()
    const rows = (await Promise.all(companies.map(({ domain }) => report.weeksOf(domain)))).flat()
    const numbers = rows.map(({ people, minutes, goals, times, days }) => [people, minutes, goals, ...times, ...days])
    // Nobody used deeb, so that each number is its noise.
    for (const n of numbers[0]?.keys() ?? []) expect(new Set(numbers.map((row) => row[n])).size).toBeGreaterThan(1)
    const bars = numbers.map((row) => row.slice(3))
    expect(new Set(bars.flat()).size).toBeGreaterThan(100)
    expect(rows.map(({ members }) => members)).toEqual(Array(12).fill(10))
  })

  test('up to 8 weeks late, and none before the first one', async ({ report }) => {
    const { domain } = await report.company(10)
    await report.count('2026-09-20T00:00Z')
    const late = Array.from({ length: 8 }, (_, n) => mondayAfter('2026-09-07', n - 7))
    expect((await report.weeksOf(domain)).map(({ week_start }) => week_start)).toEqual(late)
    const other = await report.company(10)
    await report.count('2026-06-25T00:00Z')
    expect((await report.weeksOf(other.domain)).map(({ week_start }) => week_start)).toEqual([WEEK, '2026-06-15'])
  })

  test('of the other companies too if the rows of one cannot be summed up', async ({ app, report }) => {
    const broken = await report.company(10)
    const weekend = ['2026-06-13', '2026-06-14']
    await addFocusTo(
      app.db,
      weekend.map((date) => ({ userId: broken.ids[0] ?? '', date, minutes: 60 })),
    )
    const others = [await report.company(10), await report.company(10)]
    await app.db.query(breakDays, { domain: broken.domain })
    await expect(report.count()).rejects.toThrow('1 weeks of companies could not be counted.')
    expect(await report.weeksOf(broken.domain)).toEqual([])
    for (const { domain } of others) expect(await report.weeksOf(domain)).toHaveLength(1)
    await app.db.query(repairDays, { domain: broken.domain })
    await report.count()
    expect(await report.weeksOf(broken.domain)).toHaveLength(1)
  })

  test('only while the company has ten accounts, and later once it has them again', async ({ app, report }) => {
    const { domain } = await report.company(9)
    await report.count()
    expect(await report.weeksOf(domain)).toEqual([])
    await makePeople(app.db, domain, 1)
    await report.count('2026-06-18T05:00Z')
    expect(await report.weeksOf(domain)).toHaveLength(1)
  })

  test('with the number of all accounts, also of those who are not counted', async ({ app, report }) => {
    const { domain, ids } = await report.company(10, 10)
    for (const userId of ids.slice(0, 6)) await setInReport(app.db, { userId }, { inReport: false })
    expect(await sumUp(app.db, domain, WEEK)).toMatchObject({ members: 10, people: 4 })
    await report.count()
    expect(await report.weeksOf(domain)).toMatchObject([{ members: 10 }])
  })

  test('with the blur of the settings, and without goals where they are off', async ({ report }) => {
    const { domain } = await report.company(10)
    await report.count(COUNTED_AT, { ...REPORT, blur: 50, hasGoals: false })
    expect(await report.weeksOf(domain)).toMatchObject([{ blur: 50, goals: null }])
  })

  test('nothing is read or written when all weeks are counted', async ({ app, report }) => {
    await report.company(10)
    await report.count()
    const query = vi.spyOn(app.db, 'query')
    await report.count()
    const names = query.mock.calls.map(([{ name }]) => name)
    query.mockRestore()
    expect(names).toEqual(['report.start', 'report.due'])
  })
})

test('a server counts what is due when it starts, and stops in the middle of it', async ({ app, skip }) => {
  if (app.db.engine === 'embedded') skip('the embedded database belongs to one process')
  const url = await createTestDatabase()
  const db = await openPostgres(url)
  await makePeople(db, 'fjordlab.example', 10)
  await beginReport(db, 'fjordlab.example')
  const dataDir = await mkdtemp(join(tmpdir(), 'deeb-report-'))
  const config = {
    ...readConfig(
      withDirectUrl({ DATABASE_URL: url, DATA_DIR: dataDir, DEEB_SECRET: 'ab'.repeat(32), LOG_LEVEL: 'error' }),
    ),
    port: 0,
  }
  const start = () => startServer(config, { now: () => COUNTED_AT })
  const first = await start()
  await until(async () => (await storedWeeks(db, 'fjordlab.example')).length === 1)
  await first.stop()
  await makePeople(db, 'acme.example', 3_000)
  await beginReport(db, 'acme.example')
  await (await start()).stop()
  expect(await storedWeeks(db, 'acme.example')).toEqual([])
  await db.close()
  await rm(dataDir, { recursive: true })
})

describe('COMPANY_REPORT=off', () => {
  test('counts no week, also not once it is on again', async ({ report }) => {
    const { domain } = await report.company(10)
    await report.count(COUNTED_AT, { ...REPORT, isOn: false })
    expect(await report.firstWeekOf(domain)).toBe('2026-06-22')
    await report.count('2026-07-02T00:00Z')
    expect((await report.weeksOf(domain)).map(({ week_start }) => week_start)).toEqual(['2026-06-22'])
  })

  test('starts no report', async ({ app, report }) => {
    const domain = `${randomUUID()}.example`
    await makePeople(app.db, domain, 10)
    await report.count(COUNTED_AT, { ...REPORT, isOn: false })
    expect(await report.firstWeekOf(domain)).toBe(undefined)
  })
})

describe('threat 145: a counted week', () => {
  test('is not changed by another count, or by what people do later', async ({ app, report }) => {
    const { domain, ids } = await report.company(12, 12)
    await report.count()
    const before = await report.weeksOf(domain)
    const [ann = '', ...others] = ids
    await addFocusTo(app.db, [{ userId: ann, date: '2026-06-10', minutes: 300 }])
    for (const userId of others) await setInReport(app.db, { userId }, { inReport: false })
    await report.count('2026-06-18T01:00Z')
    await app.db.script(`delete from auth.users where email like '%@${domain}'`)
    await report.count('2026-06-18T02:00Z')
    await makePeople(app.db, domain, 12)
    await report.count('2026-06-18T03:00Z')
    expect(await report.weeksOf(domain)).toEqual(before)
  })

  test('is changed by no statement, and no row is early, of another day or of fewer than ten accounts', async ({
    app,
    report,
  }) => {
    const { domain } = await report.company(10)
    await report.count()
    const before = await report.weeksOf(domain)
    const refused = (sql: string) => expect(app.db.script(sql)).rejects
    await refused(`update company_weeks set people = 1`).toThrow('A counted week never changes.')
    await refused(`delete from company_weeks`).toThrow('A counted week never changes.')
    await refused(`truncate company_weeks`).toThrow('A counted week never changes.')
    await refused(`insert into company_weeks select * from company_weeks
      on conflict (company_domain, week_start) do update set people = 1`).toThrow('A counted week never changes.')
    await refused(`delete from company_reports where company_domain = '${domain}'`).toThrow('company_weeks')
    const insert = (monday: string, members: number, countedAt: string) => `
      insert into company_weeks (company_domain, week_start, members, people, minutes, goals, times, days, blur, counted_at)
      values ('${domain}', '${monday}', ${members}, 1, 1, 1, '{1,1,1,1,1,1,1}', '{1,1,1,1,1,1}', 4, '${countedAt}')`
    await refused(insert('2026-06-15', 10, '2026-06-24T23:59:59Z')).toThrow('company_weeks_finished')
    await refused(insert('2026-06-16', 10, '2026-07-25Z')).toThrow('company_weeks_monday')
    await refused(insert('2026-06-15', 9, '2026-07-25Z')).toThrow('company_weeks_at_least_ten')
    expect(await report.weeksOf(domain)).toEqual(before)
  })

  test('is counted once when two servers count it at the same time', async ({ app, skip }) => {
    if (app.db.engine === 'embedded') skip('the embedded database has one server only')
    const url = await createTestDatabase()
    const servers = await Promise.all([openPostgres(url), openPostgres(url), openPostgres(url)])
    const [one = app.db] = servers
    const domain = 'fjordlab.example'
    await makePeople(one, domain, 300)
    await beginReport(one, domain)
    await Promise.all(servers.map((db) => countWeeks(db, REPORT, COUNTED_AT)))
    const before = await storedWeeks(one, domain)
    expect(before).toMatchObject([{ members: 300 }])
    await Promise.all(servers.map((db) => countWeeks(db, REPORT, COUNTED_AT)))
    expect(await storedWeeks(one, domain)).toEqual(before)
    await Promise.all(servers.map((db) => db.close()))
  })

  test('stays when a count is stopped in the middle, and the next one counts the rest', async ({ app, report }) => {
    const [first, second] = [await report.company(110), await report.company(110)].toSorted((a, b) =>
      a.domain < b.domain ? -1 : 1,
    )
    const stop = new AbortController()
    const { query } = app.db
    let batches = 0
    const watching = vi.spyOn(app.db, 'query').mockImplementation((one, params) => {
      // Two batches of the first company, then the first one of the second.
      if (one.name === 'report.people' && ++batches === 3) stop.abort()
      return query(one, params)
    })
    await expect(report.count(COUNTED_AT, REPORT, stop.signal)).rejects.toThrow('aborted')
    watching.mockRestore()
    const before = await report.weeksOf(first?.domain ?? '')
    expect([before.length, await report.weeksOf(second?.domain ?? '')]).toEqual([1, []])
    await report.count()
    expect(await report.weeksOf(first?.domain ?? '')).toEqual(before)
    expect(await report.weeksOf(second?.domain ?? '')).toHaveLength(1)
  })
})

test('threat 146: a true sum is in no table, log line, metric or name of a statement', async ({ app, report }) => {
  const { domain, ids } = await report.company(11)
  const someone: MadeUser = await makeUser(app, { email: `ann@${domain}` })
  const days = ids.flatMap((userId) => [
    { userId, date: WEEK, minutes: 617 },
    { userId, date: '2026-06-10', minutes: 618 },
  ])
  await addFocusTo(app.db, days)
  const sums = await sumUp(app.db, domain, WEEK)
  const { query } = app.db
  const sent: string[] = []
  const watching = vi.spyOn(app.db, 'query').mockImplementation((one, params) => {
    sent.push(one.name, JSON.stringify(params ?? {}))
    return query(one, params)
  })
  await report.count()
  watching.mockRestore()
  await app.call(readCompany, {}, someone)
  const metrics = await app.inject('/metrics')
  const tables = await app.db.query<{ text: string }>(statement('test.dump', await report.dumpSql()))
  const [week] = await report.weeksOf(domain)
  const everything = [...sent, ...app.log, metrics.body, ...tables.map(({ text }) => text)].join('\n')
  // The noise is 0 once in 5,000 runs.
  if (week?.minutes !== sums.minutes) expect(everything).not.toMatch(new RegExp(`\\b${sums.minutes}\\b`))
  expect(sums.minutes).toBe(13_585)
})
