import { randomUUID } from 'node:crypto'
import { readMyData } from '@deeb/core/account/api'
import { readHome } from '@deeb/core/home/api'
import { COMPANY_WEEKS_PATH, readCompany, setInReport } from '@deeb/core/report/api'
import { readWeek } from '@deeb/core/stats/api'
import { mondayAfter } from '@deeb/core/stats/weeks'
import { afterAll, describe, expect } from 'vitest'
import { statement } from '../db/db.ts'
import { addDomain } from '../testing/company.ts'
import { openDirectory } from '../testing/directory.ts'
import type { MadeUser } from '../testing/make.ts'
import { makeTraveller } from '../testing/make-traveller.ts'
import { addFocusTo, beginReport, COUNTED_AT, makePeople, REPORT, WEEK } from '../testing/report.ts'
import { test as base } from '../testing/test.ts'
import { freshToken, startTestApp, type TestApp } from '../testing/test-app.ts'
import { countWeeks } from './count-weeks.ts'
import { sumUp } from './sum-up.ts'

const test = base.extend('reports', ({ app, clock }) => {
  const company = async (user = ann, on = app) => (await on.call(readCompany, {}, user)).body
  const hasAccounts = (count: number) => makePeople(app.db, domain, count - 2)
  /** Thirteen weeks in which about 50 of 60 people have about 9.5 hours each. */
  async function thirteenWeeks(): Promise<void> {
    await hasAccounts(60)
    const mondays = Array.from({ length: 13 }, (_, n) => mondayAfter('2026-06-22', n - 12))
    await beginReport(app.db, domain, mondays[0])
    await app.db.query(insert, { domain, mondays })
  }
  async function csv(user = ann, on = app) {
    const authorization = `Bearer ${await freshToken(on.auth, user, clock.now())}`
    return on.inject({ url: COMPANY_WEEKS_PATH, headers: { authorization } })
  }
  return { company, hasAccounts, thirteenWeeks, csv }
})

/** The same database on a server with COMPANY_REPORT=off, and on one with REPORT_GOALS=off. */
let off: TestApp
let withoutGoals: TestApp
let ann: MadeUser
let ben: MadeUser
let domain = ''

test.beforeAll(async ({ app }) => {
  const shared = { ...app.db, close: async () => undefined }
  off = await startTestApp({ COMPANY_REPORT: 'off' }, shared)
  withoutGoals = await startTestApp({ REPORT_GOALS: 'off' }, shared)
})
afterAll(async () => {
  await Promise.all([off.close(), withoutGoals.close()])
})
test.beforeEach(async ({ app, clock }) => {
  clock.set('2026-07-02T09:00:00Z')
  domain = `${randomUUID()}.example`
  ann = await makeTraveller(app, { email: `ann@${domain}` })
  ben = await makeTraveller(app, { email: `ben@${domain}` })
})

const insert = statement(
  'test.insert-weeks',
  `insert into company_weeks (company_domain, week_start, members, people, minutes, goals, times, days, blur, counted_at)
  select :domain, monday, 60, 50, 50 * 570, 20, '{2000,10000,15000,5000,12000,5000,1000}', '{9000,14000,9000,9000,6000,3000}', 4,
    '2026-07-02T00:00:00Z'
  from unnest(:mondays::text[]) as week (monday)`,
)

const NOTHING = { inReport: true, blur: 4, firstWeek: null, report: null }

describe('a company without figures', () => {
  test('has too few accounts', async ({ reports }) => {
    await reports.hasAccounts(9)
    expect(await reports.company()).toEqual({ ...NOTHING, domain, members: 9, state: 'too_small' })
  })

  test('starts, which everybody learns on Home until then', async ({ app, clock, reports }) => {
    await reports.hasAccounts(10)
    const home = async (timeZone: string) => (await app.call(readHome, { timeZone }, ann)).body.reportFrom
    const starts = { ...NOTHING, domain, members: 10, state: 'starts', firstWeek: '2026-07-06' }
    expect([await reports.company(), await home('UTC')]).toEqual([starts, null])
    await countWeeks(app.db, REPORT, clock.now())
    expect([await reports.company(), await home('UTC')]).toEqual([starts, '2026-07-06'])
    clock.set('2026-07-05T23:00:00Z')
    expect([await home('UTC'), await home('Europe/Berlin')]).toEqual(['2026-07-06', null])
    clock.set('2026-07-15T23:00:00Z')
    expect(await reports.company()).toEqual(starts)
    expect((await off.call(readHome, { timeZone: 'America/New_York' }, ann)).body.reportFrom).toBe(null)
  })

  test('threat 147: has too few people who use deeb, which only numbers with noise decide', async ({
    app,
    reports,
  }) => {
    await reports.hasAccounts(12)
    await beginReport(app.db, domain)
    await countWeeks(app.db, REPORT, COUNTED_AT)
    // The margin of one week is 9.3 people, and of 12 accounts never more than 12 people are shown.
    expect(await reports.company()).toMatchObject({ members: 12, state: 'too_few', firstWeek: WEEK, report: null })
  })

  test('is shown to a person without a company', async ({ app, reports }) => {
    await app.db.script(`update profiles set company_domain = null where id = '${ann.userId}'`)
    expect(await reports.company()).toEqual({ ...NOTHING, domain: null, members: 0, state: 'no_company' })
    expect((await reports.csv()).json().code).toBe('not_found')
  })

  test('hides its earlier weeks once it has fewer than ten accounts', async ({ app, reports }) => {
    await reports.thirteenWeeks()
    await app.db.script(`delete from auth.users where email like '%-%@${domain}'`)
    expect(await reports.company()).toEqual({ ...NOTHING, domain, members: 2, state: 'too_small' })
    expect((await app.call(readWeek, { timeZone: 'UTC' }, ann)).body.companyAverage).toBe(null)
  })
})

describe('a company with figures', () => {
  test.beforeEach(({ reports }) => reports.thirteenWeeks())

  test('has the same report for everybody', async ({ app, reports }) => {
    const report = await reports.company()
    expect(report).toEqual({
      ...{ domain, members: 60, inReport: true, blur: 4, state: 'shown', firstWeek: '2026-03-30' },
      report: {
        ...{ from: '2026-06-01', to: '2026-06-28', weeks: 4 },
        ...{ people: { value: 50, margin: 5 }, averageWeekMinutes: { value: 570, margin: 80 }, goalTenths: 4 },
        ...{ times: [4, 20, 30, 10, 24, 10, 2], days: [18, 28, 18, 18, 12, 6], trend: 'same' },
        barWeeks: 13,
        peopleByWeek: Array.from({ length: 13 }, (_, n) => ({
          ...{ week: mondayAfter('2026-03-30', n), value: 50, margin: [10, 7, 6, 5][Math.min(n, 3)] },
        })),
      },
    })
    await app.call(setInReport, { inReport: false }, ben)
    expect(await reports.company()).toEqual(report)
    expect(await reports.company(ben)).toEqual({ ...report, inReport: false })
    expect((await reports.csv(ben)).body).toBe((await reports.csv()).body)
  })

  test('shows nothing on a server with COMPANY_REPORT=off', async ({ reports }) => {
    expect(await reports.company(ann, off)).toEqual({ ...NOTHING, domain, members: 60, state: 'off' })
    expect((await reports.csv(ann, off)).json().code).toBe('not_found')
    expect((await off.call(readWeek, { timeZone: 'UTC' }, ann)).body.companyAverage).toBe(null)
  })

  test('shows no goals on a server with REPORT_GOALS=off', async ({ reports }) => {
    expect((await reports.company(ann, withoutGoals)).report).toMatchObject({ goalTenths: null, people: { value: 50 } })
  })

  test('has no figures from weeks that are older than half a year', async ({ app, clock, reports }) => {
    const at = async (time: string) => {
      clock.set(time)
      const user = { ...ann, accessToken: await freshToken(app.auth, ann, clock.now()) }
      const { companyAverage } = (await app.call(readWeek, { timeZone: 'UTC' }, user)).body
      return [(await reports.company(user)).report?.weeks, companyAverage?.minutes]
    }
    expect(await at('2026-12-01T09:00:00Z')).toEqual([4, 570])
    expect(await at('2026-12-28T09:00:00Z')).toEqual([undefined, undefined])
  })

  test('lends its average week to the profile screen', async ({ app }) => {
    const { companyAverage } = (await app.call(readWeek, { timeZone: 'UTC' }, ann)).body
    expect(companyAverage).toEqual({ domain, minutes: 570, margin: 80 })
  })

  test('has all weeks as they are stored, as CSV', async ({ reports }) => {
    const { statusCode, headers, body } = await reports.csv()
    expect([statusCode, headers['content-type']]).toEqual([200, 'text/csv; charset=utf-8'])
    expect(headers['content-disposition']).toBe('attachment; filename="deeb-weeks.csv"')
    const [meaning, names, ...weeks] = body.trimEnd().split('\r\n')
    expect(meaning).toMatch(
      new RegExp(`^"The counted weeks of ${domain}\\. Every number but members was moved by chance .*"$`),
    )
    expect(names?.split(',')).toHaveLength(20)
    expect(weeks).toHaveLength(13)
    expect(weeks.at(-1)).toBe(
      '2026-06-22,60,50,28500,20,2000,10000,15000,5000,12000,5000,1000,9000,14000,9000,9000,6000,3000,4,2026-07-02T00:00:00.000Z',
    )
  })

  test('threat 147: is not that of another company', async ({ app, reports }) => {
    const stranger = await makeTraveller(app)
    expect(JSON.stringify(await reports.company(stranger))).not.toContain(domain)
    expect((await reports.csv(stranger)).body).not.toContain('28500')
  })
})

test('a person who leaves themselves out is not counted in the next count, and the download says so', async ({
  app,
  reports,
}) => {
  const ids = await reports.hasAccounts(12)
  await beginReport(app.db, domain)
  const people = [...ids, ann.userId]
  await addFocusTo(
    app.db,
    people.map((userId) => ({ userId, date: WEEK, minutes: 60 })),
  )
  expect((await app.call(setInReport, { inReport: false }, ann)).body).toEqual({ inReport: false })
  expect((await app.call(setInReport, { inReport: false }, ann)).body).toEqual({ inReport: false })
  expect((await reports.company()).inReport).toBe(false)
  expect((await app.call(readMyData, {}, ann)).body.profiles).toMatchObject([{ in_report: false }])
  expect((await reports.company(ben)).inReport).toBe(true)
  expect(await sumUp(app.db, domain, WEEK)).toMatchObject({ members: 12, people: 10, minutes: 600 })
})

test('threat 155: a person who joins the company is counted from a later Monday on, which Home says until then', async ({
  app,
  clock,
  reports,
}) => {
  await reports.hasAccounts(12)
  await beginReport(app.db, domain)
  const home = async () => (await app.call(readHome, { timeZone: 'UTC' }, ann)).body.reportFrom
  const days = ['2026-06-29', '2026-07-06'].map((date) => ({ userId: ann.userId, date, minutes: 60 }))
  await addFocusTo(app.db, days)
  expect(await home()).toBe('2026-07-06')
  clock.set('2026-07-06T09:00:00Z')
  expect(await home()).toBe(null)
  expect(await sumUp(app.db, domain, '2026-06-29')).toMatchObject({ members: 12, people: 0 })
  expect(await sumUp(app.db, domain, '2026-07-06')).toMatchObject({ members: 12, people: 1 })
})

test('threat 154: no week of a person is counted in two companies, however often the directory moves the address', async ({
  app,
  clock,
}) => {
  const [directory, second] = [await openDirectory(app, domain), `second-${domain}`]
  await addDomain(app.db, second, directory.providerId)
  for (const one of [domain, second]) {
    await makePeople(app.db, one, 12)
    await beginReport(app.db, one)
  }
  clock.set('2026-06-01T09:00:00Z')
  const eve = await makeTraveller(app, { email: `eve@${domain}` })
  const later = '2026-06-22'
  const days = [WEEK, '2026-06-15', later].map((date) => ({ userId: eve.userId, date, minutes: 60 }))
  await addFocusTo(app.db, days)
  const { id } = await directory.add(eve.email)
  const moveTo = (one: string, at: string) => {
    clock.set(at)
    return directory.patch(id, { op: 'replace', path: 'emails[type eq "work"].value', value: `eve@${one}` })
  }
  const people = (monday: string) =>
    Promise.all([domain, second].map(async (one) => (await sumUp(app.db, one, monday)).people))

  expect(await people(WEEK)).toEqual([1, 0])
  await moveTo(second, '2026-06-18T01:00:00Z')
  expect([await people(WEEK), await people('2026-06-15'), await people(later)]).toEqual([
    [0, 0],
    [0, 0],
    [0, 1],
  ])
  expect(await sumUp(app.db, second, WEEK)).toMatchObject({ members: 13 })
  await moveTo(domain, '2026-07-02T01:00:00Z')
  expect([await people(WEEK), await people(later)]).toEqual([
    [0, 0],
    [0, 0],
  ])
})
