// Runs on both engines.
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { isOnPostgres, isPooled, openTestDatabase } from '../testing/test-database.ts'
import { until } from '../testing/until.ts'
import { type Database, lookup, statement, violatedConstraint } from './db.ts'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  await db.script('create table things (id int constraint things_key primary key)')
})
afterAll(() => db.close())

const insert = statement('test.insert', 'insert into things values (:id)')
const count = statement('test.count', 'select count(*)::int as count from things where id = any(:ids)')
const divide = statement('test.divide', 'select 10 / :n::int as quotient')
const divideByLookup = lookup('test.divide-by-lookup', 'select 10 / :n::int as quotient')

test('a constraint violation names its constraint and leaves the connection usable', async () => {
  await db.query(insert, { id: 1 })
  const error = await db.query(insert, { id: 1 }).catch((error: unknown) => error)
  expect(violatedConstraint(error)).toBe('things_key')
  expect(await db.query(count, { ids: [1] })).toEqual([{ count: 1 }])
})

test.each([divide, divideByLookup])('a failing statement does not affect concurrent ones: $name', async (divide) => {
  const results = await Promise.allSettled([1, 0, 2, 0, 5].map((n) => db.query(divide, { n })))
  expect(results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed'))).toEqual([
    [{ quotient: 10 }],
    'failed',
    [{ quotient: 5 }],
    'failed',
    [{ quotient: 2 }],
  ])
})

test('a transaction that throws is rolled back', async () => {
  const work = db.transaction(async (db) => {
    await db.query(insert, { id: 20 })
    await db.query(insert, { id: 21 })
    throw new Error('halfway')
  })
  await expect(work).rejects.toThrow('halfway')
  expect(await db.query(count, { ids: [20, 21] })).toEqual([{ count: 0 }])
})

test('concurrent transactions keep their writes', async () => {
  await Promise.all([30, 31].map((id) => db.transaction(async (db) => void (await db.query(insert, { id })))))
  expect(await db.query(count, { ids: [30, 31] })).toEqual([{ count: 2 }])
})

test('concurrent lookups get their own results, also while they are prepared', async () => {
  const own = lookup('test.own', 'select :n::int as own')
  const numbers = Array.from({ length: 300 }, (_, n) => n)
  const answers = await Promise.all(numbers.map((n) => db.query(own, { n })))
  expect(answers).toEqual(numbers.map((own) => [{ own }]))
})

test('lookups behind a failed preparation are prepared themselves', async ({ skip }) => {
  if (isPooled()) skip('PgBouncer cuts the connection instead: "With a pooler" in docs/operate/self-hosting.md')
  const late = lookup('test.late', 'select id from late_things where id = :id')
  const failed = await Promise.allSettled([1, 2, 3, 4].map((id) => db.query(late, { id })))
  expect(failed.map(({ status }) => status)).toEqual(['rejected', 'rejected', 'rejected', 'rejected'])
  // Each fails in its own preparation (42P01, undefined table), not with a missing or duplicate prepared statement.
  const codes = failed.map((one) => one.status === 'rejected' && one.reason.code)
  expect(codes).toEqual(['42P01', '42P01', '42P01', '42P01'])
  await db.script('create table late_things (id int); insert into late_things values (1)')
  const answers = await Promise.all([1, 2, 3, 4].map((id) => db.query(late, { id })))
  expect(answers).toEqual([[{ id: 1 }], [], [], []])
})

describe.runIf(isOnPostgres())('a pipelined connection', () => {
  const pid = lookup('test.pid', 'select pg_backend_pid() as pid')
  const sleep = lookup('test.sleep', 'select pg_sleep(:seconds)')
  const pidOf = async () => (await db.query<{ pid: number }>(pid))[0]?.pid

  test('is shared by concurrent lookups, and a busy one is avoided', async ({ skip }) => {
    if (isPooled()) skip('PgBouncer chooses the backend of each statement')
    const together = await Promise.all([pidOf(), pidOf(), pidOf(), pidOf()])
    expect(new Set(together).size).toBe(2)
    const slow = db.query(sleep, { seconds: 0.3 }).then(() => 'slow')
    expect(await Promise.race([slow, pidOf().then(() => 'quick')])).toBe('quick')
    await slow
  })

  test('fails its lookups when it is lost, and the next lookup reconnects', async ({ skip }) => {
    if (isPooled()) skip('PgBouncer chooses the backend of each statement')
    const before = await Promise.all([pidOf(), pidOf()])
    const slow = [db.query(sleep, { seconds: 5 }), db.query(sleep, { seconds: 5 })].map((one) =>
      one.catch(() => 'failed'),
    )
    const cut = statement('test.cut', `select pg_terminate_backend(:pid)`)
    for (const one of before) await db.query(cut, { pid: one })
    expect(await Promise.all(slow)).toEqual(['failed', 'failed'])
    const after = await until(() => Promise.all([pidOf(), pidOf()]).catch(() => false as const))
    expect(before).not.toContain(after[0])
    expect(before).not.toContain(after[1])
    expect(db.load().waiting).toBe(0)
  })
})
