// Runs in npm run test:all.
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { createCalendarLink } from '@deeb/core/calendar/api'
import { createCase } from '@deeb/core/cases/api'
import { hidePerson } from '@deeb/core/circles/api'
import { replaySwitches, startFocus, stopFocus } from '@deeb/core/focus/api'
import { saveGoals } from '@deeb/core/goals/api'
import { readHome } from '@deeb/core/home/api'
import { createSign } from '@deeb/core/signs/api'
import { PGlite } from '@electric-sql/pglite'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, expect } from 'vitest'
import { ADMIN_SOCKET } from '../admin/ask-server.ts'
import { backup, fetchTo, restore } from '../admin/backups.ts'
import { serveCommands } from '../admin/serve-commands.ts'
import { type Config, readConfig } from '../config/config.ts'
import { type Database, statement } from '../db/db.ts'
import { EXTENSIONS, openPglite } from '../db/embedded.ts'
import { localSocket } from '../db/local-socket.ts'
import { BASELINE, FOLDED, migrate } from '../db/migrate.ts'
import { openConfigured, openMigrated } from '../db/open.ts'
import { startServer } from '../start/start-server.ts'
import { writeBackup } from '../testing/backups.ts'
import { makeCircle } from '../testing/circles.ts'
import { addCompany, connectIdentity } from '../testing/company.ts'
import { digestsOf, restoredDigestsOf } from '../testing/digests.ts'
import { expectConsistent } from '../testing/invariants.ts'
import { type MadeUser, makeConnection, makePersonalToken, makeUser } from '../testing/make.ts'
import { test as base } from '../testing/test.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import {
  claimMigrations,
  createTestDatabase,
  isOnPostgres,
  openEmptyDatabase,
  withDirectUrl,
} from '../testing/test-database.ts'
import { until } from '../testing/until.ts'
import { makeNewFile } from './new-file.ts'
import { restoreBackup } from './restore-backup.ts'

const test = base
  /** Writes rows to all tables, with difficult values: bytes, infinity, generated columns, Unicode line separators. */
  .extend(
    'fillTables',
    { scope: 'file' },
    ({ app, clock, people }) =>
      async function fillTables(): Promise<MadeUser> {
        const [ann, ben] = await people(2)
        await makeConnection(app, ann, ben)
        await makeCircle(app, [ann, ben])
        await app.call(hidePerson, { userId: ben.userId, isHidden: true }, ann)
        const goals = [0, 1, 2, 3, 4, 5, 6].map((dayOfWeek) => ({ dayOfWeek, goalMinutes: 60 }))
        await app.call(saveGoals, { goals }, ann)
        await app.call(createCalendarLink, {}, ann)
        await app.call(createSign, { label: 'Office', showsName: true, showsUntil: true }, ann)
        await app.call(createCase, {}, ann)
        await makePersonalToken(app, ann, ['switch'])
        for (let round = 0; round < 3; round++) {
          const sessionId = uuidv7()
          await app.call(startFocus, { sessionId, timeZone: 'Asia/Kathmandu', targetMinutes: 90 }, ann)
          await app.call(startFocus, { sessionId: uuidv7(), timeZone: 'UTC' }, ann)
          const [actedAt, pressId] = [clock.now().toISOString(), randomUUID()]
          const changes = [{ to: 'interrupted' as const, sessionId, pressId, actedAt }]
          await app.call(replaySwitches, { sentAt: actedAt, changes }, ann)
          clock.advance({ minutes: 50, seconds: 7 })
          if (round < 2) await app.call(stopFocus, { sessionId }, ann)
          clock.advance({ hours: 4 })
        }
        const providerId = await addCompany(app.db, 'fjordlab.example')
        await connectIdentity(app.db, { userId: ann.userId, providerId })
        await app.db.script(`
    update auth.users set raw_user_meta_data = jsonb_build_object('note', E'a\\u2028b\\nc\\\\d"' || chr(7), 'n', 12345678901234567890)
      where id = '${ann.userId}';
    update daily_goals set saved_at = '-infinity' where user_id = '${ann.userId}' and day_of_week = 1;
    insert into auth.mfa_factors (id, user_id, factor_type, status, secret, last_step, created_at, updated_at)
      values (gen_random_uuid(), '${ann.userId}', 'totp', 'verified', '\\x00ff0a', 9007199254740993, now(), now());
    insert into auth.mfa_challenges (id, factor_id, created_at) select gen_random_uuid(), id, now() from auth.mfa_factors;
    insert into auth.outbox (id, kind, recipient, subject, body, created_at, next_try_at)
      values (gen_random_uuid(), 'confirm', 'a', '', '', now(), 'infinity');
    insert into auth.flow_state (id, provider_id, auth_code_hash, code_challenge, claims, idp_refresh_token, created_at)
      select gen_random_uuid(), id, '\\x00ff', '', '{"sub": "1"}', '\\x0a00', now() from auth.sso_providers;
    insert into auth.spent_tokens (hash, expires_at) values ('\\x00', 'infinity');
    insert into auth.guesses (key, misses, last_at) values (sha256('a'), 1, now());
    insert into click_analytics (id, button_name, page, user_session, created_at)
      select gen_random_uuid(), 'a', 'b', 'c', now() from generate_series(1, 2300)`)
        return ann
      },
  )

/** Runs administration commands on the database of `app`, as the server of an embedded one. */
function serve({ db, auth }: TestApp, now: () => Date, dataDir = auth.config.dataDir) {
  const config = { ...auth.config, dataDir }
  return serveCommands({ config, db, now, publish: () => undefined, onError: () => undefined })
}

let dataDir: string
let stopCommands: () => Promise<void>
let folder: string
let ann: MadeUser
test.beforeAll(async ({ app, clock, fillTables }) => {
  dataDir = app.auth.config.dataDir
  stopCommands = await serve(app, clock.now)
  folder = await mkdtemp(join(tmpdir(), 'deeb-backup-'))
  ann = await fillTables()
})
afterAll(async () => {
  await stopCommands()
  await rm(folder, { recursive: true })
})

const path = () => join(folder, `${uuidv7()}.deeb`)
/** Restores the file, which fails if it is incomplete or damaged. */
async function expectComplete(file: string): Promise<void> {
  const restored = await openEmptyDatabase()
  await restoreBackup(restored, file)
  await restored.close()
}

const presenceOf = (db: Database) =>
  db.query(statement('test.presence', 'select user_id, current_session_id from user_presence order by user_id'))

test('a restored database has the same rows in every table and the same sequences', async ({ app, clock }) => {
  const file = path()
  const { digests } = await writeBackup(app.db, file, clock.now())
  expect((await stat(file)).mode & 0o777).toBe(0o600)
  expect(digests.click_analytics?.rows).toBe(2300)
  // Those of a company's directory, of required second factors, of push messages, of status in chat, of signs of circles, of quiet times, of knocks, of webhooks and of the secret have none.
  expect(Object.values(digests).filter(({ rows }) => rows === 0).length).toBeLessThan(31)
  const restored = await openEmptyDatabase()
  await restoreBackup(restored, file)
  expect(await digestsOf(restored)).toEqual(await restoredDigestsOf(app.db))
  await expectConsistent({ ...app, db: restored }, ann)
  expect(await presenceOf(restored)).toEqual(await presenceOf(app.db))
  const next = statement('test.next', "select nextval('auth.audit_log_id_seq')::text as id")
  expect(await restored.query(next)).toEqual(await app.db.query(next))
  await restored.close()
})

test('threat 140: a backup of an open session has no target', async ({ app, clock }) => {
  const targets = (db: Database) =>
    db.query(statement('test.targets', 'select target_minutes from deeb_sessions where is_active'))
  expect(await targets(app.db)).toEqual([{ target_minutes: 90 }])
  const file = path()
  await writeBackup(app.db, file, clock.now())
  expect(gunzipSync(await readFile(file)).toString()).not.toMatch(/"target_minutes": ?\d/)
  const restored = await openEmptyDatabase()
  await restoreBackup(restored, file)
  expect(await targets(restored)).toEqual([{ target_minutes: null }])
  await restored.close()
})

test('presence versions after a restore are newer than all versions before it, also after a second restore', async () => {
  const env = { DEEB_SECRET: 'ab'.repeat(32) }
  const file = path()
  let source = await startTestApp(env)
  const bea = await makeUser(source)
  await writeBackup(source.db, file, source.clock.now())
  const versionAfterSwitch = async () => {
    await source.call(startFocus, { sessionId: uuidv7(), timeZone: 'UTC' }, bea)
    const { version } = (await source.call(readHome, { timeZone: 'UTC' }, bea)).body
    await source.close()
    return version
  }
  const versions = [await versionAfterSwitch()]
  for (let restores = 0; restores < 2; restores++) {
    const restored = await openEmptyDatabase()
    await restoreBackup(restored, file)
    source = await startTestApp(env, restored)
    expect((await source.call(readHome, { timeZone: 'UTC' }, bea)).body.version).toBeGreaterThan(Math.max(...versions))
    versions.push(await versionAfterSwitch())
  }
  expect(versions).toEqual([...versions].sort((a, b) => a - b))
})

test('a backup of either engine restores into the other', async ({ app, clock }) => {
  const [there, back] = [path(), path()]
  await writeBackup(app.db, there, clock.now())
  const embedded = await openPglite(await PGlite.create('memory://', { extensions: EXTENSIONS }))
  await restoreBackup(embedded, there)
  expect(await digestsOf(embedded)).toEqual(await restoredDigestsOf(app.db))
  const other = await startTestApp({}, embedded)
  await makeConnection(other, await makeUser(other), await makeUser(other))
  await writeBackup(embedded, back, clock.now())
  const restored = await openEmptyDatabase()
  await restoreBackup(restored, back)
  expect(await digestsOf(restored)).toEqual(await restoredDigestsOf(embedded))
  await restored.close()
  await other.close()
})

test('a backup is a consistent snapshot during concurrent writes', async ({ app, clock, skip }) => {
  if (app.db.engine === 'embedded') skip('the embedded database has no concurrent writes')
  const file = path()
  await app.db.script('delete from email_leads; delete from auth.audit_log')
  const writeBoth = () =>
    app.db.script(`
      insert into email_leads (id, email, source, created_at)
        select id, id::text, 'coming_soon_page', now() from gen_random_uuid() as id;
      insert into auth.audit_log (at, action) values (now(), 'login')`)
  let isDone = false
  const writing = Array.from({ length: 3 }, async () => {
    while (!isDone) await writeBoth()
  })
  const { digests } = await writeBackup(app.db, file, clock.now()).finally(() => {
    isDone = true
  })
  await Promise.all(writing)
  expect(digests['auth.audit_log']?.rows).toBeGreaterThan(0)
  expect(digests.email_leads?.rows).toBe(digests['auth.audit_log']?.rows)
  await expectComplete(file)
})

test('restore refuses a database that is not empty, and backup an existing file', async ({ app, clock }) => {
  const file = path()
  await writeBackup(app.db, file, clock.now())
  const before = await digestsOf(app.db)
  await expect(restoreBackup(app.db, file)).rejects.toThrow('The database is not empty')
  expect(await digestsOf(app.db)).toEqual(before)
  await expect(writeBackup(app.db, file, clock.now())).rejects.toThrow('already exists')
})

test('threat 95: restore changes nothing in an older database that is not empty', async ({ app, clock }) => {
  const file = path()
  await writeBackup(app.db, file, clock.now())
  const older = await openEmptyDatabase()
  await migrate(older)
  await claimMigrations(older, FOLDED)
  const lead = "(gen_random_uuid(), 'ann@fjordlab.example', 'coming_soon_page', now())"
  await older.script(`insert into email_leads values ${lead}`)
  const migrations = statement('test.migrations', 'select * from schema_migrations order by name')
  const [digests, applied] = [await digestsOf(older), await older.query(migrations)]
  await expect(restoreBackup(older, file)).rejects.toThrow('The database is not empty (email_leads has rows)')
  expect(await older.query(migrations)).toEqual(applied)
  expect(await digestsOf(older)).toEqual(digests)
  await older.close()
})

test('a backup of the last version before the baseline restores', async ({ clock }) => {
  const [before, file] = [await openEmptyDatabase(), path()]
  await migrate(before, BASELINE)
  await before.script("insert into known_secrets values ('a', now())")
  await claimMigrations(before, FOLDED)
  await writeBackup(before, file, clock.now())
  const restored = await openEmptyDatabase()
  await restoreBackup(restored, file)
  expect(await digestsOf(restored)).toMatchObject(await restoredDigestsOf(before))
  await Promise.all([before.close(), restored.close()])
})

test.for<[string, (text: string) => string, string]>([
  ['that is cut off at a line', (text) => text.slice(0, text.indexOf('\nE')), 'its end is missing'],
  ['with a missing row', (text) => text.replace(/\nR[^\n]*"button_name"[^\n]*/, ''), 'damaged: click_analytics'],
  ['with a changed value', (text) => text.replace('"goal_minutes": 60', '"goal_minutes": 61'), 'daily_goal'],
  ['of a newer version', (text) => text.replace(/"migration":"/, '"migration":"9'), 'made by a newer version'],
  [
    'of an older version',
    (text) => text.replace(/"migration":"[\w.]+/, '"migration":"0004_former_addresses.sql'),
    'older version',
  ],
  ['of another kind', () => 'hello\n', 'not a backup of deeb'],
])('a file %s leaves the database empty', async ([_, damage, sentence], { app, clock }) => {
  const [complete, damaged] = [path(), path()]
  await writeBackup(app.db, complete, clock.now())
  await writeFile(damaged, gzipSync(damage(gunzipSync(await readFile(complete)).toString())))
  const db = await openEmptyDatabase()
  await expect(restoreBackup(db, damaged)).rejects.toThrow(sentence)
  await migrate(db)
  expect(Object.values(await digestsOf(db)).every(({ rows }) => rows === 0)).toBe(true)
  await db.close()
})

test('restore refuses a truncated file with an error message', async ({ app, clock }) => {
  const [complete, damaged] = [path(), path()]
  await writeBackup(app.db, complete, clock.now())
  await writeFile(damaged, (await readFile(complete)).subarray(0, 9_000))
  const db = await openEmptyDatabase()
  await expect(restoreBackup(db, damaged)).rejects.toThrow('is not a complete backup')
  await db.close()
})

test('backup refuses a database without tables of deeb', async ({ clock }) => {
  const other = await openEmptyDatabase()
  await expect(writeBackup(other, path(), clock.now())).rejects.toThrow('This database has no tables of deeb.')
  await other.close()
})

// It opens an embedded database five times, each in seconds.
test('the admin commands back up one database and restore into another', async () => {
  const [oneDir, otherDir] = [join(folder, 'data'), join(folder, 'other-data')]
  const urls = isOnPostgres() ? await Promise.all([createTestDatabase(), createTestDatabase()]) : []
  const configs = [oneDir, otherDir].map((DATA_DIR, index) =>
    readConfig(withDirectUrl({ DATA_DIR, ...(urls[index] && { DATABASE_URL: urls[index] }) })),
  )
  const [one, other] = configs as [Config, Config]
  const db = await openMigrated(one)
  await db.script(
    "insert into email_leads values (gen_random_uuid(), 'ann@fjordlab.example', 'coming_soon_page', now())",
  )
  const digests = await digestsOf(db)
  await db.close()

  const file = path()
  expect(await backup(one, file)).toEqual([`Wrote ${file}.`, expect.stringContaining(`Keep ${oneDir}/secret too`)])
  expect(await restore(other, file)).toEqual([expect.stringMatching(/^Restored \d+ rows of \d+ tables/)])
  const restored = await openConfigured(other)
  expect((await digestsOf(restored)).email_leads).toEqual(digests.email_leads)
  await restored.close()
  await expect(restore(other, file)).rejects.toThrow('The database is not empty')
})

test('a backup that fails leaves no file', async ({ clock }) => {
  const gone = await openEmptyDatabase()
  await gone.close()
  const file = path()
  await expect(writeBackup(gone, file, clock.now())).rejects.toThrow()
  expect((await readdir(folder)).filter((name) => file.endsWith(name) || name.endsWith('.part'))).toEqual([])
})

/** A backup that the server of that folder makes. */
const fetchBackup = (dataDir: string, file: string) => makeNewFile(file, (open) => fetchTo(dataDir, open))

const made = async (file: string) => (await readdir(folder)).filter((name) => name.startsWith(basename(file)))

test('a backup that hangs and fails does not disturb the next one to the same file', async ({ app, clock }) => {
  const file = path()
  let end = () => {}
  const hanging = new Promise<never>((_, reject) => {
    end = () => reject(new Error('The connection is gone.'))
  })
  const transaction: Database['transaction'] = (work) => work({ ...app.db, script: () => hanging })
  const first = writeBackup({ ...app.db, transaction }, file, clock.now())
  await until(async () => (await made(file)).length === 1)
  await writeBackup(app.db, file, clock.now())
  end()
  await expect(first).rejects.toThrow('The connection is gone.')
  expect(await made(file)).toEqual([basename(file)])
  await expectComplete(file)
})

test('of two concurrent backups to one file, the first complete one wins', async () => {
  const file = path()
  const slow = createServer((_, answer) => answer.write('first half'))
  const asked = once(slow, 'request') as Promise<[unknown, ServerResponse]>
  const slowDir = await mkdtemp(join(folder, 'slow-'))
  await once(slow.listen(await localSocket(slowDir, ADMIN_SOCKET)), 'listening')
  const first = fetchBackup(slowDir, file)
  const [, answer] = await asked
  await until(async () => (await made(file)).length === 1)
  await fetchBackup(dataDir, file)
  answer.end('second half')
  await expect(first).rejects.toThrow('already exists')
  slow.close()
  expect(await made(file)).toEqual([basename(file)])
  await expectComplete(file)
})

test('a server that cannot make the backup leaves no file', async () => {
  const file = path()
  await expect(fetchBackup(await mkdtemp(join(folder, 'nobody-')), file)).rejects.toThrow('did not do it')
  const cut = createServer((_, answer) => void answer.write('first half', () => answer.destroy()))
  const cutDir = await mkdtemp(join(folder, 'cut-'))
  await once(cut.listen(await localSocket(cutDir, ADMIN_SOCKET)), 'listening')
  await expect(fetchBackup(cutDir, file)).rejects.toThrow()
  cut.close()
  expect(await made(file)).toEqual([])
})

test('threat 244: the backup of a running server is asked for where only its user can listen and ask, not at PORT', async () => {
  const asked: string[] = []
  const stranger = createServer(({ headers }, answer) => {
    asked.push(JSON.stringify(headers))
    answer.end()
  })
  await once(stranger.listen(0, '127.0.0.1'), 'listening')
  const DATA_DIR = await mkdtemp(join(folder, 'running-'))
  const config = readConfig({ DATA_DIR, LOG_LEVEL: 'error' })
  const server = await startServer({ ...config, port: 0 })
  expect((await stat(join(DATA_DIR, ADMIN_SOCKET))).mode & 0o077).toBe(0)
  const file = path()
  const { port } = stranger.address() as AddressInfo
  expect(await backup({ ...config, port }, file)).toContain(`Wrote ${file}.`)
  expect(asked).toEqual([])
  await server.stop()
  await expect(fetchBackup(DATA_DIR, path())).rejects.toThrow('did not do it')
  stranger.close()
  const restored = await openEmptyDatabase()
  await restoreBackup(restored, file)
  await restored.close()
})

test('a server that follows one that was killed serves backups', async ({ app, clock }) => {
  const killedDir = await mkdtemp(join(folder, 'killed-'))
  await writeFile(await localSocket(killedDir, ADMIN_SOCKET), '')
  const stop = await serve(app, clock.now, killedDir)
  const file = path()
  await fetchBackup(killedDir, file)
  await stop()
  await expectComplete(file)
})

test.runIf(existsSync('/proc/self/fd'))('the temporary file of a fetched backup is freed', async () => {
  await fetchBackup(dataDir, path())
  const open = async () => {
    const files = await readdir('/proc/self/fd')
    const names = await Promise.all(files.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')))
    return names.filter((name) => /backup-[\da-f-]{36} \(deleted\)$/.test(name))
  }
  await until(async () => (await open()).length === 0)
})
