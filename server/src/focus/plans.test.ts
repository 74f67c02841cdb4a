// Runs in npm run test:all.
import { replaySwitches, startFocus, stopFocus } from '@deeb/core/focus/api'
import { readHome } from '@deeb/core/home/api'
import { readLikelyEnd, touchSession } from '@deeb/core/sessions/api'
import { readSessions } from '@deeb/core/sessions/read-api'
import { readWeek } from '@deeb/core/stats/api'
import { readTeam } from '@deeb/core/team/api'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, vi } from 'vitest'
import type { Db } from '../db/db.ts'
import { expectConsistent } from '../testing/invariants.ts'
import { type MadeUser, makeUser } from '../testing/make.ts'
import { makeTraveller } from '../testing/make-traveller.ts'
import { test as base } from '../testing/test.ts'
import type { TestApp } from '../testing/test-app.ts'
import { closeForgottenSessions } from './close-forgotten.ts'

const timeZone = 'Europe/Berlin'
const OPEN_SINCE = 'deeb_sessions_open_since_idx'

const test = base.extend('focus', ({ app }) => {
  /**
   * The statements that are sent while `act` runs. The check of the auth session is already cached, as for an active user.
   */
  async function sentBy(act: () => Promise<unknown>): Promise<Sent[]> {
    await app.call(readHome, { timeZone }, me)
    const query = vi.spyOn(app.db, 'query')
    await act()
    const sent = [...query.mock.calls]
    query.mockRestore()
    return sent
  }
  /** The scans of the sessions table in the query plans of these statements, each with its index. */
  async function readsOfSessions(sent: Sent[]): Promise<{ from: string; by: string }[]> {
    const flat = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(flat)]
    const reads: { from: string; by: string }[] = []
    for (const [{ name, text, names }, params] of sent) {
      const explain = { name: `explain.${name}`, text: `explain (format json) ${text}`, names }
      const [row] = await app.db.query<{ 'QUERY PLAN': [{ Plan: Node }] }>(explain, params)
      const nodes = row ? flat(row['QUERY PLAN'][0].Plan) : []
      const ofSessions = nodes.filter(
        (node) => node['Relation Name'] === 'deeb_sessions' && /Scan/.test(node['Node Type']),
      )
      reads.push(...ofSessions.map((node) => ({ from: name, by: node['Index Name'] ?? node['Node Type'] })))
    }
    return reads
  }
  return { sentBy, readsOfSessions }
})

let me: MadeUser

/** 50,000 sessions of 1,000 users. The planner's statistics are from before all of them switched on. */
test.beforeAll(async ({ app }) => {
  me = await makeUser(app)
  await app.db.script(`
    insert into auth.users (id, email, encrypted_password, email_confirmed_at, created_at, updated_at)
      select gen_random_uuid(), 'p' || n || '@large.example', '', now(), now(), now() from generate_series(1, 1000) as n;
    insert into profiles (id, email, company_domain) select id, email, 'large.example' from auth.users on conflict do nothing;
    insert into user_presence (user_id) select id from profiles on conflict do nothing;
    insert into deeb_sessions (user_id, id, start_time, end_time, time_zone, start_date, next_date, next_date_starts_at)
      select profiles.id, gen_random_uuid(), at, at + interval '1 hour', 'UTC', at::date::text, (at::date + 1)::text,
        at::date + 1
      from profiles cross join generate_series(timestamptz '2026-04-20 10:00Z', '2026-06-08 10:00Z', '1 day') as at;
    analyze;
    insert into deeb_sessions (user_id, id, start_time, time_zone, start_date, next_date, next_date_starts_at)
      select id, gen_random_uuid(), timestamptz '2026-06-15 08:00Z', 'UTC', '2026-06-15', '2026-06-16', '2026-06-16 00:00Z'
      from profiles where id <> '${me.userId}'`)
})

interface Node {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  Plans?: Node[]
}

type Sent = Parameters<Db['query']>

const sessionId = uuidv7()
const at = '2026-06-15T09:00:00.000Z'

test.for<[string, (app: TestApp) => Promise<unknown>]>([
  ['home', (app) => app.call(readHome, { timeZone }, me)],
  ['the week', (app) => app.call(readWeek, { timeZone }, me)],
  ['the team', (app) => app.call(readTeam, {}, me)],
  ['the sessions', (app) => app.call(readSessions, {}, me)],
  ['a switch on', (app) => app.call(startFocus, { sessionId, timeZone }, me)],
  ['a touch', (app) => app.call(touchSession, { sessionId, times: { actedAt: at, sentAt: at }, answers: [] }, me)],
  ['the likely end', (app) => app.call(readLikelyEnd, { sessionId }, me)],
  ['the switch off', (app) => app.call(stopFocus, { sessionId }, me)],
])(
  '%s is one statement, which finds sessions by an index that begins with the user',
  async ([_, act], { app, focus }) => {
    const sent = await focus.sentBy(() => act(app))
    expect(sent).toHaveLength(1)
    const reads = await focus.readsOfSessions(sent)
    expect(reads).not.toEqual([])
    expect(reads.filter(({ by }) => by === OPEN_SINCE || by === 'Seq Scan')).toEqual([])
  },
)

describe('a replay for a user with 250 sessions of one second on each of six days', () => {
  /** A second of one of the days. On the first three days sessions are adjacent, on the others one second apart. */
  const instant = (day: number, second: number) => new Date(Date.UTC(2026, 5, 9 + day, 8, 0, second)).toISOString()
  let user: MadeUser
  test.beforeEach(async ({ app, clock }) => {
    clock.set('2026-06-15T08:00:00Z')
    user = await makeTraveller(app)
    await app.db.script(`
      insert into deeb_sessions (user_id, id, start_time, end_time, time_zone, start_date, next_date, next_date_starts_at)
        select '${user.userId}', gen_random_uuid(), at, at + interval '1 second', 'UTC', at::date::text,
          (at::date + 1)::text, at::date + 1
        from generate_series(0, 5) as day cross join generate_series(0, 249) as n cross join lateral (values
          (timestamptz '${instant(0, 0)}' + day * interval '1 day' + case when day < 3 then n else 2 * n end * interval '1 second')
        ) as starts (at);
      insert into daily_stats (user_id, date, total_seconds)
        select user_id, start_date, 250 from deeb_sessions where user_id = '${user.userId}' group by user_id, start_date`)
  })

  /** Sends an on and an off for each pair. Returns the statements of the transaction and how many rows each read. */
  async function replay(app: TestApp, pairs: { day: number; from: number; to: number }[]) {
    const changes = pairs.flatMap(({ day, from, to }) => {
      const sessionId = uuidv7()
      return [
        { to: 'on' as const, sessionId, timeZone: 'UTC', actedAt: instant(day, from) },
        { to: 'off' as const, sessionId, actedAt: instant(day, to) },
      ]
    })
    const reads: { sent: Sent; rows: number }[] = []
    const transaction = app.db.transaction
    const spy = vi.spyOn(app.db, 'transaction').mockImplementation((work) =>
      transaction((db) => {
        const query: Db['query'] = async (...sent) => {
          const rows = await db.query<never>(...sent)
          reads.push({ sent, rows: rows.length })
          return rows
        }
        return work({ ...db, query })
      }),
    )
    const sentAt = app.clock.now().toISOString()
    const answer = await app.call(replaySwitches, { sentAt, changes }, user)
    spy.mockRestore()
    expect([answer.status, answer.body.refused]).toEqual([200, []])
    await expectConsistent(app, user)
    return reads
  }
  const rowsOf = (reads: { rows: number }[]) => reads.reduce((sum, { rows }) => sum + rows, 0)
  const thirty = Array.from({ length: 30 }, (_, n) => n)

  test('reads only sessions within the reach of the changes', async ({ app }) => {
    // Each between two sessions: adjacent is not overlapping.
    const pairs = thirty.map((n) => ({ day: 3 + (n % 3), from: 2 * n + 1, to: 2 * n + 2 }))
    expect(rowsOf(await replay(app, pairs))).toBeLessThan(100)
  })

  test('reads adjacent sessions as one span', async ({ app }) => {
    const pairs = thirty.map((n) => ({ day: n % 3, from: n, to: 250 - n }))
    expect(rowsOf(await replay(app, pairs))).toBeLessThan(100)
  })

  test('finds sessions by an index that begins with the user', async ({ app, focus }) => {
    const sent = (await replay(app, [{ day: 0, from: 0, to: 10 }]))
      .map((read) => read.sent)
      .filter(([{ text }]) => text.startsWith('select'))
    const reads = await focus.readsOfSessions(sent)
    expect(reads.map(({ from }) => from)).toContain('focus.taken-time')
    expect(reads.filter(({ by }) => by === OPEN_SINCE || by === 'Seq Scan')).toEqual([])
  })
})

test('closing finds forgotten sessions by the index of open ones', async ({ app, clock, focus }) => {
  const sent = await focus.sentBy(() => closeForgottenSessions(app.db, clock.now()))
  expect((await focus.readsOfSessions(sent)).map(({ by }) => by)).toContain(OPEN_SINCE)
})

test('closing ends a thousand sessions in batches and reports each owner once', async ({ app, focus }) => {
  const reported: string[] = []
  const later = new Date('2026-06-16T00:00:01Z')
  const close = () => focus.sentBy(() => closeForgottenSessions(app.db, later, (userId) => reported.push(userId)))
  expect((await close()).length).toBeGreaterThan(1)
  expect(await close()).toHaveLength(1)
  expect(reported.length).toBeGreaterThanOrEqual(999)
  expect(new Set(reported).size).toBe(reported.length)
})
