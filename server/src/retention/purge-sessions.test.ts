import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readMyData } from '@deeb/core/account/api'
import { replaySwitches, startFocus, stopFocus } from '@deeb/core/focus/api'
import { readHome } from '@deeb/core/home/api'
import { correctSession } from '@deeb/core/sessions/api'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, expect, onTestFinished, test } from 'vitest'
import { checkTotals, rebuildTotals } from '../admin/totals.ts'
import { restoreBackup } from '../backup/restore-backup.ts'
import { writeBackup } from '../backup/write-backup.ts'
import { type Database, openPostgres, statement } from '../db/db.ts'
import { digestsOf } from '../testing/digests.ts'
import { expectConsistent } from '../testing/invariants.ts'
import type { MadeUser } from '../testing/make.ts'
import { makeTraveller } from '../testing/make-traveller.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import { createTestDatabase, isOnPostgres, openEmptyDatabase } from '../testing/test-database.ts'
import { purgeSessions } from './purge-sessions.ts'

let testApp: TestApp
let url: string | undefined
let ann: MadeUser
beforeAll(async () => {
  if (isOnPostgres()) url = await createTestDatabase()
  testApp = await startTestApp({ DATABASE_URL: url })
})
afterAll(() => testApp.close())
beforeEach(async () => {
  await testApp.db.script('delete from auth.users; delete from retention_marks')
  testApp.clock.set('2026-03-01T09:00:00Z')
  ann = await makeTraveller(testApp)
})

/** A focus session over the API, with an alias. Returns its id. */
async function focus(startedAt: string, minutes: number, timeZone = 'Europe/Berlin'): Promise<string> {
  const sessionId = uuidv7()
  testApp.clock.set(startedAt)
  await testApp.call(startFocus, { sessionId, timeZone }, ann)
  await testApp.call(startFocus, { sessionId: uuidv7(), timeZone }, ann)
  testApp.clock.advance({ minutes })
  expect((await testApp.call(stopFocus, { sessionId }, ann)).status).toBe(200)
  return sessionId
}

const purge = (months: number, db = testApp.db) => purgeSessions(db, months, testApp.clock.now())

const kept = statement('test.kept', 'select id from deeb_sessions order by start_time')
const keptIds = async (db: Database = testApp.db) => (await db.query<{ id: string }>(kept)).map(({ id }) => id)

const readMarks = statement('test.marks', 'select sessions_from, sessions_purged_before from retention_marks')
const marks = () => testApp.db.query(readMarks)

/** The digests of the totals of days, weeks and all time. */
async function totals(db: Database = testApp.db) {
  const { daily_stats, weekly_stats, focus_totals } = await digestsOf(db)
  return { daily_stats, weekly_stats, focus_totals }
}

/** Adds this many ended sessions of a second, and their totals. The last one was on 31 January. */
const addManySessions = (count: number) =>
  testApp.db.script(`
    insert into deeb_sessions (user_id, id, start_time, end_time, time_zone, start_date, next_date, next_date_starts_at)
      select '${ann.userId}', gen_random_uuid(), at, at + interval '1 second', 'UTC', to_char(at, 'YYYY-MM-DD'),
        to_char(at + interval '1 day', 'YYYY-MM-DD'), date_trunc('day', at) + interval '1 day'
      from (select timestamptz '2026-01-31T12:00Z' - n * interval '4 hours' as at from generate_series(1, ${count}) as n) as starts;
    insert into daily_stats (user_id, date, total_seconds)
      select user_id, start_date, count(*) from deeb_sessions group by 1, 2;
    delete from daily_start_counts`)

test('threat 148: a purge keeps the totals of days, weeks and all time through check, rebuild, backup and restore', async () => {
  await focus('2026-03-10T09:00:00Z', 45)
  // Its last part is on the first date that is kept: Monday, 30 March.
  const overMidnight = await focus('2026-03-29T20:00:00Z', 150)
  const later = await focus('2026-05-20T09:00:00Z', 30)
  testApp.clock.set('2026-06-01T12:00:00Z')
  const before = await totals()

  expect(await purge(2)).toBe(1)
  expect(await keptIds()).toEqual([overMidnight, later])
  expect(await totals()).toEqual(before)
  expect(await checkTotals(testApp.db)).toEqual([expect.stringContaining('All totals from 2026-03-30 on match')])
  expect(await rebuildTotals(testApp.db)).toEqual(['Corrected 0 totals.'])
  expect(await totals()).toEqual(before)

  const folder = await mkdtemp(join(tmpdir(), 'deeb-purge-'))
  const restored = await openEmptyDatabase()
  onTestFinished(async () => {
    await restored.close()
    await rm(folder, { recursive: true })
  })
  await writeBackup(testApp.db, join(folder, 'a.deeb'), testApp.clock.now())
  await restoreBackup(restored, join(folder, 'a.deeb'))
  expect(await rebuildTotals(restored)).toEqual(['Corrected 0 totals.'])
  expect(await totals(restored)).toEqual(before)
  // What the mark is for.
  await restored.script('delete from retention_marks')
  await expect(checkTotals(restored)).rejects.toThrow('2026-03-10: 2700 s saved, 0 s in sessions')
})

test('totals check still finds a wrong total on the days that are kept', async () => {
  await focus('2026-03-10T09:00:00Z', 45)
  await focus('2026-05-20T09:00:00Z', 30)
  testApp.clock.set('2026-06-01T12:00:00Z')
  await purge(2)
  const tamper = "update daily_stats set total_seconds = total_seconds + 60 where date = '2026-05-20'"
  await testApp.db.query(statement('test.tamper-kept', tamper))
  await expect(checkTotals(testApp.db)).rejects.toThrow('2026-05-20: 1860 s saved, 1800 s in sessions')
})

test('nobody loses a session before the months are over in the time zone of the session', async () => {
  // Sunday, 5 April in Samoa, where clocks are 11 hours behind UTC.
  const session = await focus('2026-04-06T05:00:00Z', 30, 'Pacific/Pago_Pago')
  // 5 June in Samoa.
  testApp.clock.set('2026-06-06T05:00:00Z')
  expect(await purge(2)).toBe(0)
  expect(await keptIds()).toEqual([session])
  testApp.clock.set('2026-06-06T12:00:00Z')
  expect(await purge(2)).toBe(1)
})

test('far time zones: a session on the first kept date stays, and one on the date before goes', async () => {
  const [east, west] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago']
  // Monday, 30 March begins at 10:00 UTC of the day before in the east, and at 11:00 UTC in the west.
  await focus('2026-03-29T09:29:00Z', 30, east)
  const firstEast = await focus('2026-03-29T10:00:00Z', 30, east)
  await focus('2026-03-30T10:29:00Z', 30, west)
  const firstWest = await focus('2026-03-30T11:00:00Z', 30, west)
  testApp.clock.set('2026-06-01T12:00:00Z')
  expect(await purge(2)).toBe(2)
  expect(await keptIds()).toEqual([firstEast, firstWest])
  await checkTotals(testApp.db)
})

test('a purge is due once a week, and again when the months are lowered; more months bring nothing back', async () => {
  testApp.clock.set('2026-06-01T12:00:00Z')
  expect(await purge(12)).toBe(0)
  expect(await marks()).toEqual([{ sessions_from: '2025-05-26', sessions_purged_before: '2025-05-26' }])
  await addManySessions(3)
  const before = await totals()
  testApp.clock.set('2026-06-02T12:00:00Z')
  expect(await purge(12)).toBe(0)
  expect(await purge(3)).toBe(3)
  const lowered = [{ sessions_from: '2026-03-02', sessions_purged_before: '2026-03-02' }]
  expect(await marks()).toEqual(lowered)
  testApp.clock.set('2026-06-20T12:00:00Z')
  expect(await purge(12)).toBe(0)
  expect(await marks()).toEqual(lowered)
  expect(await rebuildTotals(testApp.db)).toEqual(['Corrected 0 totals.'])
  expect(await totals()).toEqual(before)
})

test('the mark never moves back, whatever the code does', async () => {
  testApp.clock.set('2026-06-01T12:00:00Z')
  await purge(2)
  const back = statement(
    'test.back',
    "update retention_marks set sessions_from = '2026-01-01', sessions_purged_before = null",
  )
  await expect(testApp.db.query(back)).rejects.toMatchObject({ code: '23001' })
})

test('a purge that is stopped half-way leaves right totals, and the next one finishes it', async () => {
  await addManySessions(300)
  testApp.clock.set('2026-06-01T12:00:00Z')
  const before = await totals()
  let transactions = 0
  const dying: Database = {
    ...testApp.db,
    transaction(work) {
      transactions += 1
      if (transactions === 2) throw new Error('The server is killed.')
      return testApp.db.transaction(work)
    },
  }
  await expect(purge(2, dying)).rejects.toThrow('killed')
  expect(await keptIds()).toHaveLength(100)
  expect(await marks()).toEqual([{ sessions_from: '2026-03-30', sessions_purged_before: null }])
  expect(await rebuildTotals(testApp.db)).toEqual(['Corrected 0 totals.'])
  // Another server still has the setting from before.
  expect(await purge(12)).toBe(0)
  expect(await marks()).toEqual([{ sessions_from: '2026-03-30', sessions_purged_before: '2025-05-26' }])
  expect(await purge(2)).toBe(100)
  expect(await totals()).toEqual(before)
})

test('of several servers one purges, and another one continues if it stops', async ({ skip }) => {
  if (url === undefined) return skip('the embedded database has one server only')
  const other = await openPostgres(url)
  onTestFinished(() => other.close())
  await addManySessions(900)
  testApp.clock.set('2026-06-01T12:00:00Z')
  const before = await totals()
  await testApp.db.transaction(async (db) => {
    await db.query(statement('test.hold-purge', 'select pg_advisory_xact_lock(7315403)'))
    expect(await purge(2, other)).toBe(0)
  })
  const [one = 0, two = 0] = await Promise.all([purge(2), purge(2, other)])
  expect(one + two + (await purge(2))).toBe(900)
  expect(await keptIds()).toEqual([])
  expect(await totals()).toEqual(before)
})

test('an open session stays, however old', async () => {
  const sessionId = uuidv7()
  await testApp.call(startFocus, { sessionId, timeZone: 'UTC' }, ann)
  testApp.clock.set('2026-06-01T12:00:00Z')
  expect(await purge(2)).toBe(0)
  expect(await keptIds()).toEqual([sessionId])
})

test('corrections, late switches and the open session work after a purge of the rest', async () => {
  await focus('2026-03-10T09:00:00Z', 45)
  const sessionId = await focus('2026-05-26T12:00:00Z', 60)
  testApp.clock.set('2026-06-01T10:00:00Z')
  const open = uuidv7()
  await testApp.call(startFocus, { sessionId: open, timeZone: 'UTC' }, ann)
  testApp.clock.set('2026-06-01T12:00:00Z')
  expect(await purge(2)).toBe(1)

  const corrected = await testApp.call(correctSession, { sessionId, endedAt: '2026-05-26T12:30:00.000Z' }, ann)
  expect(corrected.status).toBe(200)
  const late = uuidv7()
  const change = { sessionId: late, timeZone: 'UTC' }
  const changes = [
    { ...change, to: 'on' as const, actedAt: '2026-05-26T14:00:00.000Z' },
    { ...change, to: 'off' as const, actedAt: '2026-05-26T15:00:00.000Z' },
  ]
  const sentAt = testApp.clock.now().toISOString()
  expect((await testApp.call(replaySwitches, { changes, sentAt }, ann)).status).toBe(200)
  expect(await keptIds()).toEqual([sessionId, late, open])
  await expectConsistent(testApp, ann)
})

test('after a purge of all sessions Home knows the user, and the download says from when it has sessions', async () => {
  const download = async () => (await testApp.call(readMyData, {}, ann)).body
  expect(await download()).toMatchObject({ retention_marks: [] })
  await focus('2026-03-10T09:00:00Z', 45)
  testApp.clock.set('2026-06-01T12:00:00Z')
  await purge(2)
  expect(await download()).toMatchObject({
    deeb_sessions: [],
    deeb_session_aliases: [],
    daily_stats: [{ date: '2026-03-10', total_minutes: 45 }],
    retention_marks: [{ sessions_from: '2026-03-30' }],
  })
  expect((await testApp.call(readHome, { timeZone: 'UTC' }, ann)).body.hasSessions).toBe(true)
})
