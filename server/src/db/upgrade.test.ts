import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startFocus, stopFocus } from '@deeb/core/focus/api'
import { readHome } from '@deeb/core/home/api'
import { readWeek } from '@deeb/core/stats/api'
import { readTeam, searchColleagues } from '@deeb/core/team/api'
import type { FastifyInstance } from 'fastify'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { restoreBackup } from '../backup/restore-backup.ts'
import { writeBackup } from '../backup/write-backup.ts'
import { readConfig } from '../config/config.ts'
import { correctSums, correctTotals, findWrongSums, findWrongTotals } from '../focus/check-totals.ts'
import { startServer } from '../start/start-server.ts'
import { digestsOf, restoredDigestsOf } from '../testing/digests.ts'
import { changedSinceLanded } from '../testing/landed-migrations.ts'
import { PASSWORD } from '../testing/make.ts'
import { IS_SOAK } from '../testing/runs.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import { createTestDatabase, EMPTY, isOnPostgres, openEmptyDatabase, withDirectUrl } from '../testing/test-database.ts'
import { type Database, statement } from './db.ts'
import { migrate } from './migrate.ts'
import { openConfigured } from './open.ts'

const MIGRATIONS = new URL('../../migrations/', import.meta.url)
const FIXTURES = new URL('../testing/fixtures/lived-through/', import.meta.url)

/** The first migrations were released together: no database ends before the last of them. */
const FIRST = '0004_former_addresses.sql'

/** The last migration that could still be edited after its first commit, and the SHA-256 of all up to it. */
const LAST_EDITED = '0011_daily_limits.sql'
const EDITED_SHA_256 = '2e34f663ae85fa9d7f8ed850c57b99f3b45c727be890004322ebd6c7085ed18c'

const HAS_GIT = spawnSync('git', ['--version']).status === 0
const AS_ANYBODY = ['user.name=a', 'user.email=a@b.example', 'commit.gpgsign=false'].flatMap((word) => ['-c', word])

const known = (await readdir(MIGRATIONS)).filter((name) => name.endsWith('.sql')).sort()
const withData = (await readdir(FIXTURES)).sort()

describe('a released migration does not change', () => {
  test('up to 0011', async () => {
    const texts = known
      .filter((name) => name <= LAST_EDITED)
      .map(async (name) => (await readFile(new URL(name, MIGRATIONS), 'utf8')).replaceAll('\r\n', '\n'))
    const digest = createHash('sha256').update((await Promise.all(texts)).join(''))
    expect(digest.digest('hex')).toBe(EDITED_SHA_256)
  })

  test('after 0011: each is as it was first committed', () => {
    const changed = changedSinceLanded(fileURLToPath(MIGRATIONS), LAST_EDITED)
    if (changed === null) console.log('Skipped: the check for changed migrations needs the git history.')
    expect(changed ?? []).toEqual([])
  })

  test.runIf(HAS_GIT)('git finds an edited, removed or renamed migration, and allows a new one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'deeb-migrations-'))
    const git = (...words: string[]) => execFileSync('git', [...AS_ANYBODY, ...words], { cwd: folder, stdio: 'ignore' })
    expect(changedSinceLanded(folder, '')).toBe(null)
    git('init', '--quiet')
    for (const name of ['1_kept.sql', '2_edited.sql', '3_removed.sql', '4_renamed.sql']) {
      await writeFile(join(folder, name), `create table ${name} ();\n`)
    }
    git('add', '.')
    git('commit', '--quiet', '--message', 'one')
    expect(changedSinceLanded(folder, '')).toEqual([])
    await writeFile(join(folder, '2_edited.sql'), 'create table other ();\n')
    git('rm', '--quiet', '3_removed.sql')
    git('mv', '4_renamed.sql', '5_renamed.sql')
    git('commit', '--quiet', '--all', '--message', 'two')
    await writeFile(join(folder, '6_new.sql'), 'create table new ();\n')
    expect(changedSinceLanded(folder, '')?.sort()).toEqual(['2_edited.sql', '3_removed.sql', '4_renamed.sql'])
    await rm(folder, { recursive: true })
  })
})

const tableNames = statement(
  'test.table-names',
  `select schemaname || '.' || tablename as name from pg_tables where schemaname in ('auth', 'public')`,
)

/** Fills an empty database like one that was upgraded from the first version up to `newest`, with data of each version. */
async function upgradeThrough(newest: string, db: Database): Promise<void> {
  for (const name of withData.filter((name) => name <= newest)) {
    await migrate(db, name)
    await db.script(await readFile(new URL(name, FIXTURES), 'utf8'))
  }
}

test('each file of sample rows belongs to a migration, and every table has rows of one', async () => {
  expect(known).toEqual(expect.arrayContaining(withData))
  const db = await openEmptyDatabase()
  await upgradeThrough(withData.at(-1) ?? FIRST, db)
  await migrate(db)
  const tables = await db.query<{ name: string }>(tableNames)
  const empty: unknown[] = []
  for (const { name } of tables) {
    const [first] = await db.query(statement(`test.first-of-${name}`, `select 1 from ${name} limit 1`))
    if (!first) empty.push(name)
  }
  await db.close()
  expect(empty).toEqual([])
})

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

/** First versions to upgrade from. Creating an embedded database takes seconds, so by default only the longest path. */
const starts = isOnPostgres() || IS_SOAK ? withData : [FIRST]

describe.each(starts)('an upgrade of data from %s', (newest) => {
  let testApp: TestApp
  let ann: { userId: string; email: string; accessToken: string; refreshToken: string }
  beforeAll(async () => {
    const db = await openEmptyDatabase()
    await upgradeThrough(newest, db)
    await migrate(db)
    testApp = await startTestApp({}, db)
    testApp.clock.set('2025-06-18T09:00:00Z')
    // An auth session from before the upgrade stays valid.
    const claims = { ...ANN, aal: 'aal1', amr: [], appMetadata: {}, userMetadata: {} }
    ann = { ...ANN, accessToken: await testApp.auth.accessTokens.sign(claims, testApp.clock.now()), refreshToken: '' }
  })
  afterAll(() => testApp.close())

  test('keeps home and the auth session', async () => {
    const { body } = await testApp.call(readHome, { timeZone: 'Europe/Berlin' }, ann)
    expect(body).toMatchObject({
      profile: { id: ANN.userId, username: 'Ann', firstName: 'Ann', lastName: 'Meyer', email: ANN.email },
      openSession: { id: OPEN_SESSION, startedAt: '2025-06-18T08:15:00.000Z' },
      forgottenSession: { startedAt: '2025-06-10T05:00:00.000Z', endedAt: '2025-06-10T21:00:00.000Z' },
      today: { date: '2025-06-18', savedSeconds: 0 },
    })
    expect(body.goals.map(({ goalMinutes }) => goalMinutes)).toEqual(Array(7).fill(120))
  })

  test('keeps passwords', async () => {
    for (const email of [ANN.email, 'ben@fjordlab.example', 'zoe@elsewhere.example']) {
      expect((await signIn(testApp.app, email)).statusCode).toBe(200)
    }
  })

  test('keeps the team and the search', async () => {
    const { connections, requests } = (await testApp.call(readTeam, {}, ann)).body
    expect(connections.map(({ person }) => person.email)).toEqual(['ben@fjordlab.example'])
    expect(requests.map(({ email }) => email)).toEqual(['cleo.dahl@fjordlab.example'])
    const found = (await testApp.call(searchColleagues, { query: 'dan' }, ann)).body.people
    expect(found.map(({ email }) => email)).toEqual(['dan@fjordlab.example'])
  })

  test('keeps declined requests, and hides that of a former colleague from its requester', async () => {
    const declined = statement(
      'test.declined',
      `select email, taken_back as "isTakenBack" from team_connections join profiles on profiles.id = requester_id
       where status = 'declined' order by email`,
    )
    expect(await testApp.db.query(declined)).toEqual([
      { email: 'dan@fjordlab.example', isTakenBack: false },
      { email: 'zoe@elsewhere.example', isTakenBack: true },
    ])
  })

  test('keeps the week, its goals and the average of earlier weeks', async () => {
    const { week, averageWeekMinutes } = (await testApp.call(readWeek, { timeZone: 'Europe/Berlin' }, ann)).body
    expect(week.map(({ savedSeconds }) => savedSeconds / 60)).toEqual([60, 0, 0, 0, 0, 0, 0])
    expect(week.map(({ goalMinutes }) => goalMinutes)).toEqual(Array(7).fill(120))
    // 150 + 30 + 60 + 180 minutes, and 16 hours.
    expect(averageWeekMinutes).toBe((420 + 960) / 2)
    expect(await findWrongSums(testApp.db)).toEqual([])
  })

  test('has totals that match the sessions after a rebuild, and keeps counting', async () => {
    const doubled = { userId: ANN.userId, date: '2025-06-06', savedSeconds: 10_800, sessionSeconds: 9000 }
    expect(await findWrongTotals(testApp.db)).toEqual([doubled])
    expect(await correctTotals(testApp.db, [ANN.userId])).toEqual([doubled])
    await correctSums(testApp.db, await findWrongSums(testApp.db))
    expect([await findWrongTotals(testApp.db), await findWrongSums(testApp.db)]).toEqual([[], []])

    await testApp.call(stopFocus, { sessionId: OPEN_SESSION }, ann)
    const { week, averageWeekMinutes } = (await testApp.call(readWeek, { timeZone: 'Europe/Berlin' }, ann)).body
    expect(week.map(({ savedSeconds }) => savedSeconds / 60)).toEqual([60, 0, 45, 0, 0, 0, 0])
    // Of the three hours counted on 6 June, half an hour was counted twice.
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
  await upgradeThrough(FIRST, first)
  await writeBackup(first, file, new Date())
  await restoreBackup(restored, file)
  await migrate(first)
  expect(await digestsOf(restored)).toEqual(await restoredDigestsOf(first))
  await Promise.all([first.close(), restored.close()])
  await rm(folder, { recursive: true })
})

test('this version starts on the folder or database of the first one, and sign-in works', async () => {
  const dataDir = await mkdtemp(join(tmpdir(), 'deeb-upgrade-'))
  const env = isOnPostgres() ? withDirectUrl({ DATABASE_URL: await createTestDatabase() }) : {}
  const config = {
    ...readConfig({ DATA_DIR: dataDir, DEEB_SECRET: 'ab'.repeat(32), LOG_LEVEL: 'error', ...env }),
    port: 0,
  }
  const old = await openConfigured(config, { mayCreate: true })
  await old.script(isOnPostgres() ? EMPTY : '')
  await upgradeThrough(FIRST, old)
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
