import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { stopFocus as endpoint } from '@deeb/core/focus/api'
import { wholeSecond } from '@deeb/core/focus/session'
import type { Actor } from '../actor.ts'
import { type Db, statement } from '../db/db.ts'
import { lookAgainUntilSeen } from '../db/look-again.ts'
import { Refusal } from '../refusal.ts'
import { CAP, CLOSED_COLUMNS, SETTLE_CLOSED } from './close-sql.ts'
import { focusSession, type SessionRow } from './focus-state.ts'

const stop = statement(
  'focus.stop',
  `with meant as (
    select id, start_time, end_time from deeb_sessions
    where user_id = $1 and (
      id = $2 or id = (select session_id from deeb_session_aliases where user_id = $1 and alias = $2))
    order by id = $2 desc
    limit 1
  ), closed as (
    update deeb_sessions
    -- Should the server's clock have been set back since the start, the session is empty, not negative.
    set end_time = greatest(start_time, least($3, start_time + ${CAP})), capped = $3 > start_time + ${CAP}
    where user_id = $1 and id = (select id from meant) and end_time is null
    returning ${CLOSED_COLUMNS}
  ), ${SETTLE_CLOSED}
  select id, start_time as "startedAt", end_time as "endedAt" from closed
  union all
  select id, start_time, end_time from meant where end_time is not null`,
)

/**
 * Ends the session of that id, or of that second name, now; after 16 hours at the cap. One that has ended already
 * keeps its end. Refuses with `session_not_found` an id that never started anything.
 */
export async function stopFocus(
  db: Db,
  actor: Actor,
  input: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const values = [actor.userId, input.sessionId, wholeSecond(now)]
  const session = await lookAgainUntilSeen(() => db.query<SessionRow>(stop, values))
  if (!session) throw new Refusal('session_not_found')
  return { session: focusSession(session), serverTime: now.toISOString() }
}
