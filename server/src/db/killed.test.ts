import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import { type KillableChild, killWhileStarting, startKillable } from '../testing/killable-child.ts'
import type { Held } from '../testing/killable-server.ts'
import { runs, times } from '../testing/runs.ts'
import { Switcher } from '../testing/switcher.ts'
import { createTestDatabase, isOnPostgres } from '../testing/test-database.ts'

const KILLS = runs(2, 100)
const PEOPLE = times(2, 6)

let dataDir: string
let env: NodeJS.ProcessEnv
let child: KillableChild | undefined
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'deeb-killed-'))
  const url = isOnPostgres() ? await createTestDatabase() : ''
  env = { DATA_DIR: dataDir, DATABASE_URL: url, DEEB_SECRET: 'ab'.repeat(32), PEOPLE: '0' }
  if (url === '') await unpackTemplate(join(dataDir, 'database'))
})
afterAll(async () => {
  await child?.kill()
  await rm(dataDir, { recursive: true, force: true })
})

/** As if the folder had been made and filled by an earlier start, which takes seconds. */
async function unpackTemplate(folder: string): Promise<void> {
  const template = inject('template')
  if (template.engine !== 'embedded') return
  await mkdir(folder, { recursive: true })
  await promisify(execFile)('tar', ['-xf', template.dump, '-C', folder])
}

/** When to kill: after so many acknowledgements and ms, and sometimes once more, so many ms after its process began. */
const kill = fc.record({
  afterSwitches: fc.integer({ min: 1, max: 150 }),
  afterMs: fc.integer({ min: 0, max: 20 }),
  startAfterMs: fc.oneof({ weight: 5, arbitrary: fc.constant(null) }, fc.integer({ min: 0, max: 1_500 })),
})

// Each kill is a start of a process, on machines that may have other things to do.
const PATIENCE = { timeout: times(60_000, 3_600_000) }

test(
  'a server killed at any moment has every acknowledged switch, and totals as its sessions are',
  PATIENCE,
  async () => {
    child = await startKillable({ ...env, PEOPLE: String(PEOPLE) })
    const people = child.tokens.map((token) => new Switcher(token))
    const acknowledged = () => people.reduce((sum, person) => sum + person.acknowledged, 0)
    for (const { afterSwitches, afterMs, startAfterMs } of fc.sample(kill, KILLS)) {
      const wanted = acknowledged() + afterSwitches
      const { origin } = child
      const switching = people.map((person) => person.switchUntilGone(origin))
      await vi.waitUntil(() => acknowledged() >= wanted, { timeout: 20_000, interval: 1 })
      await pause(afterMs)
      await child.kill()
      await Promise.all(switching)
      if (startAfterMs !== null) await killWhileStarting(env, startAfterMs)
      child = await startKillable(env)
      expectKept(child.held, people)
    }
    console.log(`${KILLS.numRuns} kills, ${acknowledged()} acknowledged switches, none lost`)
  },
)

function expectKept({ sessions, wrong }: Held, people: Switcher[]): void {
  expect(wrong).toEqual([])
  const kept = new Map(sessions.map((session) => [session.id, session]))
  const lost = people.flatMap((person) => person.told.filter((one) => !person.isKept(one, kept.get(one.id))))
  expect(lost).toEqual([])
  for (const person of people) person.goOn(sessions)
}
