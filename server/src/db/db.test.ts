import { afterAll, beforeAll, expect, test } from 'vitest'
import { openTestDatabase } from '../testing/test-database.ts'
import { type Database, statement, violatedConstraint } from './db.ts'

let db: Database
beforeAll(async () => {
  db = await openTestDatabase()
  await db.script('create table things (id int constraint things_key primary key)')
})
afterAll(() => db.close())

const insert = statement('test.insert', 'insert into things values ($1)')
const count = statement('test.count', 'select count(*)::int as count from things where id = any($1)')
const divide = statement('test.divide', 'select 10 / $1::int as quotient')

test('a refused statement names its constraint and leaves the connection usable', async () => {
  await db.query(insert, [1])
  const error = await db.query(insert, [1]).catch((error: unknown) => error)
  expect(violatedConstraint(error)).toBe('things_key')
  expect(await db.query(count, [[1]])).toEqual([{ count: 1 }])
})

test('among many statements at once a failing one fails alone', async () => {
  const results = await Promise.allSettled([1, 0, 2, 0, 5].map((n) => db.query(divide, [n])))
  expect(results.map((result) => (result.status === 'fulfilled' ? result.value : 'failed'))).toEqual([
    [{ quotient: 10 }],
    'failed',
    [{ quotient: 5 }],
    'failed',
    [{ quotient: 2 }],
  ])
})

test('a transaction that throws leaves nothing behind', async () => {
  const work = db.transaction(async (db) => {
    await db.query(insert, [20])
    await db.query(insert, [21])
    throw new Error('halfway')
  })
  await expect(work).rejects.toThrow('halfway')
  expect(await db.query(count, [[20, 21]])).toEqual([{ count: 0 }])
})

test('a transaction keeps what it wrote, and others wait for it', async () => {
  await Promise.all([30, 31].map((id) => db.transaction(async (db) => void (await db.query(insert, [id])))))
  expect(await db.query(count, [[30, 31]])).toEqual([{ count: 2 }])
})
