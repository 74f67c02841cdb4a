// Runs on the embedded engine.
import fs from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFocus, stopFocus } from '@deeb/core/focus/api'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, afterEach, beforeAll, expect, onTestFinished, test, vi } from 'vitest'
import { makeUser } from '../testing/make.ts'
import { sizeOf } from '../testing/size-of.ts'
import { startTestApp } from '../testing/test-app.ts'
import { until } from '../testing/until.ts'
import { type Database, statement } from './db.ts'
import { openEmbedded } from './embedded.ts'
import { migrate } from './migrate.ts'

const insert = statement('test.insert', 'insert into things default values')
const count = statement('test.count', 'select count(*)::int as count from things')
const switchWal = statement('test.switch-wal', 'select pg_switch_wal()')
const redo = statement('test.redo', 'select redo_lsn::text as redo from pg_control_checkpoint()')
const written = statement('test.written', 'select pg_current_wal_insert_lsn()::text as position')

/** PostgreSQL keeps 80 MB of recycled segments (min_wal_size), plus the ones that are being written. */
const MAX_LOG_BYTES = 112 * 2 ** 20

let folder: string
let db: Database
let syncs = 0
const realSync = fs.fdatasyncSync

beforeAll(async () => {
  fs.fdatasyncSync = (descriptor) => {
    syncs += 1
    realSync(descriptor)
  }
  syncBuiltinESMExports()
  folder = await mkdtemp(join(tmpdir(), 'deeb-embedded-'))
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
  db = await openEmbedded(folder)
  await db.script('create table things (id int generated always as identity)')
})
afterEach(() => {
  syncs = 0
})
afterAll(async () => {
  await db.close()
  vi.useRealTimers()
  fs.fdatasyncSync = realSync
  syncBuiltinESMExports()
  await rm(folder, { recursive: true, force: true })
})

test('every write is synced to disk before it is acknowledged', async () => {
  for (let i = 0; i < 20; i++) {
    syncs = 0
    await db.query(insert)
    expect(syncs).toBeGreaterThanOrEqual(1)
  }
})

test('every switch is synced to disk before its response', async () => {
  await migrate(db)
  const testApp = await startTestApp({}, { ...db, close: async () => undefined })
  const user = await makeUser(testApp)
  for (let i = 0; i < 10; i++) {
    const session = { sessionId: uuidv7(), timeZone: 'UTC' }
    for (const endpoint of [startFocus, stopFocus]) {
      syncs = 0
      expect((await testApp.call(endpoint, session, user)).status).toBe(200)
      expect(syncs).toBeGreaterThanOrEqual(1)
    }
  }
  await testApp.close()
})

test.skipIf(process.platform === 'win32')(
  'database files are readable by their owner only, also after a copy',
  async () => {
    const modes = async (home: string) => {
      const names = ['.', ...(await readdir(home, { recursive: true }))]
      return new Set(names.map((name) => (fs.statSync(join(home, name)).mode & 0o777).toString(8)))
    }
    expect(await modes(join(folder, 'database'))).toEqual(new Set(['700', '600']))

    const copied = await mkdtemp(join(tmpdir(), 'deeb-copied-'))
    onTestFinished(() => rm(copied, { recursive: true, force: true }))
    const first = await openEmbedded(copied)
    await first.close()
    const home = join(copied, 'database')
    for (const name of ['.', 'base', 'PG_VERSION']) fs.chmodSync(join(home, name), 0o777)
    const second = await openEmbedded(copied)
    expect(await modes(home)).toEqual(new Set(['700', '600']))
    await second.close()
  },
)

test('a second process cannot open the folder, and the first continues', async () => {
  await expect(openEmbedded(folder)).rejects.toThrow(`Another deeb is running on ${folder}. Stop it first.`)
  await db.query(insert)
})

test('a stale folder lock is removed', async () => {
  const other = await mkdtemp(join(tmpdir(), 'deeb-embedded-'))
  await fs.promises.mkdir(join(other, 'lock'))
  await writeFile(join(other, 'lock', 'left-over.sock'), '')
  const second = await openEmbedded(other)
  expect(await readdir(join(other, 'lock'))).not.toContain('left-over.sock')
  await second.close()
  await rm(other, { recursive: true, force: true })
})

test('a checkpoint follows every write within 30 seconds', async () => {
  await db.query(insert)
  const [before] = await db.query<{ position: string }>(written)
  await vi.advanceTimersByTimeAsync(30_000)
  await untilCheckpoint(before?.position ?? '')
})

test('the write-ahead log stays bounded after many segments', async () => {
  for (let round = 0; round < 25; round++) {
    await db.query(insert)
    // Starts a new segment. The rest of the old one stays empty but counts as written.
    await db.query(switchWal)
    const [before] = await db.query<{ position: string }>(written)
    await vi.advanceTimersByTimeAsync(30_000)
    await untilCheckpoint(before?.position ?? '')
  }
  expect(await sizeOf(join(folder, 'database', 'pg_wal'))).toBeLessThanOrEqual(MAX_LOG_BYTES)
})

test('a closed database can be reopened with all its data', async () => {
  const [before] = await db.query<{ count: number }>(count)
  await db.close()
  db = await openEmbedded(folder)
  expect(await db.query(count)).toEqual([before])
})

async function untilCheckpoint(position: string): Promise<void> {
  await until(async () => {
    const [after] = await db.query<{ redo: string }>(redo)
    return compareLsn(after?.redo ?? '', position) >= 0
  })
}

/** Compares log positions (LSN): two hexadecimal numbers, the high part first. */
function compareLsn(a: string, b: string): number {
  const [x, y] = [a, b].map((lsn) => lsn.split('/').reduce((sum, part) => sum * 2 ** 32 + Number.parseInt(part, 16), 0))
  return Math.sign((x ?? 0) - (y ?? 0))
}
