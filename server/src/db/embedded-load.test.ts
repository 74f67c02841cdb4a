// Runs on the embedded engine.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MAX_CHANGES_PER_CALL, replaySwitches, startFocus, stopFocus } from '@deeb/core/focus/api'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { findWrongSums, findWrongTotals } from '../focus/check-totals.ts'
import { makeUser } from '../testing/make.ts'
import { IS_SOAK } from '../testing/runs.ts'
import { sizeOf } from '../testing/size-of.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import { WITHOUT_DAILY_LIMIT, withoutLimits } from '../testing/without-limits.ts'
import { openEmbedded } from './embedded.ts'
import { migrate } from './migrate.ts'

/** One million take five to ten minutes on two busy cores. */
const SWITCHES = Number(process.env.SOAK_SWITCHES ?? 1_000_000)
/**
 * Each call of the loop sends one plain start and stop, then a replay of this many sessions, like a device after offline
 * mode.
 */
const SESSIONS_PER_REPLAY = MAX_CHANGES_PER_CALL / 2
/** Calls before the next user, so that the history of a week stays realistic. */
const CALLS_PER_PERSON = 100
const CONCURRENT_USERS = 8
const DAY_MS = 24 * 3_600_000
/** The time that one replay covers: sessions of one second, one second apart. */
const CALL_MS = SESSIONS_PER_REPLAY * 2_000

/** Twice what a fast machine writes between two checkpoints, plus the log that PostgreSQL always keeps. */
const MAX_LOG_BYTES = 512 * 2 ** 20

test.runIf(IS_SOAK)(
  'soak test: the write-ahead log stays bounded under continuous switching',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'deeb-load-'))
    const db = await openEmbedded(folder)
    await migrate(db)
    const testApp = await startTestApp({}, db, { callLimitStore: withoutLimits() })
    await db.script(WITHOUT_DAILY_LIMIT)
    let switches = 0
    let maxBytes = 0
    async function switching(): Promise<void> {
      const user = await makeUser(testApp)
      const from = testApp.clock.now().getTime() - DAY_MS
      for (let call = 0; call < CALLS_PER_PERSON && switches < SWITCHES; call++) {
        const now = { sessionId: uuidv7(), timeZone: 'Europe/Berlin' }
        for (const endpoint of [startFocus, stopFocus]) {
          expect((await testApp.call(endpoint, now, user)).status).toBe(200)
          testApp.clock.advance({ seconds: 1 })
        }
        const late = await testApp.call(replaySwitches, lateSessions(testApp, from + call * CALL_MS), user)
        expect([late.status, late.body.refused]).toEqual([200, []])
        switches += 2 + MAX_CHANGES_PER_CALL
        maxBytes = Math.max(maxBytes, await sizeOf(join(folder, 'database', 'pg_wal')))
      }
    }
    async function oneAfterTheOther(): Promise<void> {
      while (switches < SWITCHES) await switching()
    }
    const beganAt = performance.now()
    await Promise.all(Array.from({ length: CONCURRENT_USERS }, oneAfterTheOther))
    const minutes = Math.round((performance.now() - beganAt) / 60_000)
    console.log(`${switches} switches in ${minutes} minutes, the log at most ${Math.round(maxBytes / 2 ** 20)} MB`)
    expect(maxBytes).toBeGreaterThan(0)
    expect(maxBytes).toBeLessThanOrEqual(MAX_LOG_BYTES)
    expect([await findWrongTotals(db), await findWrongSums(db)]).toEqual([[], []])
    await testApp.close()
    await rm(folder, { recursive: true })
  },
  SWITCHES * 20 + 300_000,
)

function lateSessions({ clock }: TestApp, from: number) {
  const text = (ms: number) => new Date(ms).toISOString()
  const changes = Array.from({ length: SESSIONS_PER_REPLAY }, (_, n) => {
    const sessionId = uuidv7()
    const startedAt = from + n * 2_000
    return [
      { to: 'on' as const, sessionId, timeZone: 'Europe/Berlin', actedAt: text(startedAt) },
      { to: 'off' as const, sessionId, actedAt: text(startedAt + 1_000) },
    ]
  }).flat()
  return { sentAt: text(clock.now().getTime()), changes }
}
