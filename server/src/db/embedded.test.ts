import fs from 'node:fs'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type Database, statement } from './db.ts'
import { openEmbedded } from './embedded.ts'

const insert = statement('test.insert', 'insert into things default values')
const count = statement('test.count', 'select count(*)::int as count from things')
const redo = statement('test.redo', 'select redo_lsn::text as redo from pg_control_checkpoint()')
const written = statement('test.written', 'select pg_current_wal_insert_lsn()::text as position')

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

test('a sync of the disk stands before each acknowledgement', async () => {
  for (let i = 1; i <= 20; i++) {
    await db.query(insert)
    expect(syncs).toBeGreaterThanOrEqual(i)
  }
})

test('a second opening of the folder is refused with a sentence, and the first one goes on', async () => {
  await expect(openEmbedded(folder)).rejects.toThrow(`Another deeb is running on ${folder}. Stop it first.`)
  await db.query(insert)
})

test('a lock whose owner is gone is removed', async () => {
  const other = await mkdtemp(join(tmpdir(), 'deeb-embedded-'))
  await fs.promises.mkdir(join(other, 'lock'))
  await writeFile(join(other, 'lock', 'left-over.sock'), '')
  const second = await openEmbedded(other)
  expect(await readdir(join(other, 'lock'))).not.toContain('left-over.sock')
  await second.close()
  await rm(other, { recursive: true, force: true })
})

test('what was written reaches a checkpoint within half a minute, so the log stays short', async () => {
  await db.query(insert)
  const [before] = await db.query<{ position: string }>(written)
  await vi.advanceTimersByTimeAsync(30_000)
  await vi.waitFor(async () => {
    const [after] = await db.query<{ redo: string }>(redo)
    expect(after && before && compareLsn(after.redo, before.position)).toBeGreaterThanOrEqual(0)
  })
})

test('after closing, the folder can be opened again with all that was in it', async () => {
  const [before] = await db.query<{ count: number }>(count)
  await db.close()
  db = await openEmbedded(folder)
  expect(await db.query(count)).toEqual([before])
})

/** Positions in the log are two hexadecimal numbers, the high one first. */
function compareLsn(a: string, b: string): number {
  const [x, y] = [a, b].map((lsn) => lsn.split('/').reduce((sum, part) => sum * 2 ** 32 + Number.parseInt(part, 16), 0))
  return Math.sign((x ?? 0) - (y ?? 0))
}
