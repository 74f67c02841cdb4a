import type { OutputOf } from '@deeb/core/endpoint'
import { CORRECTABLE_DAYS } from '@deeb/core/sessions/correction'
import type { readSessions as endpoint } from '@deeb/core/sessions/read-api'
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
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'

/** Only the newest are returned. Nobody has more in a normal week. */
const MAX_SESSIONS = 500

/* One row per session, or one row without a session. The condition on `start_time` allows an index scan. */
const read = lookup(
  'focus.read-sessions',
  `select session.id, session.start_time as "startedAt", session.end_time as "endedAt", session.interruptions,
    ${FOCUS_STATE_COLUMNS}
  from profiles ${FOCUS_STATE_JOINS}
  left join lateral (
    select id, start_time, end_time, interruptions from deeb_sessions
    where user_id = profiles.id and start_time > :now::timestamptz - interval '${CORRECTABLE_DAYS} days' - ${CAP}
      and end_time > :now::timestamptz - interval '${CORRECTABLE_DAYS} days' and discarded_at is null
    order by start_time desc, id desc limit ${MAX_SESSIONS}
  ) as session on true
  where profiles.id = :userId
  order by session.start_time desc, session.id desc`,
)

type Row = FocusStateRow & ((SessionRow & { interruptions: number }) | { id: null })

/** The focus sessions of the user that can be corrected, newest first, with the state of deeb mode. */
export async function readSessions(db: Db, actor: Actor, now: Date): Promise<OutputOf<typeof endpoint>> {
  const rows = await db.query<Row>(read, { userId: actor.userId, now })
  const [first] = rows
  if (!first) throw new Refusal('not_signed_in')
  return {
    sessions: rows.flatMap((row) =>
      row.id === null ? [] : [{ ...focusSession(row), interruptions: row.interruptions }],
    ),
    ...focusState(first, now),
  }
}
