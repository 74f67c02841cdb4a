import { REPLAY_WINDOW_DAYS } from '@deeb/core/focus/device-times'
import type { PendingPress } from '@deeb/core/focus/interruptions'
import { MAX_INTERRUPTIONS } from '@deeb/core/focus/session'
import { type Db, lookup, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { IS_NAMED } from './focus-state.ts'
import { lockProfile } from './lock-profile.ts'
import { renewRevision } from './renew-revision.ts'

/* The ids of presses are kept for as long as this finds their session, and longer. */
const find = lookup(
  'focus.find-interrupted',
  `select id from deeb_sessions
  where user_id = :userId
    and ${IS_NAMED}
    and (is_active or end_time > :now::timestamptz - interval '${REPLAY_WINDOW_DAYS} days')
  order by id = :sessionId desc
  limit 1`,
)

const count = statement(
  'focus.count-interruption',
  `with counted as (
    insert into interruption_presses (user_id, id, session_id, counts)
    select user_id, :pressId, id, true from deeb_sessions
    where user_id = :userId and id = :id and interruptions < ${MAX_INTERRUPTIONS}
      and (select count(*) from interruption_presses where user_id = :userId) < ${LIMITS.interruptionPresses.max}
    on conflict do nothing
    returning session_id
  )
  update deeb_sessions set interruptions = interruptions + 1
  where user_id = :userId and id = (select session_id from counted)
  returning id`,
)

/* An undo that arrives before its press leaves a row too, so that the press never counts. */
const undo = statement(
  'focus.undo-interruption',
  `with undone as (
    update interruption_presses set counts = false where user_id = :userId and id = :pressId and counts returning session_id
  ), noted as (
    insert into interruption_presses (user_id, id, session_id, counts)
    select :userId::uuid, :pressId::uuid, :id::uuid, false
    where (select count(*) from interruption_presses where user_id = :userId) < ${LIMITS.interruptionPresses.max}
    on conflict do nothing
  )
  update deeb_sessions set interruptions = greatest(interruptions - 1, 0)
  where user_id = :userId and id = (select session_id from undone)
  returning id`,
)

/**
 * Counts interruptions in their sessions, and takes others back, in one transaction. Idempotent: each press counts once. Returns the
 * presses whose session is unknown or ended more than 7 days ago.
 */
export async function countInterruptions(
  database: Db,
  { userId }: Actor,
  presses: readonly PendingPress[],
  now: Date,
): Promise<PendingPress[]> {
  if (presses.length === 0) return []
  return database.transaction(async (db) => {
    await lockProfile(db, userId)
    const lost: PendingPress[] = []
    let hasChanged = false
    for (const press of presses) {
      const { to, sessionId, pressId } = press
      const [session] = await db.query<{ id: string }>(find, { userId, sessionId, now })
      if (!session) {
        lost.push(press)
        continue
      }
      const changed = await db.query(to === 'undo' ? undo : count, { userId, pressId, id: session.id })
      hasChanged ||= changed.length > 0
    }
    if (hasChanged) await db.query(renewRevision, { userId })
    return lost
  })
}
