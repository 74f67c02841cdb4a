import { expect } from 'vitest'
import { statement } from '../db/db.ts'
import { findWrongSums, findWrongTotals } from '../focus/check-totals.ts'
import { readCompany } from '../report/read-company.ts'
import { storedWeeks } from '../testing/report.ts'
import { test } from '../testing/test.ts'
import { addressOf, DEMO_NAMES } from './people.ts'
import { seedCompany } from './seed.ts'

const NOW = new Date('2026-11-26T14:40:00Z')

let userId: string
test.beforeAll(async ({ app }) => {
  await seedCompany(app.auth, { company: 1, password: 'seven quiet otters', now: NOW })
  const find = statement('test.find-user', 'select id from auth.users where email = :email')
  userId = (await app.db.query<{ id: string }>(find, { email: addressOf(DEMO_NAMES[0], 1) }))[0]?.id ?? ''
})

test('the demo has a report of 13 weeks with every figure', async ({ app }) => {
  const weeks = await storedWeeks(app.db, 'fjordlab.example')
  expect(weeks.map(({ week_start }) => week_start)).toEqual(weeksFrom('2026-08-24', 13))
  const { state, members, report } = await readCompany(app.db, { userId }, app.auth.config.report, NOW)
  expect([state, members]).toEqual(['shown', 60])
  expect(report).toMatchObject({ weeks: 4, to: '2026-11-22', goalTenths: expect.any(Number) })
  expect(report?.peopleByWeek).toHaveLength(13)
  expect([report?.times?.length, report?.days?.length]).toEqual([7, 6])
})

test('the totals of the demo are those of its sessions', async ({ app }) => {
  expect([await findWrongTotals(app.db), await findWrongSums(app.db)]).toEqual([[], []])
})

function weeksFrom(monday: string, count: number): string[] {
  return Array.from({ length: count }, (_, n) =>
    new Date(Date.parse(monday) + n * 7 * 86_400_000).toISOString().slice(0, 10),
  )
}
