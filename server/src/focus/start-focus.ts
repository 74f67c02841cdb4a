import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { startFocus as endpoint } from '@deeb/core/focus/api'
import { wholeSecond } from '@deeb/core/focus/session'
import { isTimeZone } from '@deeb/core/focus/split-by-day'
import type { Actor } from '../actor.ts'
import { type Db, statement } from '../db/db.ts'
import { lookAgainUntilSeen } from '../db/look-again.ts'
import { Refusal } from '../refusal.ts'
import { dayCut } from './day-cut.ts'
import { focusSession, type SessionRow } from './focus-state.ts'

/*
 * Session, presence and second name in one statement, so that there is no moment in which one is true without the
 * others. The unique index on open sessions decides between two starts at once: the second inserts nothing and is
 * answered with the session that stands, under which its own id is written down as an alias.
 *
 * `standing` locks what it finds: a session that was ended while this statement waited is looked at anew and dropped.
 * Without the lock its alias would be written although it is no longer open.
 */
const start = statement(
  'focus.start',
  `with opened as (
    insert into deeb_sessions (user_id, id, start_time, time_zone, start_date, next_date, next_date_starts_at)
    select $1::uuid, $2::uuid, $3, $4, $5, $6, $7
    where not exists (select from deeb_session_aliases where user_id = $1 and alias = $2)
    on conflict do nothing
    returning id, start_time, end_time
  ), present as (
    update user_presence set current_session_id = $2 where user_id = $1 and exists (select from opened)
  ), alias as (
    select session_id from deeb_session_aliases where user_id = $1 and alias = $2
  ), standing as (
    select id, start_time, end_time from deeb_sessions
    where user_id = $1 and not exists (select from opened)
      and (id = $2 or id = (select session_id from alias) or is_active)
    -- A repeated start means the session it made or was answered with, ended or not; a new one means the open one.
    order by id = $2 desc, id = (select session_id from alias) desc nulls last
    limit 1
    for share
  ), meant as (
    select * from opened union all select * from standing
  ), named as (
    insert into deeb_session_aliases (user_id, alias, session_id)
    select $1, $2, id from meant where id <> $2
    on conflict do nothing
  )
  select id, start_time as "startedAt", end_time as "endedAt" from meant`,
)

const lastEnd = statement(
  'focus.last-end',
  'select max(end_time) as "endedAt" from deeb_sessions where user_id = $1 and end_time > $2',
)

/**
 * Opens a session now, or answers with the one that is open, whichever device opened it. May be repeated with the
 * same id. Refuses with `invalid_time_zone` what is not an IANA name.
 */
export async function startFocus(
  db: Db,
  actor: Actor,
  input: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  if (!isTimeZone(input.timeZone)) throw new Refusal('invalid_time_zone')
  const startedAt = wholeSecond(now)
  const session = (await open(db, actor, input, startedAt)) ?? (await openAfterLast(db, actor, input, startedAt))
  if (!session) throw new Error('No session was opened and none is open.')
  return { session: focusSession(session), serverTime: now.toISOString() }
}

function open(db: Db, actor: Actor, { sessionId, timeZone }: InputOf<typeof endpoint>, startedAt: Date) {
  const { startDate, nextDate, nextDateStartsAt } = dayCut(startedAt, timeZone)
  const values = [actor.userId, sessionId, startedAt, timeZone, startDate, nextDate, nextDateStartsAt]
  return lookAgainUntilSeen(() => db.query<SessionRow>(start, values))
}

/** Sessions never overlap. One that ended later than now, by a clock that was set back since, is followed, not refused. */
async function openAfterLast(db: Db, actor: Actor, input: InputOf<typeof endpoint>, startedAt: Date) {
  const [last] = await db.query<{ endedAt: Date | null }>(lastEnd, [actor.userId, startedAt])
  return last?.endedAt ? open(db, actor, input, last.endedAt) : undefined
}
