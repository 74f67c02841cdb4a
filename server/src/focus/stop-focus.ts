import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { stopFocus as endpoint } from '@deeb/core/focus/api'
import { instantOf } from '@deeb/core/focus/device-times'
import type { Actor } from '../actor.ts'
import { type Db, statement } from '../db/db.ts'
import { Refusal } from '../refusal.ts'
import { CAP, CLOSED_COLUMNS, SETTLE_CLOSED } from './close-session-sql.ts'
import { focusSession, type SessionRow } from './focus-state.ts'
import { replayQueued } from './replay-queued.ts'

const stop = statement(
  'focus.stop',
  `with meant as (
    select id, start_time, end_time, capped and not cap_answered as forgotten from deeb_sessions
    where user_id = :userId and (
      id = :sessionId or id = (select session_id from deeb_session_aliases where user_id = :userId and alias = :sessionId))
    order by id = :sessionId desc
    limit 1
  ), closed as (
    update deeb_sessions
    -- Should the server's clock have been set back since the start, the session is empty, not negative.
    set end_time = greatest(start_time, least(:at, start_time + ${CAP})), capped = :at > start_time + ${CAP}
    where user_id = :userId and id = (select id from meant) and is_active
    returning ${CLOSED_COLUMNS}
  ), ${SETTLE_CLOSED}
  select id, start_time as "startedAt", end_time as "endedAt" from closed
  union all
  -- A forgotten one that was stopped before its 16 hours is not as it should be yet.
  select id, start_time, end_time from meant where end_time <= :at or (end_time is not null and not forgotten)`,
)

/**
 * Ends the session of that id, or of that second name, at the time of the act; after 16 hours at the cap. One that has
 * ended already keeps its end, unless it was forgotten, this happened before, and its person has not answered. Refuses with `session_not_found` an id that
 * never started anything; with `too_late` and `ahead_of_time` as `actOf` says.
 */
export async function stopFocus(
  db: Db,
  actor: Actor,
  { sessionId, times }: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const at = instantOf(times, now)
  if (typeof at === 'string') throw new Refusal(at)
  const [session] = await db.query<SessionRow>(stop, { userId: actor.userId, sessionId, at })
  if (session) return { session: focusSession(session), serverTime: now.toISOString() }

  // Nothing of that name, or not yet in the statement's snapshot, or a forgotten one.
  const { named } = await replayQueued(db, actor, [{ to: 'off', sessionId, at }], now)
  const taken = named(sessionId)
  if (!taken) throw new Refusal('session_not_found')
  return { session: focusSession(taken), serverTime: now.toISOString() }
}
