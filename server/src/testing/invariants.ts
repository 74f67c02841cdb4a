import { expect } from 'vitest'
import { type Db, statement } from '../db/db.ts'
import { findWrongSums, findWrongTotals } from '../focus/check-totals.ts'
import type { Switching } from './keep-switching.ts'
import type { MadeUser } from './make.ts'

const overlaps = statement(
  'test.overlaps',
  `select a.id, b.id as other from deeb_sessions as a join deeb_sessions as b on b.user_id = a.user_id and b.id > a.id
  where a.user_id = :userId
    and a.start_time < coalesce(b.end_time, 'infinity') and b.start_time < coalesce(a.end_time, 'infinity')
    and a.start_time is distinct from a.end_time and b.start_time is distinct from b.end_time`,
)

const presence = statement(
  'test.presence-and-open',
  `select current_session_id as present,
    (select id from deeb_sessions where user_id = :userId and end_time is null) as open
  from user_presence where user_id = :userId`,
)

/**
 * Asserts the invariants of a user's data: totals equal the sessions, sums equal the totals, presence equals the open focus
 * session, and no two sessions overlap.
 */
export async function expectConsistent({ db }: { db: Db }, { userId }: MadeUser): Promise<void> {
  expect((await findWrongTotals(db)).filter((wrong) => wrong.userId === userId)).toEqual([])
  expect((await findWrongSums(db)).filter((wrong) => wrong === userId)).toEqual([])
  expect(await db.query(overlaps, { userId })).toEqual([])
  const [row] = await db.query<{ present: string | null; open: string | null }>(presence, { userId })
  expect(row?.present).toBe(row?.open)
}

const sessions = statement(
  'test.sessions-of',
  `select id, start_time as "startedAt", end_time as "endedAt" from deeb_sessions where user_id = any(:userIds) order by id`,
)

/** Asserts that the database has exactly the acknowledged sessions (exactly-once), and that no response was unexpected. */
export async function expectAcknowledged(
  server: { db: Db },
  people: MadeUser[],
  { acknowledged, unexpected }: Switching,
): Promise<void> {
  expect(unexpected).toEqual([])
  const userIds = people.map(({ userId }) => userId)
  const rows = await server.db.query<{ id: string; startedAt: Date; endedAt: Date | null }>(sessions, { userIds })
  const kept = rows.map(({ id, startedAt, endedAt }) => ({
    id,
    startedAt: startedAt.toISOString(),
    endedAt: endedAt?.toISOString() ?? null,
  }))
  expect(kept).toEqual([...acknowledged.values()].sort((a, b) => (a.id < b.id ? -1 : 1)))
  for (const person of people) await expectConsistent(server, person)
}
