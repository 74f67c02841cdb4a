import type { OutputOf } from '@deeb/core/endpoint'
import type { readSessions as endpoint } from '@deeb/core/sessions/api'
import { CORRECTABLE_DAYS } from '@deeb/core/sessions/correction'
import type { Actor } from '../actor.ts'
import { type Db, lookup } from '../db/db.ts'
import { CAP } from '../focus/close-session-sql.ts'
import {
  FOCUS_STATE_COLUMNS,
  FOCUS_STATE_JOINS,
  type FocusStateRow,
  focusSession,
  focusState,
  type SessionRow,
} from '../focus/focus-state.ts'
import { Refusal } from '../refusal.ts'

/** More in a week is somebody trying the switch out; the newest are enough for them too. */
const MAX_SESSIONS = 500

/* A row for each session, and one without if there is none. The bound on the start is for the index. */
const read = lookup(
  'focus.read-sessions',
  `select session.id, session.start_time as "startedAt", session.end_time as "endedAt", ${FOCUS_STATE_COLUMNS}
  from profiles ${FOCUS_STATE_JOINS}
  left join lateral (
    select id, start_time, end_time from deeb_sessions
    where user_id = profiles.id and start_time > :now::timestamptz - interval '${CORRECTABLE_DAYS} days' - ${CAP}
      and end_time > :now::timestamptz - interval '${CORRECTABLE_DAYS} days' and discarded_at is null
    order by start_time desc, id desc limit ${MAX_SESSIONS}
  ) as session on true
  where profiles.id = :userId
  order by session.start_time desc, session.id desc`,
)

/** The own sessions that can be corrected, the newest first. */
export async function readSessions(db: Db, actor: Actor, now: Date): Promise<OutputOf<typeof endpoint>> {
  const rows = await db.query<FocusStateRow & (SessionRow | { id: null })>(read, { userId: actor.userId, now })
  const [first] = rows
  if (!first) throw new Refusal('not_signed_in')
  return { sessions: rows.flatMap((row) => (row.id === null ? [] : [focusSession(row)])), ...focusState(first, now) }
}
