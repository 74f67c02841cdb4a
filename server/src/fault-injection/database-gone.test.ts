// Runs in npm run test:all.
import { startFocus, stopFocus } from '@deeb/core/focus/api'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { openPostgres, statement } from '../db/db.ts'
import { migrate } from '../db/migrate.ts'
import { expectConsistent } from '../testing/invariants.ts'
import { waitingForLocks } from '../testing/lock-waits.ts'
import { makeUser } from '../testing/make.ts'
import { findBinaries, type OwnPostgres, startOwnPostgres } from '../testing/postgres-server.ts'
import { openServers } from '../testing/servers.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { until } from '../testing/until.ts'

const isEmbedded = inject('template').engine === 'embedded'
const canRunOurs = !isEmbedded && (await findBinaries()) !== null
if (!isEmbedded && !canRunOurs) console.log('Skipped: the crash of PostgreSQL, since no binaries are usable here.')

describe.skipIf(!canRunOurs)('a PostgreSQL that crashes and restarts', () => {
  let postgres: OwnPostgres
  beforeAll(async () => {
    postgres = await startOwnPostgres()
  })
  afterAll(() => postgres.stop())

  test('causes 503 while it is down, and afterwards the server recovers without losing data', async () => {
    const db = await openPostgres(`${postgres.url}/postgres`)
    await migrate(db)
    await db.close()
    const servers = await openServers(`${postgres.url}/postgres`)
    onTestFinished(() => servers.close())
    const server = await servers.start()
    const switching = servers.switching([server])
    onTestFinished(() => switching.stop())
    const more = (count: number) => {
      const enough = switching.acknowledged.size + count
      return until(() => switching.acknowledged.size > enough)
    }
    const status = async (path: string, init: RequestInit = {}) => (await fetch(server.origin + path, init)).status
    await more(20)

    await postgres.crash()
    const before = switching.retries()
    await until(() => switching.retries() > before + 10)
    expect([await status('/healthz'), await status('/metrics')]).toEqual([503, 200])
    await until(() => server.output().includes('The database does not answer since'))
    // A status below 500 would sign the user out.
    const [person] = servers.people
    const body = JSON.stringify({ refresh_token: person?.refreshToken })
    const headers = { 'content-type': 'application/json' }
    const refresh = () => status('/auth/v1/token?grant_type=refresh_token', { method: 'POST', headers, body })
    expect(await refresh()).toBe(503)

    await postgres.start()
    await more(20)
    expect([await status('/healthz'), await refresh()]).toEqual([200, 200])
    expect(server.output()).toContain('The database works again. It did not since')
    // One sentence at the start and one at the end, instead of each failure with its stack.
    expect(
      server
        .output()
        .split('\n')
        .filter((line) => /ECONNREFUSED|terminat|57P0/.test(line)).length,
    ).toBeLessThan(5)
    await switching.stop()
    await servers.expectAcknowledged(switching)
  })
})

describe.skipIf(isEmbedded)('a database connection that is cut during a switch', () => {
  let testApp: TestApp
  beforeAll(async () => {
    testApp = await startTestApp({ DATABASE_URL: await createTestDatabase() })
  })
  afterAll(() => testApp.close())

  const cut = statement('test.cut', 'select pg_terminate_backend(:pid)')
  const hold = statement('test.hold', 'select from user_presence where user_id = :userId for update')

  test.each(['on', 'off'] as const)('causes 503 for the switch %s, and a retry succeeds', async (to) => {
    const ann = await makeUser(testApp)
    const sessionId = uuidv7()
    const switchOn = () => testApp.call(startFocus, { sessionId, timeZone: 'UTC' }, ann)
    const act = to === 'on' ? switchOn : () => testApp.call(stopFocus, { sessionId }, ann)
    if (to === 'off') await switchOn()
    testApp.clock.advance({ minutes: 5 })

    const cutOff = await testApp.db.transaction(async (db) => {
      await db.query(hold, { userId: ann.userId })
      const answer = act()
      const pid = await until(async () => (await waitingForLocks(testApp.db))[0])
      await testApp.db.query(cut, { pid })
      return answer
    })
    expect([cutOff.status, cutOff.error.code]).toEqual([503, 'unavailable'])

    expect((await act()).status).toBe(200)
    expect((await act()).status).toBe(200)
    await expectConsistent(testApp, ann)
    const [sum] = await testApp.db.query<{ sum: number }>(
      statement(
        'test.sum',
        'select coalesce(sum(total_seconds), 0)::int as sum from daily_stats where user_id = :userId',
      ),
      { userId: ann.userId },
    )
    expect(sum).toEqual({ sum: to === 'on' ? 0 : 300 })
  })
})
