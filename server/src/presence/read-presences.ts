import type { FocusSession } from '@deeb/core/focus/api'
import { type Db, statement } from '../db/db.ts'
import { whoSees } from './who-sees.ts'

const presences = statement(
  'presence.read',
  `select presence.user_id as "userId", version::float8 as version, session.id as "sessionId",
    start_time as "startedAt", array(${whoSees('presence.user_id')}) as "seenBy"
  from user_presence as presence
  left join deeb_sessions as session on session.user_id = presence.user_id and session.is_active
  where presence.user_id = any(:userIds::uuid[])`,
)

/** What users see of themselves: their open focus session, and the version of their presence. */
export interface OwnState {
  openSession: FocusSession | null
  version: number
}

export interface LivePresence {
  userId: string
  state: OwnState
  /** The ids of those who may see it. Read in the same snapshot. */
  seenBy: string[]
}

interface PresenceRow {
  userId: string
  version: number
  sessionId: string | null
  startedAt: Date | null
  seenBy: string[]
}

/** The presence of these users, with those who may see it. `circlesAt` as in who-sees.ts. */
export async function readPresences(db: Db, userIds: string[], circlesAt: Date | null): Promise<LivePresence[]> {
  const rows = await db.query<PresenceRow>(presences, { userIds, circlesAt })
  return rows.map(({ userId, version, sessionId, startedAt, seenBy }) => {
    const openSession =
      sessionId && startedAt ? { id: sessionId, startedAt: startedAt.toISOString(), endedAt: null } : null
    return { userId, state: { openSession, version }, seenBy }
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
