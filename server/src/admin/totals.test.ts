import { deleteAccount } from '@deeb/core/account/api'
import { startFocus, stopFocus } from '@deeb/core/focus/api'
import { discardSession } from '@deeb/core/sessions/api'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '../db/db.ts'
import { expectConsistent } from '../testing/invariants.ts'
import { waitingForLocks } from '../testing/lock-waits.ts'
import { type MadeUser, makeUser, PASSWORD } from '../testing/make.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import { isOnPostgres } from '../testing/test-database.ts'
import { checkTotals, rebuildTotals } from './totals.ts'

let testApp: TestApp
beforeAll(async () => {
  testApp = await startTestApp()
})
afterAll(() => testApp.close())

interface Switching {
  user: MadeUser
  /** An ended session of the Friday before. */
  earlier: string
  /** A session that has been open for an hour, on a Monday. */
  open: string
}

async function makeSwitching(): Promise<Switching> {
  const user = await makeUser(testApp)
  const [earlier, open] = [uuidv7(), uuidv7()]
  testApp.clock.set('2026-06-12T09:00:00Z')
  await testApp.call(startFocus, { sessionId: earlier, timeZone: 'UTC' }, user)
  testApp.clock.advance({ minutes: 45 })
  await testApp.call(stopFocus, { sessionId: earlier }, user)
  testApp.clock.set('2026-06-15T09:00:00Z')
  await testApp.call(startFocus, { sessionId: open, timeZone: 'UTC' }, user)
  testApp.clock.advance({ hours: 1 })
  return { user, earlier, open }
}

/** Falsifies the totals of the day on which the open session will end, of its week, and both sums. */
const tamper = (userId: string) =>
  testApp.db.script(`
    insert into daily_stats (user_id, date, total_seconds) values ('${userId}', '2026-06-15', 90);
    update weekly_stats set total_minutes = 30 where user_id = '${userId}' and week_start = '2026-06-15';
    update focus_totals set total_minutes = total_minutes + 7, active_weeks = active_weeks + 1 where user_id = '${userId}'`)

/** A `db` that runs `interrupt` after each statement. */
function interrupted(db: Db, interrupt: (isInTransaction: boolean) => Promise<void>, isInTransaction = false): Db {
  return {
    async query<Row>(...statement: Parameters<Db['query']>) {
      const rows = await db.query<Row>(...statement)
      await interrupt(isInTransaction)
      return rows
    },
    transaction: (work) => db.transaction((transaction) => work(interrupted(transaction, interrupt, true))),
    script: db.script,
  }
}

/** Runs `work`, and `concurrent` after its `nth` statement; false if it has fewer statements. */
async function withConcurrent(work: (db: Db) => Promise<unknown>, nth: number, concurrent: () => Promise<unknown>) {
  let count = 0
  let done: Promise<unknown> | undefined
  async function interrupt(isInTransaction: boolean): Promise<void> {
    count += 1
    if (count !== nth) return
    let isDone = false
    done = concurrent().finally(() => {
      isDone = true
    })
    if (!isInTransaction) await done
    // The embedded engine runs nothing concurrently with a transaction. Here it continues until it blocks.
    else if (isOnPostgres()) while (!isDone && (await waitingForLocks(testApp.db)).length === 0);
  }
  await work(interrupted(testApp.db, interrupt))
  await done
  return done !== undefined
}

async function expectDone(answer: Promise<{ status: number }>): Promise<void> {
  expect((await answer).status).toBe(200)
}

const stop = ({ user, open }: Switching) => expectDone(testApp.call(stopFocus, { sessionId: open }, user))
const discard = ({ user, earlier }: Switching) => expectDone(testApp.call(discardSession, { sessionId: earlier }, user))
const remove = ({ user }: Switching) => expectDone(testApp.call(deleteAccount, { password: PASSWORD }, user))

test.each<[string, (switching: Switching) => Promise<unknown>]>([
  ['a session ends', stop],
  ['a session is deleted', discard],
  ['the account is deleted', remove],
  ['totals rebuild runs concurrently', () => rebuildTotals(testApp.db)],
])('totals rebuild corrects the totals while %s, at any statement', async (_, act) => {
  for (let nth = 1, isWithin = true; isWithin; nth++) {
    const switching = await makeSwitching()
    await tamper(switching.user.userId)
    isWithin = await withConcurrent(rebuildTotals, nth, () => act(switching))
    await expectConsistent(testApp, switching.user)
  }
})

test('totals check finds no error while a session ends, at any statement', async () => {
  for (let nth = 1, isWithin = true; isWithin; nth++) {
    const switching = await makeSwitching()
    isWithin = await withConcurrent(checkTotals, nth, () => stop(switching))
  }
})
