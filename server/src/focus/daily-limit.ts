import type { QueuedSwitch } from '@deeb/core/focus/replay'
import { MAX_SESSIONS_PER_DAY, MAX_SESSIONS_PER_DAY_BY_PROGRAMS } from '@deeb/core/focus/session'
import { localDateOf } from '@deeb/core/focus/split-by-day'
import { type Db, lookup, violatedConstraint } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { replayQueued } from './replay-queued.ts'

/** Whether a write failed because a local date would have more than 300 starts. A deferred trigger counts at commit. */
export function isOverDailyLimit(error: unknown): boolean {
  return violatedConstraint(error) === 'daily_start_counts_max'
}

const known = lookup(
  'focus.known-ids',
  `select id from deeb_sessions where user_id = :userId and id = any(:ids::uuid[])
  union all select alias from deeb_session_aliases where user_id = :userId and alias = any(:ids::uuid[])`,
)

const counts = lookup(
  'focus.start-counts',
  'select date, starts from daily_start_counts where user_id = :userId and date = any(:dates::text[])',
)

type On = QueuedSwitch & { to: 'on' }

/**
 * Whether a start by a program is refused: the local date has 200 starts, and the others are left for the person. Concurrent programs
 * can exceed that by a few.
 */
export async function isBeyondPrograms(db: Db, actor: Actor, press: Omit<On, 'to'>): Promise<boolean> {
  const starts = await newStarts(db, actor, [{ to: 'on', ...press }])
  return (await beyond(MAX_SESSIONS_PER_DAY_BY_PROGRAMS, db, actor, starts)).length > 0
}

/**
 * Replays queued switches within the daily limit. Returns the result of the replay, and as `surplus` the starts that were
 * left out because their local date is full. Expects valid time zones.
 */
export async function replayWithinDailyLimit(db: Db, actor: Actor, changes: QueuedSwitch[], now: Date) {
  const ons = changes.filter((change) => change.to === 'on')
  const starts = await newStarts(db, actor, ons)
  const max = actor.scopes ? MAX_SESSIONS_PER_DAY_BY_PROGRAMS : MAX_SESSIONS_PER_DAY
  const take = async (surplus: readonly QueuedSwitch[]) => {
    const within = changes.filter((change) => !surplus.includes(change))
    return { ...(await replayQueued(db, actor, within, now)), surplus }
  }
  const orElse = (surplus: readonly QueuedSwitch[]) => (error: unknown) => {
    if (!isOverDailyLimit(error)) throw error
    return take(surplus)
  }
  // The count before the write is an estimate: one start can become several sessions when it fills gaps between others. So
  // if the constraint still fails, retry without new starts, then without any start. Stops add no sessions.
  return take(await beyond(max, db, actor, starts))
    .catch(orElse(starts))
    .catch(orElse(ons))
}

/** The starts whose session ids are not stored yet: the others are repeated requests. */
async function newStarts(db: Db, { userId }: Actor, ons: On[]): Promise<On[]> {
  if (ons.length === 0) return []
  const rows = await db.query<{ id: string }>(known, { userId, ids: ons.map(({ sessionId }) => sessionId) })
  const ids = new Set(rows.map(({ id }) => id))
  return ons.filter(({ sessionId }) => !ids.has(sessionId))
}

/** The starts that would exceed `max` on their local date, counting in order. */
async function beyond(max: number, db: Db, { userId }: Actor, ons: On[]): Promise<On[]> {
  if (ons.length === 0) return []
  const dates = ons.map(({ at, timeZone }) => localDateOf(at, timeZone))
  const rows = await db.query<{ date: string; starts: number }>(counts, { userId, dates: [...new Set(dates)] })
  const starts = new Map(rows.map(({ date, starts }) => [date, starts]))
  return ons.filter((_on, n) => {
    const date = dates[n] ?? ''
    const count = (starts.get(date) ?? 0) + 1
    starts.set(date, count)
    return count > max
  })
}
