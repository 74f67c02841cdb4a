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

/** A million take five to ten minutes on two busy cores. */
const SWITCHES = Number(process.env.SOAK_SWITCHES ?? 1_000_000)
/** One alone, as somebody does who presses, and then so many together, as a device sends that was without a network. */
const SESSIONS_AT_ONCE = MAX_CHANGES_PER_CALL / 2
/** Then somebody else switches: what has happened in a week stays in proportion. */
const CALLS_PER_PERSON = 100
const AT_ONCE = 8
const DAY_MS = 24 * 3_600_000
/** What a call tells of: sessions of a second, with one between them. */
const CALL_MS = SESSIONS_AT_ONCE * 2_000

/** What is written between two checkpoints at the rate of a fast machine, twice, beside what PostgreSQL keeps. */
const MAX_LOG_BYTES = 512 * 2 ** 20

test.runIf(IS_SOAK)(
  'the log stays short while people switch without a pause',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'deeb-load-'))
    const db = await openEmbedded(folder)
    await migrate(db)
    const testApp = await startTestApp({}, db, { callLimitStore: withoutLimits() })
    await db.script(WITHOUT_DAILY_LIMIT)
    let switches = 0
    let most = 0
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
        most = Math.max(most, await sizeOf(join(folder, 'database', 'pg_wal')))
      }
    }
    async function oneAfterTheOther(): Promise<void> {
      while (switches < SWITCHES) await switching()
    }
    const beganAt = performance.now()
    await Promise.all(Array.from({ length: AT_ONCE }, oneAfterTheOther))
    const minutes = Math.round((performance.now() - beganAt) / 60_000)
    console.log(`${switches} switches in ${minutes} minutes, the log at most ${Math.round(most / 2 ** 20)} MB`)
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThanOrEqual(MAX_LOG_BYTES)
    expect([await findWrongTotals(db), await findWrongSums(db)]).toEqual([[], []])
    await testApp.close()
    await rm(folder, { recursive: true })
  },
  SWITCHES * 20 + 300_000,
)

function lateSessions({ clock }: TestApp, from: number) {
  const text = (ms: number) => new Date(ms).toISOString()
  const changes = Array.from({ length: SESSIONS_AT_ONCE }, (_, n) => {
    const sessionId = uuidv7()
    const startedAt = from + n * 2_000
    return [
      { to: 'on' as const, sessionId, timeZone: 'Europe/Berlin', actedAt: text(startedAt) },
      { to: 'off' as const, sessionId, actedAt: text(startedAt + 1_000) },
    ]
  }).flat()
  return { sentAt: text(clock.now().getTime()), changes }
}
