// Runs in npm run test:all, on PostgreSQL.
import { startFocus } from '@deeb/core/focus/api'
import { readHome } from '@deeb/core/home/api'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { type Database, openPostgres, statement } from '../db/db.ts'
import { migrate } from '../db/migrate.ts'
import { type MadeUser, makeUser } from '../testing/make.ts'
import { findBinaries, type OwnPostgres, startOwnPostgres } from '../testing/postgres-server.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import { until } from '../testing/until.ts'

const isEmbedded = inject('template').engine === 'embedded'
const canRunOurs = !isEmbedded && (await findBinaries()) !== null
if (!isEmbedded && !canRunOurs) console.log('Skipped: the loss of a standby, since no binaries are usable here.')

const backends = statement(
  'test.backends',
  `select count(*)::int as count from pg_stat_activity where backend_type = 'client backend' and pid <> pg_backend_pid()`,
)

/** 14 connections of the pool and 2 with pipelining. The bus of this app is within the process. */
const MAX_BACKENDS = 16

describe.skipIf(!canRunOurs)('threat 210: a synchronous standby that is lost', () => {
  let postgres: OwnPostgres
  let outside: Database
  let testApp: TestApp
  let people: MadeUser[]
  beforeAll(async () => {
    postgres = await startOwnPostgres()
    outside = await openPostgres(`${postgres.url}/postgres`, { isPatient: true })
    await migrate(outside)
    const db = await openPostgres(`${postgres.url}/postgres`, { statementMs: 500, silenceMs: 1_000 })
    testApp = await startTestApp({}, db)
    people = await Promise.all(Array.from({ length: 40 }, () => makeUser(testApp)))
  })
  afterAll(async () => {
    await testApp.close()
    await outside.close()
    await postgres.stop()
  })

  async function set(setting: string): Promise<void> {
    await outside.script(`alter system ${setting}`)
    await outside.script('select pg_reload_conf()')
  }

  const status = async (url: string) => {
    const answer = await testApp.app.inject(url)
    return [answer.statusCode, answer.json().status]
  }
  const press = (person: MadeUser) => testApp.call(startFocus, { sessionId: uuidv7(), timeZone: 'UTC' }, person)

  test('stops switches, uses up no more connections than the pool has, and leaves reads alone', async () => {
    await set("set synchronous_standby_names = 'nobody'")
    let isPressing = true
    const seen: number[] = []
    const pressing = people.map(async (person) => {
      while (isPressing) expect((await press(person)).status).toBe(503)
    })
    await until(() => testApp.db.load().abandoned === 14)
    await until(async () => (await status('/readyz'))[0] === 503)
    for (const person of people) {
      seen.push((await outside.query<{ count: number }>(backends))[0]?.count ?? 0)
      expect((await testApp.call(readHome, { timeZone: 'UTC' }, person)).status).toBe(200)
    }
    expect(Math.max(...seen)).toBeLessThanOrEqual(MAX_BACKENDS)
    expect(await status('/healthz')).toEqual([200, 'ok'])
    expect(await status('/readyz')).toEqual([503, 'waits-for-standby'])
    isPressing = false

    await set('reset synchronous_standby_names')
    const lostAtMs = performance.now()
    await until(async () => people[0] && (await press(people[0])).status === 200)
    expect(performance.now() - lostAtMs).toBeLessThan(5_000)
    await until(() => testApp.db.load().abandoned === 0)
    expect(await status('/readyz')).toEqual([200, 'ok'])
    await Promise.all(pressing)
  })

  test('a database that is read-only or a standby is alive but not ready', async () => {
    await set('set default_transaction_read_only = on')
    await until(async () => (await status('/readyz'))[1] === 'read-only')
    expect(await status('/healthz')).toEqual([200, 'ok'])
    const [person] = people
    expect(person && (await testApp.call(readHome, { timeZone: 'UTC' }, person)).status).toBe(200)
    await set('reset default_transaction_read_only')
    await until(async () => (await status('/readyz'))[0] === 200)
  })
})
