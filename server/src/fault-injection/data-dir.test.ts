// Runs in npm run test:all, on the embedded engine.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import { openEmbedded } from '../db/embedded.ts'
import { migrate } from '../db/migrate.ts'
import { startChildServer } from '../testing/child-server.ts'
import { type FullDisk, fillableDisk } from '../testing/full-disk.ts'
import { expectAcknowledged } from '../testing/invariants.ts'
import { keepSwitching, type Switching } from '../testing/keep-switching.ts'
import { type MadeUser, makeUser, PASSWORD } from '../testing/make.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import { until } from '../testing/until.ts'
import { WITHOUT_DAILY_LIMIT, withoutLimits } from '../testing/without-limits.ts'

describe('a server on DATA_DIR', () => {
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
    const ready = await testApp.app.inject('/readyz')
    expect(ready.statusCode).toBe(503)
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

  test('threat 265: a full disk is not ready until a write succeeds, and one sentence says so', async () => {
    const logged = testApp.log.length
    const ready = async () => {
      const { statusCode, body } = await testApp.app.inject('/readyz')
      return [statusCode, JSON.parse(body).status]
    }
    let signUps = 0
    const signUp = async () => {
      const payload = { email: `${++signUps}@fjordlab.example`, password: PASSWORD }
      const request = {
        method: 'POST',
        url: '/auth/v1/signup',
        payload,
        remoteAddress: `10.0.0.${signUps % 250}`,
      } as const
      return (await testApp.app.inject(request)).statusCode
    }
    expect(await ready()).toEqual([200, 'ok'])
    disk.isFull = true
    await until(async () => (await signUp()) === 503)
    expect(await ready()).toEqual([503, 'disk-full'])
    const metrics = await testApp.app.inject('/metrics')
    expect(metrics.body).toContain('deeb_db_writes_fail 1')
    expect(metrics.body).toMatch(/^deeb_disk_free_bytes \d{6}/m)
    for (let n = 0; n < 5; n++) await signUp()
    const lines = testApp.log.slice(logged)
    expect(lines.filter((line) => line.includes('The disk of the database is full'))).toHaveLength(1)
    expect(lines.join('').length).toBeLessThan(2_000)
    disk.isFull = false
    await until(async () => (await signUp()) === 200)
    expect(await ready()).toEqual([200, 'ok'])
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
