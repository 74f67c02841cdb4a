import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { stopFocus as endpoint } from '@deeb/core/focus/api'
import { instantOf } from '@deeb/core/focus/device-times'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { CAP, CLOSED_COLUMNS, IS_FORGOTTEN, SETTLE_CLOSED } from './close-session-sql.ts'
import { findNamed } from './find-named.ts'
import { focusSession, IS_NAMED, SESSION_TIMES, type SessionRow } from './focus-state.ts'
import { replayQueued } from './replay-queued.ts'

/*
 * Ends a focus session. One statement, so session, presence and daily totals change atomically:
 *
 * - `target` finds the session by id or alias.
 * - `closed` ends it if it is open, at most 16 hours after its start. The update takes a row lock, so of two concurrent
 *   stops the second waits, checks `is_active` again and updates nothing. Stop is therefore idempotent.
 * - SETTLE_CLOSED switches presence off and adds the time to the daily totals.
 *
 * The result is the ended session. No row means an unknown id, a session that this statement's snapshot cannot see yet, or
 * a forgotten session that needs an earlier end; `replayQueued` decides.
 */
const stop = statement(
  'focus.stop',
  `with target as (
    select id, start_time, end_time, ${IS_FORGOTTEN} as forgotten from deeb_sessions
    where user_id = :userId and ${IS_NAMED}
    order by id = :sessionId desc
    limit 1
  ), closed as (
    update deeb_sessions
    -- If the server's clock was set back after the start, the session is empty, not negative.
    set end_time = greatest(start_time, least(:at, start_time + ${CAP})), capped = :at > start_time + ${CAP}
    where user_id = :userId and id = (select id from target) and is_active
    returning ${CLOSED_COLUMNS}
  ), ${SETTLE_CLOSED}
  select ${SESSION_TIMES} from closed
  union all
  -- Not a forgotten session that was stopped before its 16 hours: the replay must set its earlier end.
  select id, start_time, end_time from target where end_time <= :at or (end_time is not null and not forgotten)`,
)

/**
 * Ends the focus session with this id or alias at the time of the press, at most 16 hours after its start. Idempotent: an
 * ended session keeps its end. Exception: a forgotten session that its user has not answered gets the earlier end of this
 * press. Refuses with `session_not_found` if the id never started anything, and with `too_late` or `ahead_of_time` (see
 * `instantOf`).
 */
export async function stopFocus(
  db: Db,
  actor: Actor,
  { sessionId, times }: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const at = instantOf(times, now)
  if (typeof at === 'string') {
    const stored = await findNamed(db, actor.userId, sessionId)
    if (stored?.endedAt) return { session: focusSession(stored), serverTime: now.toISOString() }
    throw new Refusal(at)
  }
  const [session] = await db.query<SessionRow>(stop, { userId: actor.userId, sessionId, at, now })
  if (session) return { session: focusSession(session), serverTime: now.toISOString() }

  // Unknown id, not yet visible in the statement's snapshot, or a forgotten session.
  const { sessionById } = await replayQueued(db, actor, [{ to: 'off', sessionId, at }], now)
  const replayed = sessionById(sessionId)
  if (!replayed) throw new Refusal('session_not_found')
  return { session: focusSession(replayed), serverTime: now.toISOString() }
}
