import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFocus, stopFocus } from '@deeb/core/focus/api'
import { readHome } from '@deeb/core/home/api'
import { readWeek } from '@deeb/core/stats/api'
import { readTeam, searchColleagues } from '@deeb/core/team/api'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { restoreBackup } from '../backup/restore-backup.ts'
import { writeBackup } from '../backup/write-backup.ts'
import { readConfig } from '../config.ts'
import { correctSums, correctTotals, findWrongSums, findWrongTotals } from '../focus/check-totals.ts'
import { startServer } from '../start-server.ts'
import { digestsOf, restoredDigestsOf } from '../testing/digests.ts'
import { PASSWORD } from '../testing/make.ts'
import { IS_SOAK } from '../testing/runs.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import { createTestDatabase, EMPTY, isOnPostgres, openEmptyDatabase } from '../testing/test-database.ts'
import type { Database } from './db.ts'
import { migrate } from './migrate.ts'
import { openConfigured } from './open.ts'

const MIGRATIONS = new URL('../../migrations/', import.meta.url)
const LIVED_THROUGH = new URL('../testing/fixtures/lived-through/', import.meta.url)

/** The first migrations landed together: nobody has a database that ends before the last of them. */
const FIRST = '0004_former_addresses.sql'

/** SHA-256 of each migration that landed. A new one is added here, and none is ever changed. */
const LANDED = {
  '0001_auth.sql': '238a0981e6ad0bb8253429255ad74db60974037cf03f98e2fb4b6477be71bbb1',
  '0002_product.sql': '66e6705d9df72991824c516b9d1cead27d52be51d3fec8a4152ee393bb017c99',
  '0003_outbox_by_time.sql': 'd074058bb155a5dc3d21675600dcad85239c1016d790d9004ea67559a00bbb5e',
  '0004_former_addresses.sql': 'c3c31c25084371a31f18a92356efcb4a47566cf44551c3494383ca8822b85733',
  '0005_history_and_corrections.sql': 'ee89aeaf4767b64ed9bf568c27901e240afe44970f085dcf471d9cb3fbbc700c',
  '0006_directory_search.sql': '48dc85a33ad82257620be3d49c718b855e5c3835566f20885b5e6ff66ca9d736',
  '0007_presence_versions.sql': '2a0d7ea12564ee07c60ed3713b0613c6aa049f42844ca1f4a2e758ab4db47106',
  '0008_open_since.sql': '5dbb6533caee2f7e18433973cc442d1c730893c608df87954c494218e1d8fd8f',
  '0009_mail_budgets.sql': '5db8a32b3bbab4c7e73c73fc37bf03c04ac354dca4cd3bcbed4ff489df761fc1',
  '0010_second_factor.sql': '98d4bd8c20e92ff42dd6f34115c008fc654e1fbbce9c38b1079c0d12e20dc589',
  '0011_daily_limits.sql': 'c58464c7d6428023eb100c804da92b0e9fa4857a28625446683bb4825a94573f',
}

const known = Object.keys(LANDED)
const withData = known.filter((name) => name >= FIRST)

test('no migration that landed has changed', async () => {
  const files = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort()
  const digests = files.map(async (name) => {
    const text = (await readFile(new URL(name, MIGRATIONS), 'utf8')).replaceAll('\r\n', '\n')
    return [name, createHash('sha256').update(text).digest('hex')]
  })
  expect(Object.fromEntries(await Promise.all(digests))).toEqual(LANDED)
})

test('of each migration there is what people did with its tables', async () => {
  expect((await readdir(LIVED_THROUGH)).sort()).toEqual(withData)
})

/** Fills an empty database as one that was there from the first version on, upgraded each time, and last to `newest`. */
async function liveUntil(newest: string, db: Database): Promise<void> {
  for (const name of withData.filter((name) => name <= newest)) {
    await migrate(db, name)
    await db.script(await readFile(new URL(name, LIVED_THROUGH), 'utf8'))
  }
}

const ANN = {
  userId: '00000000-0000-4000-8000-00000000000a',
  sessionId: '00000000-0000-4000-8000-0000000000aa',
  email: 'ann.meyer@fjordlab.example',
}
const OPEN_SESSION = '01970000-0000-7000-8000-000000000007'

function signIn(app: FastifyInstance, email = ANN.email) {
  const payload = { email, password: PASSWORD }
  return app.inject({ method: 'POST', url: '/auth/v1/token?grant_type=password', payload })
}

/** Each holds all of those before it. The embedded engine takes seconds to be made, so by default only the longest way. */
const starts = isOnPostgres() || IS_SOAK ? withData : [FIRST]

describe.each(starts)('data of %s', (newest) => {
  let testApp: TestApp
  let ann: { userId: string; email: string; accessToken: string; refreshToken: string }
  beforeAll(async () => {
    const db = await openEmptyDatabase()
    await liveUntil(newest, db)
    await migrate(db)
    testApp = await startTestApp({}, db)
    testApp.clock.set('2025-06-18T09:00:00Z')
    // A session from before the upgrade: nobody is signed out by it.
    const claims = { ...ANN, aal: 'aal1', amr: [], appMetadata: {}, userMetadata: {} }
    ann = { ...ANN, accessToken: await testApp.auth.accessTokens.sign(claims, testApp.clock.now()), refreshToken: '' }
  })
  afterAll(() => testApp.close())

  test('shows home as it was left, to who was signed in', async () => {
    const { body } = await testApp.call(readHome, { timeZone: 'Europe/Berlin' }, ann)
    expect(body).toMatchObject({
      profile: { id: ANN.userId, username: 'Ann', firstName: 'Ann', lastName: 'Meyer', email: ANN.email },
      openSession: { id: OPEN_SESSION, startedAt: '2025-06-18T08:15:00.000Z' },
      forgottenSession: { startedAt: '2025-06-10T05:00:00.000Z', endedAt: '2025-06-10T21:00:00.000Z' },
      today: { date: '2025-06-18', savedSeconds: 0 },
    })
    expect(body.goals.map(({ goalMinutes }) => goalMinutes)).toEqual(Array(7).fill(120))
  })

  test('signs everybody in with their password', async () => {
    for (const email of [ANN.email, 'ben@fjordlab.example', 'zoe@elsewhere.example']) {
      expect((await signIn(testApp.app, email)).statusCode).toBe(200)
    }
  })

  test('shows team, and colleagues to add', async () => {
    const { connections, requests } = (await testApp.call(readTeam, {}, ann)).body
    expect(connections.map(({ person }) => person.email)).toEqual(['ben@fjordlab.example'])
    expect(requests.map(({ email }) => email)).toEqual(['cleo.dahl@fjordlab.example'])
    const found = (await testApp.call(searchColleagues, { query: 'dan' }, ann)).body.people
    expect(found.map(({ email }) => email)).toEqual(['dan@fjordlab.example'])
  })

  test('shows the week against its goals, and the average of the weeks before', async () => {
    const { week, averageWeekMinutes } = (await testApp.call(readWeek, { timeZone: 'Europe/Berlin' }, ann)).body
    expect(week.map(({ savedSeconds }) => savedSeconds / 60)).toEqual([60, 0, 0, 0, 0, 0, 0])
    expect(week.map(({ goalMinutes }) => goalMinutes)).toEqual(Array(7).fill(120))
    // 150 + 30 + 60 + 180 minutes, and 16 hours.
    expect(averageWeekMinutes).toBe((420 + 960) / 2)
    expect(await findWrongSums(testApp.db)).toEqual([])
  })

  test('has totals as the sessions are, once a rebuild took out what was counted twice, and counts on', async () => {
    const doubled = { userId: ANN.userId, date: '2025-06-06', savedSeconds: 10_800, sessionSeconds: 9000 }
    expect(await findWrongTotals(testApp.db)).toEqual([doubled])
    expect(await correctTotals(testApp.db, [ANN.userId])).toEqual([doubled])
    await correctSums(testApp.db, await findWrongSums(testApp.db))
    expect([await findWrongTotals(testApp.db), await findWrongSums(testApp.db)]).toEqual([[], []])

    await testApp.call(stopFocus, { sessionId: OPEN_SESSION }, ann)
    const { week, averageWeekMinutes } = (await testApp.call(readWeek, { timeZone: 'Europe/Berlin' }, ann)).body
    expect(week.map(({ savedSeconds }) => savedSeconds / 60)).toEqual([60, 0, 45, 0, 0, 0, 0])
    // Of the three hours that were counted on 6 June, one half was counted twice.
    expect(averageWeekMinutes).toBe((390 + 960) / 2)

    const next = { sessionId: '01977f9a-0000-7000-8000-000000000001', timeZone: 'Europe/Berlin' }
    expect((await testApp.call(startFocus, next, ann)).status).toBe(200)
    expect((await testApp.call(stopFocus, next, ann)).status).toBe(200)
    expect([await findWrongTotals(testApp.db), await findWrongSums(testApp.db)]).toEqual([[], []])
  })
})

test('a backup of the first version restores into this one', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'deeb-upgrade-'))
  const file = join(folder, 'first.backup')
  const [first, restored] = [await openEmptyDatabase(), await openEmptyDatabase()]
  await liveUntil(FIRST, first)
  await writeBackup(first, file, new Date())
  await restoreBackup(restored, file)
  await migrate(first)
  expect(await digestsOf(restored)).toEqual(await restoredDigestsOf(first))
  await Promise.all([first.close(), restored.close()])
  await rm(folder, { recursive: true })
})

test('a server of this version starts on the folder or database of the first one, and signs people in', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'deeb-upgrade-'))
  const env = isOnPostgres() ? { DATABASE_URL: await createTestDatabase() } : {}
  const config = { ...readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'error', ...env }), port: 0 }
  const old = await openConfigured(config)
  await old.script(isOnPostgres() ? EMPTY : '')
  await liveUntil(FIRST, old)
  await old.close()

  let ask: FastifyInstance | undefined
  const server = await startServer(config, {
    extend: async (app) => {
      ask = app
    },
  })
  const answer = await signIn(ask as FastifyInstance)
  const { access_token } = answer.json()
  const headers = { authorization: `Bearer ${access_token}` }
  const home = await ask?.inject({ url: '/api/home?timeZone=UTC', headers })
  await server.stop()
  await rm(dataDir, { recursive: true })
  expect([answer.statusCode, home?.statusCode, home?.json().profile.username]).toEqual([200, 200, 'Ann'])
})
