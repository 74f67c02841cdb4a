// Runs in npm run test:all, on PostgreSQL.
import { startFocus } from '@deeb/core/focus/api'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openStream } from '../testing/live.ts'
import { makeConnection, makeUser } from '../testing/make.ts'
import { findPooler, startPooler } from '../testing/pooler.ts'
import type { PostgresServer } from '../testing/postgres-server.ts'
import { startTestApp } from '../testing/test-app.ts'
import { createTestDatabase, directUrlOf } from '../testing/test-database.ts'

const program = findPooler()
if (program === null) console.log('Skipped: no PgBouncer 1.21 or newer on this machine.')
const canRun = program !== null && inject('template').engine !== 'embedded'

describe.skipIf(!canRun)('PgBouncer in transaction mode, configured as documented', () => {
  let direct: string
  let pooled: string
  let pooler: PostgresServer
  beforeAll(async () => {
    direct = directUrlOf(await createTestDatabase())
    const { pathname } = new URL(direct)
    pooler = await startPooler(program ?? '', direct)
    pooled = pooler.url + pathname
  })
  afterAll(() => pooler.stop())

  test('threat 211: the start fails with the setting that is missing, instead of receiving nothing', async () => {
    await expect(startTestApp({ DATABASE_URL: pooled })).rejects.toThrow('DATABASE_DIRECT_URL')
  })

  test('a switch on one server reaches the streams of the other within a second', async () => {
    const env = { DATABASE_URL: pooled, DATABASE_DIRECT_URL: direct, DEEB_SECRET: 'ab'.repeat(32) }
    const [one, other] = [await startTestApp(env), await startTestApp(env)]
    const [ann, bea] = [await makeUser(one), await makeUser(one)]
    await makeConnection(one, ann, bea)
    const stream = await openStream(other, bea)
    const beganAtMs = performance.now()
    expect((await one.call(startFocus, { sessionId: uuidv7(), timeZone: 'UTC' }, ann)).status).toBe(200)
    await stream.until((stream) => stream.of('presence').length === 1)
    expect(performance.now() - beganAtMs).toBeLessThan(1_000)
    stream.leave()
    await one.close()
    await other.close()
  })
})
