import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { startFocus as endpoint } from '@deeb/core/focus/api'
import { instantOf } from '@deeb/core/focus/device-times'
import { capOf } from '@deeb/core/focus/session'
import { isTimeZone } from '@deeb/core/focus/split-by-day'
import type { Actor } from '../actor.ts'
import { type Db, statement } from '../db/db.ts'
import { Refusal } from '../refusal.ts'
import { CAP } from './close-session-sql.ts'
import { isOverDailyLimit } from './daily-limit.ts'
import { dayCut } from './day-cut.ts'
import { focusSession, type SessionRow } from './focus-state.ts'
import { replayQueued } from './replay-queued.ts'

/*
 * Session, presence and second name in one statement, so that there is no moment in which one is true without the
 * others. The unique index on open sessions decides between two starts at once: the second inserts nothing and is
 * answered with the session that stands, under which its own id is written down as an alias.
 *
 * `existing` locks what it finds: a session that was ended while this statement waited is looked at anew and dropped.
 * Without the lock its alias would be written although it is no longer open.
 *
 * It finds nothing where it is not that simple: sessions come after `:at`, or what it waited for is not in its snapshot.
 */
const start = statement(
  'focus.start',
  `with opened as (
    insert into deeb_sessions (user_id, id, start_time, time_zone, start_date, next_date, next_date_starts_at)
    select :userId::uuid, :sessionId::uuid, :at, :timeZone, :startDate, :nextDate, :nextDateStartsAt
    where not exists (select from deeb_session_aliases where user_id = :userId and alias = :sessionId)
    on conflict do nothing
    returning id, start_time, end_time
  ), present as (
    update user_presence set current_session_id = :sessionId where user_id = :userId and exists (select from opened)
  ), alias as (
    select session_id from deeb_session_aliases where user_id = :userId and alias = :sessionId
  ), existing as (
    select id, start_time, end_time from deeb_sessions
    where user_id = :userId and not exists (select from opened)
      and (id = :sessionId or id = (select session_id from alias) or is_active)
      -- What is open and began later leaves time before it that is this start's. One past its 16 hours has ended.
      and (end_time is not null or (start_time <= :at
        and (id = :sessionId or id = (select session_id from alias) or start_time > :now::timestamptz - ${CAP})))
    -- A repeated start means the session it made or was answered with, ended or not; a new one means the open one.
    order by id = :sessionId desc, id = (select session_id from alias) desc nulls last
    limit 1
    for share
  ), meant as (
    select * from opened union all select * from existing
  ), named as (
    insert into deeb_session_aliases (user_id, alias, session_id)
    select :userId, :sessionId, id from meant where id <> :sessionId
    on conflict do nothing
  )
  select id, start_time as "startedAt", end_time as "endedAt" from meant`,
)

/**
 * Opens a session at the time of the act, or answers with the one that is open, whichever device opened it. May be repeated
 * with the same id. Refuses with `invalid_time_zone` what is not an IANA name; with `too_late` and `ahead_of_time` as
 * `instantOf` says; with `too_many_sessions` past 300 on one local date.
 */
export function startFocus(
  db: Db,
  actor: Actor,
  input: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  return openOrTake(db, actor, input, now).catch((error: unknown) => {
    if (isOverDailyLimit(error)) throw new Refusal('too_many_sessions')
    throw error
  })
}

async function openOrTake(
  db: Db,
  actor: Actor,
  input: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const { sessionId, timeZone } = input
  if (!isTimeZone(timeZone)) throw new Refusal('invalid_time_zone')
  const at = instantOf(input.times, now)
  if (typeof at === 'string') throw new Refusal(at)
  // One that began so long ago has ended already.
  const isOver = capOf(at) <= now
  const session = isOver ? undefined : await open(db, actor, { sessionId, timeZone, at }, now)
  if (session) return { session: focusSession(session), serverTime: now.toISOString() }

  const { named } = await replayQueued(db, actor, [{ to: 'on', sessionId, timeZone, at }], now)
  const taken = named(sessionId)
  if (!taken) throw new Error('A start that was taken means no session.')
  return { session: focusSession(taken), serverTime: now.toISOString() }
}

async function open(
  db: Db,
  actor: Actor,
  { sessionId, timeZone, at }: { sessionId: string; timeZone: string; at: Date },
  now: Date,
): Promise<SessionRow | undefined> {
  const { startDate, nextDate, nextDateStartsAt } = dayCut(at, timeZone)
  const values = { userId: actor.userId, sessionId, at, timeZone, startDate, nextDate, nextDateStartsAt, now }
  const [session] = await db.query<SessionRow>(start, values)
  return session
}
