import { startFocus, stopFocus } from '@deeb/core/focus/api'
import { correctSession, discardSession } from '@deeb/core/sessions/api'
import pg from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openPostgres } from '../db/db.ts'
import { expectConsistent } from '../testing/invariants.ts'
import { waitingForLocks } from '../testing/lock-waits.ts'
import { type MadeUser, makeUser } from '../testing/make.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import { createTestDatabase, isOnPostgres } from '../testing/test-database.ts'
import { until } from '../testing/until.ts'

/** PostgreSQL only: the embedded engine runs one statement after the other. */
describe.runIf(isOnPostgres())('a stop and a concurrent change of an earlier session of the same day', () => {
  let testApp: TestApp
  /** A separate connection that holds a row lock. */
  let side: pg.Client
  beforeAll(async () => {
    const url = await createTestDatabase()
    testApp = await startTestApp({}, await openPostgres(url))
    side = new pg.Client(url)
    await side.connect()
  })
  afterAll(async () => {
    await side.end()
    await testApp.close()
  })

  const at = (time: string) => `2026-06-15T${time}:00.000Z`

  async function start(user: MadeUser, time: string): Promise<string> {
    const sessionId = uuidv7()
    testApp.clock.set(at(time))
    await testApp.call(startFocus, { sessionId, timeZone: 'UTC' }, user)
    return sessionId
  }

  async function untilWaiting(number: number): Promise<void> {
    const areWaiting = async () => (await waitingForLocks(testApp.db)).length === number
    await until(areWaiting)
  }

  test.each([
    [
      'corrected',
      (sessionId: string, user: MadeUser) => testApp.call(correctSession, { sessionId, endedAt: at('06:40') }, user),
    ],
    ['deleted', (sessionId: string, user: MadeUser) => testApp.call(discardSession, { sessionId }, user)],
  ])('do not deadlock when that is %s', async (_, change) => {
    const ann = await makeUser(testApp)
    const earlier = await start(ann, '06:00')
    testApp.clock.set(at('06:30'))
    await testApp.call(stopFocus, { sessionId: earlier }, ann)
    const open = await start(ann, '08:00')
    testApp.clock.set(at('09:00'))

    // Both wait for the row lock on presence. If one of them already held its daily total, the two would deadlock.
    await side.query('begin')
    await side.query('select from user_presence where user_id = $1 for update', [ann.userId])
    const changing = change(earlier, ann)
    await untilWaiting(1)
    const stopping = testApp.call(stopFocus, { sessionId: open }, ann)
    await untilWaiting(2)
    await side.query('commit')
    expect([(await changing).status, (await stopping).status]).toEqual([200, 200])
    await expectConsistent(testApp, ann)

    await side.query('select pg_stat_force_next_flush()')
    const counted = 'select deadlocks::int from pg_stat_database where datname = current_database()'
    expect((await side.query(counted)).rows).toEqual([{ deadlocks: 0 }])
  })
})
