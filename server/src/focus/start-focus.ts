import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { startFocus as endpoint } from '@deeb/core/focus/api'
import { instantOf } from '@deeb/core/focus/device-times'
import type { QueuedSwitch } from '@deeb/core/focus/replay'
import { capOf } from '@deeb/core/focus/session'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { timeZoneOf } from '../profile/time-zone-of.ts'
import { STARTED_QUEUED } from '../webhooks/queue-deliveries.ts'
import { CAP } from './close-session-sql.ts'
import { isBeyondPrograms, isOverDailyLimit } from './daily-limit.ts'
import { dayCut } from './day-cut.ts'
import { findNamed } from './find-named.ts'
import { focusSession, SESSION_ROW, type SessionRow } from './focus-state.ts'
import { replayQueued } from './replay-queued.ts'

/*
 * Opens a focus session, or finds the open one. One statement, so session, presence and alias change atomically:
 *
 * - `opened` inserts the session. A unique index allows one open session per user, so of two concurrent starts the second
 *   waits for the first to commit, then inserts nothing (`on conflict do nothing`).
 * - `present` switches presence on, if a session was opened.
 * - `queued` writes the event for the webhooks of the user.
 * - `existing` finds the session to answer with, if none was opened. `for share` locks its row: if a concurrent stop
 *   ended the session, PostgreSQL checks the conditions again after the wait and drops the row. Otherwise a closed session
 *   would get an alias.
 * - `target` is the result, `new_alias` stores the new id as its alias. Repeating a start is therefore idempotent.
 *
 * No row means a conflict that this statement cannot decide; then `replayQueued` does. Either another session starts after
 * `:at`, or the session is not visible: a statement that waited for a lock still sees its old snapshot (READ COMMITTED).
 */
const start = statement(
  'focus.start',
  `with opened as (
    insert into deeb_sessions (user_id, id, start_time, time_zone, start_date, next_date, next_date_starts_at, target_minutes)
    select :userId::uuid, :sessionId::uuid, :at, :timeZone, :startDate, :nextDate, :nextDateStartsAt, :targetMinutes
    where not exists (select from deeb_session_aliases where user_id = :userId and alias = :sessionId)
    on conflict do nothing
    returning user_id, id, start_time, end_time, target_minutes
  ), present as (
    update user_presence set current_session_id = :sessionId where user_id = :userId and exists (select from opened)
  ), queued as (
    ${STARTED_QUEUED('opened')}
  ), alias as (
    select session_id from deeb_session_aliases where user_id = :userId and alias = :sessionId
  ), existing as (
    select id, start_time, end_time, target_minutes from deeb_sessions
    where user_id = :userId and not exists (select from opened)
      and (id = :sessionId or id = (select session_id from alias) or is_active)
      -- No open session that began later: the time before it belongs to this start. None past 16 hours: it counts as ended.
      and (end_time is not null or (start_time <= :at
        and (id = :sessionId or id = (select session_id from alias) or start_time > :now::timestamptz - ${CAP})))
    -- A repeated start finds its own session first, then its alias, even if it ended. A new start finds the open session.
    order by id = :sessionId desc, id = (select session_id from alias) desc nulls last
    limit 1
    for share
  ), target as (
    select id, start_time, end_time, target_minutes from opened union all select * from existing
  ), new_alias as (
    insert into deeb_session_aliases (user_id, alias, session_id)
    select :userId, :sessionId, id from target where id <> :sessionId
    on conflict do nothing
  )
  select ${SESSION_ROW} from target`,
)

/**
 * Starts a focus session at the time of the press, or returns the open session, on whichever device it was started.
 * Idempotent per session id. Refuses with `invalid_time_zone` (see `timeZoneOf`), with `too_late` or
 * `ahead_of_time` (see `instantOf`), and with `too_many_sessions` past 300 on one local date (a program: 200).
 */
export function startFocus(
  db: Db,
  actor: Actor,
  input: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  return openOrReplay(db, actor, input, now).catch((error: unknown) => {
    if (isOverDailyLimit(error)) throw new Refusal('too_many_sessions')
    throw error
  })
}

async function openOrReplay(
  db: Db,
  actor: Actor,
  input: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const { sessionId, targetMinutes } = input
  const at = instantOf(input.times, now)
  if (typeof at === 'string') {
    const stored = await findNamed(db, actor.userId, sessionId)
    if (stored) return { session: focusSession(stored), serverTime: now.toISOString() }
    throw new Refusal(at)
  }
  const timeZone = await timeZoneOf(db, actor, input, at)
  const press = { sessionId, timeZone, at, targetMinutes }
  if (actor.scopes && (await isBeyondPrograms(db, actor, press))) throw new Refusal('too_many_sessions')
  // A session that started more than 16 hours ago has already ended: only the replay can add it.
  const isOver = capOf(at) <= now
  const session = isOver ? undefined : await open(db, actor, press, now)
  if (session) return { session: focusSession(session), serverTime: now.toISOString() }

  const { sessionById } = await replayQueued(db, actor, [{ to: 'on', ...press }], now)
  const replayed = sessionById(sessionId)
  if (!replayed) throw new Error('A replayed start has no session.')
  return { session: focusSession(replayed), serverTime: now.toISOString() }
}

/** Runs the one statement. Undefined if it found a conflict. */
async function open(
  db: Db,
  actor: Actor,
  { sessionId, timeZone, at, targetMinutes }: Omit<QueuedSwitch & { to: 'on' }, 'to'>,
  now: Date,
): Promise<SessionRow | undefined> {
  const press = { sessionId, at, timeZone, ...dayCut(at, timeZone), targetMinutes: targetMinutes ?? null }
  const values = { userId: actor.userId, ...press, now }
  const [session] = await db.query<SessionRow>(start, values)
  return session
}
