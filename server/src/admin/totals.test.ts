import { deleteAccount } from '@deeb/core/account/api'
import { startFocus, stopFocus } from '@deeb/core/focus/api'
import { discardSession } from '@deeb/core/sessions/api'
import { v7 as uuidv7 } from 'uuid'
import { expect } from 'vitest'
import type { Db } from '../db/db.ts'
import { expectConsistent } from '../testing/invariants.ts'
import { waitingForLocks } from '../testing/lock-waits.ts'
import { type MadeUser, makeUser, PASSWORD } from '../testing/make.ts'
import { test as base, type FixturesOf } from '../testing/test.ts'
import { isOnPostgres } from '../testing/test-database.ts'
import { checkTotals, rebuildTotals } from './totals.ts'

const test = base.extend('admin', ({ app, clock }) => {
  async function makeSwitching(): Promise<Switching> {
    const user = await makeUser(app)
    const [earlier, open] = [uuidv7(), uuidv7()]
    clock.set('2026-06-12T09:00:00Z')
    await app.call(startFocus, { sessionId: earlier, timeZone: 'UTC' }, user)
    clock.advance({ minutes: 45 })
    await app.call(stopFocus, { sessionId: earlier }, user)
    clock.set('2026-06-15T09:00:00Z')
    await app.call(startFocus, { sessionId: open, timeZone: 'UTC' }, user)
    clock.advance({ hours: 1 })
    return { user, earlier, open }
  }
  /** Falsifies the totals of the day on which the open session will end, of its week, and both sums. */
  const tamper = (userId: string) =>
    app.db.script(`
    insert into daily_stats (user_id, date, total_seconds) values ('${userId}', '2026-06-15', 90);
    update weekly_stats set total_minutes = 30 where user_id = '${userId}' and week_start = '2026-06-15';
    update focus_totals set total_minutes = total_minutes + 7, active_weeks = active_weeks + 1 where user_id = '${userId}'`)
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
      else if (isOnPostgres()) while (!isDone && (await waitingForLocks(app.db)).length === 0);
    }
    await work(interrupted(app.db, interrupt))
    await done
    return done !== undefined
  }
  const stop = ({ user, open }: Switching) => expectDone(app.call(stopFocus, { sessionId: open }, user))
  const discard = ({ user, earlier }: Switching) => expectDone(app.call(discardSession, { sessionId: earlier }, user))
  const remove = ({ user }: Switching) => expectDone(app.call(deleteAccount, { password: PASSWORD }, user))
  return { makeSwitching, tamper, withConcurrent, stop, discard, remove }
})

interface Switching {
  user: MadeUser
  /** An ended session of the Friday before. */
  earlier: string
  /** A session that has been open for an hour, on a Monday. */
  open: string
}

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

async function expectDone(answer: Promise<{ status: number }>): Promise<void> {
  expect((await answer).status).toBe(200)
}

type Fixtures = Pick<FixturesOf<typeof test>, 'app' | 'admin'>

test.for<[string, (fixtures: Fixtures, switching: Switching) => Promise<unknown>]>([
  ['a session ends', ({ admin }, switching) => admin.stop(switching)],
  ['a session is deleted', ({ admin }, switching) => admin.discard(switching)],
  ['the account is deleted', ({ admin }, switching) => admin.remove(switching)],
  ['totals rebuild runs concurrently', ({ app }) => rebuildTotals(app.db)],
])('totals rebuild corrects the totals while %s, at any statement', async ([_, act], { app, admin }) => {
  for (let nth = 1, isWithin = true; isWithin; nth++) {
    const switching = await admin.makeSwitching()
    await admin.tamper(switching.user.userId)
    isWithin = await admin.withConcurrent(rebuildTotals, nth, () => act({ app, admin }, switching))
    await expectConsistent(app, switching.user)
  }
})

test('totals check finds no error while a session ends, at any statement', async ({ admin }) => {
  for (let nth = 1, isWithin = true; isWithin; nth++) {
    const switching = await admin.makeSwitching()
    isWithin = await admin.withConcurrent(checkTotals, nth, () => admin.stop(switching))
  }
})
