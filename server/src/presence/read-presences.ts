import type { FocusSession } from '@deeb/core/focus/api'
import { type Db, statement } from '../db/db.ts'
import { whoSees } from './who-sees.ts'

const presences = statement(
  'presence.read',
  `select presence.user_id as "userId", version::float8 as version, revision::float8 as revision, session.id as "sessionId",
    start_time as "startedAt", target_minutes as "targetMinutes", array(${whoSees('presence.user_id')}) as "seenBy"
  from user_presence as presence
  left join deeb_sessions as session on session.user_id = presence.user_id and session.is_active
  where presence.user_id = any(:userIds::uuid[])`,
)

/** The state of users for themselves: their open focus session, and the revision of their presence. */
export interface OwnState {
  openSession: FocusSession | null
  version: number
}

export interface LivePresence {
  userId: string
  /** Only for this server: its gaps count the switches of other people. */
  version: number
  state: OwnState
  /** The ids of those who may see it. Read in the same snapshot. */
  seenBy: string[]
}

interface PresenceRow {
  userId: string
  version: number
  revision: number
  sessionId: string | null
  startedAt: Date | null
  targetMinutes: number | null
  seenBy: string[]
}

/** The presence of these users, with those who may see it. `circlesAt` as in who-sees.ts. */
export async function readPresences(db: Db, userIds: string[], circlesAt: Date | null): Promise<LivePresence[]> {
  const rows = await db.query<PresenceRow>(presences, { userIds, circlesAt })
  return rows.map(({ userId, version, revision, sessionId, startedAt, targetMinutes, seenBy }) => {
    const openSession =
      sessionId && startedAt
        ? { id: sessionId, startedAt: startedAt.toISOString(), endedAt: null, ...(targetMinutes && { targetMinutes }) }
        : null
    return { userId, version, state: { openSession, version: revision }, seenBy }
  })
}

const newest = statement('presence.newest-version', 'select last_value::float8 as version from presence_versions')

/** The highest version that was ever assigned. */
export async function readNewestVersion(db: Db): Promise<number> {
  const [row] = await db.query<{ version: number }>(newest)
  return row?.version ?? 0
}

/* A sequential scan, at most every 30 seconds. An index would cost a write per switch. */
const changed = statement(
  'presence.changed',
  'select user_id as "userId", version::float8 as version from user_presence where version > :version::float8::bigint',
)

/** The users whose presence has a higher version than `version`. */
export async function readChangedSince(db: Db, version: number): Promise<{ userId: string; version: number }[]> {
  return db.query(changed, { version })
}
