import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { openEmbedded } from '../db/embedded.ts'
import { migrate } from '../db/migrate.ts'
import { startChildServer } from '../testing/child-server.ts'
import { type FullDisk, fillableDisk } from '../testing/full-disk.ts'
import { expectAcknowledged } from '../testing/invariants.ts'
import { keepSwitching, type Switching } from '../testing/keep-switching.ts'
import { type MadeUser, makeUser } from '../testing/make.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import { until } from '../testing/until.ts'
import { WITHOUT_DAILY_LIMIT, withoutLimits } from '../testing/without-limits.ts'

describe.skipIf(inject('template').engine === 'postgresql')('a server on DATA_DIR', () => {
  let disk: FullDisk
  let dataDir: string
  let testApp: TestApp
  let origin: string
  let people: MadeUser[]
  beforeAll(async () => {
    disk = fillableDisk()
    dataDir = await mkdtemp(join(tmpdir(), 'deeb-data-'))
    const db = await openEmbedded(dataDir)
    await migrate(db)
    testApp = await startTestApp({}, db, { callLimitStore: withoutLimits() })
    await db.script(WITHOUT_DAILY_LIMIT)
    origin = await testApp.app.listen({ host: '127.0.0.1', port: 0 })
    // The clock of the app does not move by itself, so these tokens do not expire.
    people = [await makeUser(testApp), await makeUser(testApp), await makeUser(testApp)]
  })
  afterAll(async () => {
    disk.restore()
    await testApp.close()
    await rm(dataDir, { recursive: true, force: true })
  })

  const more = (switching: Switching, count: number) => {
    const enough = switching.acknowledged.size + count
    return until(() => switching.acknowledged.size > enough)
  }

  test('responds with 503 while the disk is full, even if the database crashes, and recovers without a restart', async () => {
    const logged = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    onTestFinished(() => logged.mockRestore())
    const switching = keepSwitching([origin], people)
    onTestFinished(() => switching.stop())
    await more(switching, 20)

    disk.isFull = true
    // Forces a new WAL file, for which the disk has no space.
    await testApp.db.script('select pg_switch_wal()').catch(() => undefined)
    const before = switching.retries()
    await until(() => switching.retries() > before + 10)
    const health = await testApp.app.inject('/healthz')
    expect([health.statusCode, health.json().code, health.headers['retry-after']]).toEqual([503, 'unavailable', '5'])
    const payload = { refresh_token: people[0]?.refreshToken }
    const url = '/auth/v1/token?grant_type=refresh_token'
    const refresh = async () => (await testApp.app.inject({ method: 'POST', url, payload })).statusCode
    // A status below 500 would sign the user out.
    expect(await refresh()).toBe(503)
    expect(logged).toHaveBeenCalledWith(expect.stringContaining('No space left on device'))

    testApp.clock.advance({ minutes: 5 })
    disk.isFull = false
    await more(switching, 20)
    expect(await refresh()).toBe(200)
    await switching.stop()
    await expectAcknowledged(testApp, people, switching)
  })

  test('locks DATA_DIR: a second server does not start, and the first continues', async () => {
    await expect(startChildServer({ DATA_DIR: dataDir })).rejects.toThrow(
      `The server ended with code 1: deeb cannot start: Another deeb is running on ${dataDir}. Stop it first.\n`,
    )
    const switching = keepSwitching([origin], people)
    await more(switching, 3)
    await switching.stop()
    expect(switching.retries()).toBe(0)
  })
})
