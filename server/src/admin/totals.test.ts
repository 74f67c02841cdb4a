import { deleteAccount } from '@deeb/core/account/api'
import { startFocus, stopFocus } from '@deeb/core/focus/api'
import { discardSession } from '@deeb/core/sessions/api'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Db } from '../db/db.ts'
import { waitingForLocks } from '../testing/lock-waits.ts'
import { type MadeUser, makeUser, PASSWORD } from '../testing/make.ts'
import { expectSettled } from '../testing/settled.ts'
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
  /** Ended on the Friday before. */
  earlier: string
  /** Open for an hour, on a Monday. */
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

/** Makes the day wrong on which the open session will end, its week, and both of the sums. */
const tamper = (userId: string) =>
  testApp.db.script(`
    insert into daily_stats (user_id, date, total_seconds) values ('${userId}', '2026-06-15', 90);
    update weekly_stats set total_minutes = 30 where user_id = '${userId}' and week_start = '2026-06-15';
    update focus_totals set total_minutes = total_minutes + 7, active_weeks = active_weeks + 1 where user_id = '${userId}'`)

/** `db`, on which after each statement something else is done first. */
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

/** Runs `work` on a database on which `meanwhile` is done after the `nth` statement; false if there are not so many. */
async function withMeanwhile(work: (db: Db) => Promise<unknown>, nth: number, meanwhile: () => Promise<unknown>) {
  let count = 0
  let done: Promise<unknown> | undefined
  async function interrupt(isInTransaction: boolean): Promise<void> {
    count += 1
    if (count !== nth) return
    let isDone = false
    done = meanwhile().finally(() => {
      isDone = true
    })
    if (!isInTransaction) await done
    // The embedded engine does nothing beside a transaction; here it goes as far as it can.
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
  ['the same is done once more', () => rebuildTotals(testApp.db)],
])('totals are put right while %s, whenever that is', async (_, act) => {
  for (let nth = 1, isWithin = true; isWithin; nth++) {
    const switching = await makeSwitching()
    await tamper(switching.user.userId)
    isWithin = await withMeanwhile(rebuildTotals, nth, () => act(switching))
    await expectSettled(testApp, switching.user)
  }
})

test('totals are found right while a session ends, whenever that is', async () => {
  for (let nth = 1, isWithin = true; isWithin; nth++) {
    const switching = await makeSwitching()
    isWithin = await withMeanwhile(checkTotals, nth, () => stop(switching))
  }
})
