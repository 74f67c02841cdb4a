// Runs in npm run test:all.
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { MAX_INTERRUPTIONS } from '@deeb/core/focus/session'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { type ChildServer, makeChildServer, startChildServer } from '../testing/child-server.ts'
import type { FirstWords, Stored } from '../testing/killable-server.ts'
import { runs, times } from '../testing/runs.ts'
import { Switcher } from '../testing/switcher.ts'
import { createTestDatabase, isOnPostgres, withDirectUrl } from '../testing/test-database.ts'
import { until } from '../testing/until.ts'

const PROGRAM = fileURLToPath(new URL('../../dist/testing/killable-server.js', import.meta.url))

const KILLS = runs(2, 100)
const PEOPLE = times(2, 6)

let dataDir: string
let env: Record<string, string>
let child: ChildServer | undefined
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'deeb-killed-'))
  const url = isOnPostgres() ? await createTestDatabase() : ''
  // A fixed PUBLIC_URL: access tokens are valid for one URL, but each start gets another port.
  const own = { DEEB_SECRET: 'ab'.repeat(32), PUBLIC_URL: 'http://127.0.0.1:3000', LOG_LEVEL: 'error' }
  env = withDirectUrl({ ...own, DATA_DIR: dataDir, DATABASE_URL: url })
  if (url === '') await unpackTemplate(join(dataDir, 'database'))
})
afterAll(async () => {
  await child?.stop('SIGKILL')
  await rm(dataDir, { recursive: true, force: true })
})

/** Unpacks a migrated database, because creating one takes seconds. */
async function unpackTemplate(folder: string): Promise<void> {
  const template = inject('template')
  if (template.engine !== 'embedded') return
  await mkdir(folder, { recursive: true })
  await promisify(execFile)('tar', ['-xf', template.dump, '-C', folder])
}

/** The time of a kill: after this many acknowledged switches and ms, and sometimes again during the next start. */
const kill = fc.record({
  afterSwitches: fc.integer({ min: 1, max: 150 }),
  afterMs: fc.integer({ min: 0, max: 20 }),
  startAfterMs: fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, fc.integer({ min: 0, max: 1_500 })),
})

// Each kill starts a process, on a machine that may be busy.
const PATIENCE = { timeout: times(120_000, 3_600_000) }

test(
  'crash recovery: a killed server keeps every acknowledged switch, and its totals match its sessions',
  PATIENCE,
  async () => {
    child = await startChildServer({ ...env, PEOPLE: String(PEOPLE) }, { program: PROGRAM })
    const people = firstWords(child).tokens.map((token) => new Switcher(token))
    const acknowledged = () => people.reduce((sum, person) => sum + person.acknowledged, 0)
    for (const { afterSwitches, afterMs, startAfterMs } of fc.sample(kill, KILLS)) {
      const wanted = acknowledged() + afterSwitches
      const { origin } = child
      const switching = people.map((person) => person.switchUntilGone(origin))
      await until(() => acknowledged() >= wanted)
      await pause(afterMs)
      await child.stop('SIGKILL')
      await Promise.all(switching)
      if (startAfterMs !== null) await killWhileStarting(startAfterMs)
      child = await startChildServer(env, { program: PROGRAM })
      expectStored(firstWords(child).held, people)
    }
    console.log(`${KILLS.numRuns} kills, ${acknowledged()} acknowledged switches, none lost`)
  },
)

test('crash recovery: a press of interrupted? counts once, however often it is sent', PATIENCE, async () => {
  await child?.stop('SIGKILL')
  child = await startChildServer({ ...env, PEOPLE: '1' }, { program: PROGRAM })
  const [token = ''] = firstWords(child).tokens
  for (const { afterMs } of fc.sample(kill, KILLS)) {
    const { origin } = child
    const call = async (at: string, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
      const sent = body && { method: 'POST', body: JSON.stringify(body) }
      const response = await fetch(at + path, { headers, ...sent })
      return (await response.json()) as { presses: { pressId: string }[]; sessions: { interruptions: number }[] }
    }
    const sessionId = randomUUID()
    await call(origin, '/api/focus/start', { sessionId, timeZone: 'UTC' })
    const pressIds: string[] = []
    const press = (at: string, pressId: string) => {
      const sentAt = new Date().toISOString()
      const changes = [{ to: 'interrupted', sessionId, pressId, actedAt: sentAt }]
      return call(at, '/api/focus/switches', { sentAt, changes })
    }
    const pressing = (async () => {
      // Ends when the server is gone. The last press may have been counted.
      while (pressIds.length < MAX_INTERRUPTIONS) await press(origin, pressIds[pressIds.push(randomUUID()) - 1] ?? '')
    })().catch(() => undefined)
    await until(() => pressIds.length > 5)
    await pause(afterMs)
    await child.stop('SIGKILL')
    await pressing
    child = await startChildServer(env, { program: PROGRAM })
    // The first answer of a loaded server may be that it is busy, and the last one was never read.
    for (const pressId of pressIds) await press(child.origin, pressId)
    const home = await call(child.origin, '/api/home?timeZone=UTC')
    expect(home.presses.map(({ pressId }) => pressId).sort()).toEqual(pressIds.sort())
    await call(child.origin, '/api/focus/stop', { sessionId })
    const { sessions } = await call(child.origin, '/api/sessions')
    expect(sessions[0]?.interruptions).toBe(pressIds.length)
  }
})

function firstWords(server: ChildServer): FirstWords {
  return JSON.parse(server.output().split('\n')[0] ?? '')
}

/** Starts a server and kills it after this many ms, at any point of its start. */
async function killWhileStarting(ms: number): Promise<void> {
  const server = await makeChildServer(env, { program: PROGRAM })
  const starting = server.start().catch(() => undefined)
  await pause(ms)
  await server.stop('SIGKILL')
  await starting
}

function expectStored({ sessions, wrong }: Stored, people: Switcher[]): void {
  expect(wrong).toEqual([])
  const stored = new Map(sessions.map((session) => [session.id, session]))
  const lost = people.flatMap((person) => person.sessions.filter((one) => !person.isStored(one, stored.get(one.id))))
  expect(lost).toEqual([])
  for (const person of people) person.resume(sessions)
}
