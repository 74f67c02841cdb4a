import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { setTarget as endpoint } from '@deeb/core/focus/api'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { CAP } from './close-session-sql.ts'
import { focusSession, IS_NAMED, SESSION_ROW, type SessionRow } from './focus-state.ts'

/*
 * The update takes a row lock. If a concurrent stop ended the session, PostgreSQL checks `is_active` again after the wait and
 * updates nothing. A new presence version makes other devices and connections receive the target.
 */
const set = statement(
  'focus.set-target',
  `with changed as (
    update deeb_sessions set target_minutes = :targetMinutes
    where user_id = :userId and is_active and start_time > :now::timestamptz - ${CAP} and ${IS_NAMED}
    returning user_id, id, start_time, end_time, target_minutes
  ), renewed as (
    update user_presence set version = nextval('presence_versions') where user_id = (select user_id from changed)
  )
  select ${SESSION_ROW} from changed`,
)

/**
 * Sets or removes the target of the open focus session with this id or alias. Idempotent. Refuses with `session_not_found` if
 * it is not open or another user's.
 */
export async function setTarget(
  db: Db,
  actor: Actor,
  input: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const [session] = await db.query<SessionRow>(set, { userId: actor.userId, ...input, now })
  if (!session) throw new Refusal('session_not_found')
  return { session: focusSession(session), serverTime: now.toISOString() }
}
