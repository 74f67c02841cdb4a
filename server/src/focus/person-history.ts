import { type History, openSessionOf, type PastSession, type Span } from '@deeb/core/focus/history'
import { type QueuedSwitch, reachOf } from '@deeb/core/focus/replay'
import { type Db, statement } from '../db/db.ts'
import { queueReplayedEvents, type ReplayedEvent } from '../webhooks/queue-deliveries.ts'
import { IS_FORGOTTEN } from './close-session-sql.ts'
import { adjustDailyTotals } from './daily-totals.ts'
import { CUT_COLUMNS, type DayCut, dayCut } from './day-cut.ts'
import { SESSION_ROW } from './focus-state.ts'
import { lockProfile } from './lock-profile.ts'

/* The sessions that the changes may end or move: the open one and those named by id or alias. Row locks keep them as read. */
const sessionsNamed = statement(
  'focus.sessions-named',
  `select ${SESSION_ROW}, time_zone as "timeZone",
    ${IS_FORGOTTEN} as "isForgotten", discarded_at is not null as "isDiscarded", ${CUT_COLUMNS}
  from deeb_sessions
  where user_id = :userId and (is_active or id = any(:ids::uuid[])
    or id in (select session_id from deeb_session_aliases where user_id = :userId and alias = any(:ids::uuid[])))
  order by start_time for update`,
)

/*
 * The time covered by all other ended sessions within the reach of the changes, in order. Adjacent sessions are merged into
 * one span. A session opened after the statement above is missing here; then a constraint is violated and the replay is
 * retried.
 */
const takenTime = statement(
  'focus.taken-time',
  `select lower(taken) as "startedAt", upper(taken) as "endedAt" from (
    select unnest(range_agg(tstzrange(start_time, end_time))) as taken from (
      select unnest(range_agg(tstzrange(from_time, to_time))) as reach
      from unnest(:reachStarts::timestamptz[], :reachEnds::timestamptz[]) as change (from_time, to_time)
    ) as reaches join deeb_sessions on user_id = :userId and tstzrange(start_time, end_time) && reach
    where end_time is not null and id <> all(:ids::uuid[])
  ) as merged`,
)

const aliasesOf = statement(
  'focus.aliases-of',
  'select alias, session_id as "sessionId" from deeb_session_aliases where user_id = :userId and alias = any(:ids::uuid[])',
)

/* One statement for any number of rows: a queued session can fill gaps between many others. */
const insertSessions = statement(
  'focus.insert-late',
  `insert into deeb_sessions (user_id, id, start_time, end_time, capped, discarded_at, time_zone,
    start_date, next_date, next_date_starts_at, target_minutes)
  select :userId, id, "startedAt", "endedAt", "isForgotten", case when "isDiscarded" then :now::timestamptz end, "timeZone",
    "startDate", "nextDate", "nextDateStartsAt", "targetMinutes"
  from jsonb_to_recordset(:sessions::text::jsonb) as made (id uuid, "startedAt" timestamptz, "endedAt" timestamptz,
    "isForgotten" boolean, "isDiscarded" boolean, "timeZone" text, "startDate" text, "nextDate" text,
    "nextDateStartsAt" timestamptz, "targetMinutes" smallint)`,
)

const updateSession = statement(
  'focus.update-late',
  `update deeb_sessions set start_time = :startedAt, end_time = :endedAt, capped = :isForgotten,
    start_date = :startDate, next_date = :nextDate, next_date_starts_at = :nextDateStartsAt, discarded_at = :discardedAt,
    target_minutes = :targetMinutes
  where user_id = :userId and id = :id`,
)

const insertAlias = statement(
  'focus.insert-alias',
  'insert into deeb_session_aliases (user_id, alias, session_id) values (:userId, :alias, :sessionId) on conflict do nothing',
)

/*
 * Two statements, because of READ COMMITTED: a statement that waited for a lock still reads its old snapshot. A concurrent
 * start holds this row lock until it commits; only the second statement sees the session that it opened.
 *
 * The version always increases, even if presence stays the same: other devices then refetch the totals.
 */
const lockPresence = statement('focus.lock-presence', 'select from user_presence where user_id = :userId for update')
const setPresence = statement(
  'focus.set-presence',
  `update user_presence set version = nextval('presence_versions'),
    current_session_id = (select id from deeb_sessions where user_id = :userId and is_active)
  where user_id = :userId`,
)

type StoredSession = PastSession & DayCut

interface StoredHistory extends History {
  sessions: readonly StoredSession[]
}

/**
 * Reads the part of a user's history that the changes can touch: their sessions (row locks until the transaction ends), the
 * time of all other sessions within reach, and aliases. Serialized per user.
 */
export async function lockHistory(db: Db, userId: string, changes: readonly QueuedSwitch[]): Promise<StoredHistory> {
  // Not held by a plain start or stop: constraints decide between that and this transaction.
  await lockProfile(db, userId)
  const ids = changes.map(({ sessionId }) => sessionId)
  const sessions = await db.query<StoredSession>(sessionsNamed, { userId, ids })
  const reaches = reachOf(changes)
  const values = {
    userId,
    reachStarts: reaches.map(({ startedAt }) => startedAt),
    reachEnds: reaches.map(({ endedAt }) => endedAt),
    ids: sessions.map(({ id }) => id),
  }
  const taken = reaches.length > 0 ? await db.query<Span>(takenTime, values) : []
  const aliases = await db.query<{ alias: string; sessionId: string }>(aliasesOf, { userId, ids })
  return { sessions, taken, aliases: new Map(aliases.map(({ alias, sessionId }) => [alias, sessionId])) }
}

/** Writes the difference between two histories: sessions, aliases, presence and daily totals. */
export async function saveHistory(
  db: Db,
  userId: string,
  before: StoredHistory,
  after: History,
  now: Date,
): Promise<void> {
  const known = new Map(before.sessions.map((session) => [session.id, session]))
  const changed = after.sessions
    .filter((session) => !isSame(session, known.get(session.id)))
    .map((session) => ({ ...session, ...dayCut(session.startedAt, session.timeZone) }))
  // The session that was open is written last: it may now start earlier, in time that another session had. The constraint
  // against overlaps is checked after each row.
  const wasOpen = ({ id }: PastSession) => Number(known.get(id)?.endedAt === null)
  const moved = changed.filter(({ id }) => known.has(id)).sort((a, b) => wasOpen(a) - wasOpen(b))
  for (const session of moved) await update(db, userId, session, now)
  const made = changed.filter(({ id }) => !known.has(id))
  if (made.length > 0) await db.query(insertSessions, { userId, sessions: JSON.stringify(made), now })
  for (const [alias, sessionId] of after.aliases) {
    if (!before.aliases.has(alias)) await db.query(insertAlias, { userId, alias, sessionId })
  }
  if (changed.length > 0) {
    await db.query(lockPresence, { userId })
    await db.query(setPresence, { userId })
    await queueReplayedEvents(db, userId, eventsOf(known, changed, after), now)
  }
  const recounts = changed.map((session) => ({
    before: counted(known.get(session.id)),
    after: counted(session),
  }))
  await adjustDailyTotals(db, userId, recounts)
}

/** Returns the events that webhooks receive of a replay: each session's start and end, once, and none of its later changes. */
function eventsOf(known: ReadonlyMap<string, PastSession>, changed: PastSession[], after: History): ReplayedEvent[] {
  const isOn = openSessionOf(after) !== undefined
  const inOrder = changed.toSorted((a, b) => a.startedAt.getTime() - b.startedAt.getTime())
  return inOrder.flatMap(({ id, startedAt, endedAt, isForgotten, isDiscarded, targetMinutes }) => {
    const before = known.get(id)
    const isNew = !before && !isDiscarded
    const hasEnded = endedAt !== null && (before ? before.endedAt === null : !isDiscarded)
    const session = { sessionId: id, startedAt, isOn, isLate: !before && endedAt !== null }
    return [
      ...(isNew
        ? [{ type: 'focus.started' as const, data: { ...session, targetMinutes: targetMinutes ?? null } }]
        : []),
      ...(hasEnded ? [{ type: 'focus.ended' as const, data: { ...session, endedAt, isForgotten } }] : []),
    ]
  })
}

/** The part of a session that daily totals contain. An open session is counted when it ends. */
function counted(session: StoredSession | undefined): (Span & DayCut) | null {
  return session?.endedAt ? { ...session, endedAt: session.endedAt } : null
}

function isSame(a: PastSession, b: PastSession | undefined): boolean {
  return (
    a.startedAt.getTime() === b?.startedAt.getTime() &&
    a.endedAt?.getTime() === b.endedAt?.getTime() &&
    a.isForgotten === b.isForgotten &&
    a.isDiscarded === b.isDiscarded
  )
}

async function update(db: Db, userId: string, session: StoredSession, now: Date): Promise<void> {
  const { id, startedAt, endedAt, isForgotten, isDiscarded, startDate, nextDate, nextDateStartsAt } = session
  const discardedAt = isDiscarded ? now : null
  const cut = { startDate, nextDate, nextDateStartsAt }
  const targetMinutes = session.targetMinutes ?? null
  await db.query(updateSession, { userId, id, startedAt, endedAt, isForgotten, discardedAt, ...cut, targetMinutes })
}
