import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startFocus, stopFocus } from '@deeb/core/focus/api'
import { v7 as uuidv7 } from 'uuid'
import { expect, test } from 'vitest'
import { findWrongSums, findWrongTotals } from '../focus/check-totals.ts'
import { makeUser } from '../testing/make.ts'
import { IS_TORTURE } from '../testing/runs.ts'
import { sizeOf } from '../testing/size-of.ts'
import { startTestApp } from '../testing/test-app.ts'
import { openEmbedded } from './embedded.ts'
import { migrate } from './migrate.ts'

/** How long it is switched without a pause; a million switches take 20 to 60 minutes. */
const MINUTES = Number(process.env.TORTURE_MINUTES ?? 5)
const PEOPLE = 8

/** What is written between two checkpoints at the rate of a fast machine, twice, beside what PostgreSQL keeps. */
const MOST_LOG_BYTES = 512 * 2 ** 20

test.runIf(IS_TORTURE)(
  'the log stays short while people switch without a pause',
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'deeb-load-'))
    const db = await openEmbedded(folder)
    await migrate(db)
    const testApp = await startTestApp({}, db)
    const endsAtMs = Date.now() + MINUTES * 60_000
    let switches = 0
    let most = 0
    async function switching(): Promise<void> {
      const user = await makeUser(testApp)
      while (Date.now() < endsAtMs) {
        const session = { sessionId: uuidv7(), timeZone: 'Europe/Berlin' }
        for (const endpoint of [startFocus, stopFocus]) {
          expect((await testApp.call(endpoint, session, user)).status).toBe(200)
          testApp.clock.advance({ seconds: 1 })
          switches += 1
        }
        if (switches % 500 < 2) most = Math.max(most, await sizeOf(join(folder, 'database', 'pg_wal')))
      }
    }
    await Promise.all(Array.from({ length: PEOPLE }, switching))
    console.log(`${switches} switches in ${MINUTES} minutes, the log at most ${Math.round(most / 2 ** 20)} MB`)
    expect(most).toBeGreaterThan(0)
    expect(most).toBeLessThanOrEqual(MOST_LOG_BYTES)
    expect([await findWrongTotals(db), await findWrongSums(db)]).toEqual([[], []])
    await testApp.close()
    await rm(folder, { recursive: true })
  },
  (MINUTES + 5) * 60_000,
)
