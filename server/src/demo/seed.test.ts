import { afterAll, beforeAll, expect, test } from 'vitest'
import { statement } from '../db/db.ts'
import { findWrongSums, findWrongTotals } from '../focus/check-totals.ts'
import { readCompany } from '../report/read-company.ts'
import { storedWeeks } from '../testing/report-bed.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import { addressOf, DEMO_NAMES } from './people.ts'
import { seedCompany } from './seed.ts'

const NOW = new Date('2026-11-26T14:40:00Z')

let testApp: TestApp
let userId: string
beforeAll(async () => {
  testApp = await startTestApp()
  await seedCompany(testApp.auth, { company: 1, password: 'seven quiet otters', now: NOW })
  const find = statement('test.find-user', 'select id from auth.users where email = :email')
  userId = (await testApp.db.query<{ id: string }>(find, { email: addressOf(DEMO_NAMES[0], 1) }))[0]?.id ?? ''
})
afterAll(() => testApp.close())

test('the demo has a report of 13 weeks with every figure', async () => {
  const weeks = await storedWeeks(testApp.db, 'fjordlab.example')
  expect(weeks.map(({ week_start }) => week_start)).toEqual(weeksFrom('2026-08-24', 13))
  const { state, members, report } = await readCompany(testApp.db, { userId }, testApp.auth.config.report, NOW)
  expect([state, members]).toEqual(['shown', 60])
  expect(report).toMatchObject({ weeks: 4, to: '2026-11-22', goalTenths: expect.any(Number) })
  expect(report?.peopleByWeek).toHaveLength(13)
  expect([report?.times?.length, report?.days?.length]).toEqual([7, 6])
})

test('the totals of the demo are those of its sessions', async () => {
  expect([await findWrongTotals(testApp.db), await findWrongSums(testApp.db)]).toEqual([[], []])
})

function weeksFrom(monday: string, count: number): string[] {
  return Array.from({ length: count }, (_, n) =>
    new Date(Date.parse(monday) + n * 7 * 86_400_000).toISOString().slice(0, 10),
  )
}
