import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { readMyData } from '@deeb/core/account/api'
import { replaySwitches, startFocus, stopFocus } from '@deeb/core/focus/api'
import { readHome } from '@deeb/core/home/api'
import { correctSession } from '@deeb/core/sessions/api'
import { v7 as uuidv7 } from 'uuid'
import { expect, onTestFinished } from 'vitest'
import { checkTotals, rebuildTotals } from '../admin/totals.ts'
import { restoreBackup } from '../backup/restore-backup.ts'
import { type Database, openPostgres, statement } from '../db/db.ts'
import { writeBackup } from '../testing/backups.ts'
import { digestsOf } from '../testing/digests.ts'
import { expectConsistent } from '../testing/invariants.ts'
import { makeTraveller } from '../testing/make-traveller.ts'
import { test as base } from '../testing/test.ts'
import { createTestDatabase, isOnPostgres, openEmptyDatabase } from '../testing/test-database.ts'
import { purgeSessions } from './purge-sessions.ts'

const test = base
  .extend(
    'settings',
    { scope: 'file' },
    async (): Promise<NodeJS.ProcessEnv> => (isOnPostgres() ? { DATABASE_URL: await createTestDatabase() } : {}),
  )
  .extend('ann', ({ app }) => makeTraveller(app))
  .extend('retention', ({ app, clock, ann }) => {
    /** A focus session over the API, with an alias. Returns its id. */
    async function focus(startedAt: string, minutes: number, timeZone = 'Europe/Berlin'): Promise<string> {
      const sessionId = uuidv7()
      clock.set(startedAt)
      await app.call(startFocus, { sessionId, timeZone }, ann)
      await app.call(startFocus, { sessionId: uuidv7(), timeZone }, ann)
      clock.advance({ minutes })
      expect((await app.call(stopFocus, { sessionId }, ann)).status).toBe(200)
      return sessionId
    }
    const purge = (months: number, db = app.db) => purgeSessions(db, months, clock.now())
    const keptIds = async (db: Database = app.db) => (await db.query<{ id: string }>(kept)).map(({ id }) => id)
    const marks = () => app.db.query(readMarks)
    /** The digests of the totals of days, weeks and all time. */
    async function totals(db: Database = app.db) {
      const { daily_stats, weekly_stats, focus_totals } = await digestsOf(db)
      return { daily_stats, weekly_stats, focus_totals }
    }
    /** Adds this many ended sessions of a second, and their totals. The last one was on 31 January. */
    const addManySessions = (count: number) =>
      app.db.script(`
    insert into deeb_sessions (user_id, id, start_time, end_time, time_zone, start_date, next_date, next_date_starts_at)
      select '${ann.userId}', gen_random_uuid(), at, at + interval '1 second', 'UTC', to_char(at, 'YYYY-MM-DD'),
        to_char(at + interval '1 day', 'YYYY-MM-DD'), date_trunc('day', at) + interval '1 day'
      from (select timestamptz '2026-01-31T12:00Z' - n * interval '4 hours' as at from generate_series(1, ${count}) as n) as starts;
    insert into daily_stats (user_id, date, total_seconds)
      select user_id, start_date, count(*) from deeb_sessions group by 1, 2;
    delete from daily_start_counts`)
    return { focus, purge, keptIds, marks, totals, addManySessions }
  })

test.beforeEach(async ({ app, clock }) => {
  await app.db.script('delete from auth.users; delete from retention_marks')
  clock.set('2026-03-01T09:00:00Z')
})

const kept = statement('test.kept', 'select id from deeb_sessions order by start_time')

const readMarks = statement('test.marks', 'select sessions_from, sessions_purged_before from retention_marks')

test('threat 148: a purge keeps the totals of days, weeks and all time through check, rebuild, backup and restore', async ({
  app,
  clock,
  retention,
}) => {
  await retention.focus('2026-03-10T09:00:00Z', 45)
  // Its last part is on the first date that is kept: Monday, 30 March.
  const overMidnight = await retention.focus('2026-03-29T20:00:00Z', 150)
  const later = await retention.focus('2026-05-20T09:00:00Z', 30)
  clock.set('2026-06-01T12:00:00Z')
  const before = await retention.totals()

  expect(await retention.purge(2)).toBe(1)
  expect(await retention.keptIds()).toEqual([overMidnight, later])
  expect(await retention.totals()).toEqual(before)
  expect(await checkTotals(app.db)).toEqual([expect.stringContaining('All totals from 2026-03-30 on match')])
  expect(await rebuildTotals(app.db)).toEqual(['Corrected 0 totals.'])
  expect(await retention.totals()).toEqual(before)

  const folder = await mkdtemp(join(tmpdir(), 'deeb-purge-'))
  const restored = await openEmptyDatabase()
  onTestFinished(async () => {
    await restored.close()
    await rm(folder, { recursive: true })
  })
  await writeBackup(app.db, join(folder, 'a.deeb'), clock.now())
  await restoreBackup(restored, join(folder, 'a.deeb'))
  expect(await rebuildTotals(restored)).toEqual(['Corrected 0 totals.'])
  expect(await retention.totals(restored)).toEqual(before)
  // What the mark is for.
  await restored.script('delete from retention_marks')
  await expect(checkTotals(restored)).rejects.toThrow('2026-03-10: 2700 s saved, 0 s in sessions')
})

test('totals check still finds a wrong total on the days that are kept', async ({ app, clock, retention }) => {
  await retention.focus('2026-03-10T09:00:00Z', 45)
  await retention.focus('2026-05-20T09:00:00Z', 30)
  clock.set('2026-06-01T12:00:00Z')
  await retention.purge(2)
  const tamper = "update daily_stats set total_seconds = total_seconds + 60 where date = '2026-05-20'"
  await app.db.query(statement('test.tamper-kept', tamper))
  await expect(checkTotals(app.db)).rejects.toThrow('2026-05-20: 1860 s saved, 1800 s in sessions')
})

test('nobody loses a session before the months are over in the time zone of the session', async ({
  clock,
  retention,
}) => {
  // Sunday, 5 April in Samoa, where clocks are 11 hours behind UTC.
  const session = await retention.focus('2026-04-06T05:00:00Z', 30, 'Pacific/Pago_Pago')
  // 5 June in Samoa.
  clock.set('2026-06-06T05:00:00Z')
  expect(await retention.purge(2)).toBe(0)
  expect(await retention.keptIds()).toEqual([session])
  clock.set('2026-06-06T12:00:00Z')
  expect(await retention.purge(2)).toBe(1)
})

test('far time zones: a session on the first kept date stays, and one on the date before goes', async ({
  app,
  clock,
  retention,
}) => {
  const [east, west] = ['Pacific/Kiritimati', 'Pacific/Pago_Pago']
  // Monday, 30 March begins at 10:00 UTC of the day before in the east, and at 11:00 UTC in the west.
  await retention.focus('2026-03-29T09:29:00Z', 30, east)
  const firstEast = await retention.focus('2026-03-29T10:00:00Z', 30, east)
  await retention.focus('2026-03-30T10:29:00Z', 30, west)
  const firstWest = await retention.focus('2026-03-30T11:00:00Z', 30, west)
  clock.set('2026-06-01T12:00:00Z')
  expect(await retention.purge(2)).toBe(2)
  expect(await retention.keptIds()).toEqual([firstEast, firstWest])
  await checkTotals(app.db)
})

test('a purge is due once a week, and again when the months are lowered; more months bring nothing back', async ({
  app,
  clock,
  retention,
}) => {
  clock.set('2026-06-01T12:00:00Z')
  expect(await retention.purge(12)).toBe(0)
  expect(await retention.marks()).toEqual([{ sessions_from: '2025-05-26', sessions_purged_before: '2025-05-26' }])
  await retention.addManySessions(3)
  const before = await retention.totals()
  clock.set('2026-06-02T12:00:00Z')
  expect(await retention.purge(12)).toBe(0)
  expect(await retention.purge(3)).toBe(3)
  const lowered = [{ sessions_from: '2026-03-02', sessions_purged_before: '2026-03-02' }]
  expect(await retention.marks()).toEqual(lowered)
  clock.set('2026-06-20T12:00:00Z')
  expect(await retention.purge(12)).toBe(0)
  expect(await retention.marks()).toEqual(lowered)
  expect(await rebuildTotals(app.db)).toEqual(['Corrected 0 totals.'])
  expect(await retention.totals()).toEqual(before)
})

test('the mark never moves back, whatever the code does', async ({ app, clock, retention }) => {
  clock.set('2026-06-01T12:00:00Z')
  await retention.purge(2)
  const back = statement(
    'test.back',
    "update retention_marks set sessions_from = '2026-01-01', sessions_purged_before = null",
  )
  await expect(app.db.query(back)).rejects.toMatchObject({ code: '23001' })
})

test('a purge that is stopped half-way leaves right totals, and the next one finishes it', async ({
  app,
  clock,
  retention,
}) => {
  await retention.addManySessions(300)
  clock.set('2026-06-01T12:00:00Z')
  const before = await retention.totals()
  let transactions = 0
  const dying: Database = {
    ...app.db,
    transaction(work) {
      transactions += 1
      if (transactions === 2) throw new Error('The server is killed.')
      return app.db.transaction(work)
    },
  }
  await expect(retention.purge(2, dying)).rejects.toThrow('killed')
  expect(await retention.keptIds()).toHaveLength(100)
  expect(await retention.marks()).toEqual([{ sessions_from: '2026-03-30', sessions_purged_before: null }])
  expect(await rebuildTotals(app.db)).toEqual(['Corrected 0 totals.'])
  // Another server still has the setting from before.
  expect(await retention.purge(12)).toBe(0)
  expect(await retention.marks()).toEqual([{ sessions_from: '2026-03-30', sessions_purged_before: '2025-05-26' }])
  expect(await retention.purge(2)).toBe(100)
  expect(await retention.totals()).toEqual(before)
})

test('of several servers one purges, and another one continues if it stops', async ({
  settings: { DATABASE_URL: url },
  app,
  clock,
  retention,
  skip,
}) => {
  if (url === undefined) return skip('the embedded database has one server only')
  const other = await openPostgres(url)
  onTestFinished(() => other.close())
  await retention.addManySessions(900)
  clock.set('2026-06-01T12:00:00Z')
  const before = await retention.totals()
  await app.db.transaction(async (db) => {
    await db.query(statement('test.hold-purge', 'select pg_advisory_xact_lock(7315403)'))
    expect(await retention.purge(2, other)).toBe(0)
  })
  const [one = 0, two = 0] = await Promise.all([retention.purge(2), retention.purge(2, other)])
  expect(one + two + (await retention.purge(2))).toBe(900)
  expect(await retention.keptIds()).toEqual([])
  expect(await retention.totals()).toEqual(before)
})

test('an open session stays, however old', async ({ app, clock, ann, retention }) => {
  const sessionId = uuidv7()
  await app.call(startFocus, { sessionId, timeZone: 'UTC' }, ann)
  clock.set('2026-06-01T12:00:00Z')
  expect(await retention.purge(2)).toBe(0)
  expect(await retention.keptIds()).toEqual([sessionId])
})

test('corrections, late switches and the open session work after a purge of the rest', async ({
  app,
  clock,
  ann,
  retention,
}) => {
  await retention.focus('2026-03-10T09:00:00Z', 45)
  const sessionId = await retention.focus('2026-05-26T12:00:00Z', 60)
  clock.set('2026-06-01T10:00:00Z')
  const open = uuidv7()
  await app.call(startFocus, { sessionId: open, timeZone: 'UTC' }, ann)
  clock.set('2026-06-01T12:00:00Z')
  expect(await retention.purge(2)).toBe(1)

  const corrected = await app.call(correctSession, { sessionId, endedAt: '2026-05-26T12:30:00.000Z' }, ann)
  expect(corrected.status).toBe(200)
  const late = uuidv7()
  const change = { sessionId: late, timeZone: 'UTC' }
  const changes = [
    { ...change, to: 'on' as const, actedAt: '2026-05-26T14:00:00.000Z' },
    { ...change, to: 'off' as const, actedAt: '2026-05-26T15:00:00.000Z' },
  ]
  const sentAt = clock.now().toISOString()
  expect((await app.call(replaySwitches, { changes, sentAt }, ann)).status).toBe(200)
  expect(await retention.keptIds()).toEqual([sessionId, late, open])
  await expectConsistent(app, ann)
})

test('after a purge of all sessions Home knows the user, and the download says from when it has sessions', async ({
  app,
  clock,
  ann,
  retention,
}) => {
  const download = async () => (await app.call(readMyData, {}, ann)).body
  expect(await download()).toMatchObject({ retention_marks: [] })
  await retention.focus('2026-03-10T09:00:00Z', 45)
  clock.set('2026-06-01T12:00:00Z')
  await retention.purge(2)
  expect(await download()).toMatchObject({
    deeb_sessions: [],
    deeb_session_aliases: [],
    daily_stats: [{ date: '2026-03-10', total_minutes: 45 }],
    retention_marks: [{ sessions_from: '2026-03-30' }],
  })
  expect((await app.call(readHome, { timeZone: 'UTC' }, ann)).body.hasSessions).toBe(true)
})
