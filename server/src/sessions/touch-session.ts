import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import { instantOf } from '@deeb/core/focus/device-times'
import type { touchSession as endpoint } from '@deeb/core/sessions/api'
import { type Db, statement } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'

/* Not a change of presence: colleagues get no event. */
const touch = statement(
  'focus.touch',
  `update deeb_sessions set last_touch_at = greatest(last_touch_at, start_time, :at),
    still_on_answers = array(
      select distinct answer from unnest(still_on_answers || :answers::text[]) as answer order by answer)
  where user_id = :userId and id = :sessionId and is_active
  returning id`,
)

/**
 * Stores when a device of the user was last touched, and adds answered questions. Idempotent. Refuses with
 * `session_not_found` if the session is not open or another user's, and with `too_late` or `ahead_of_time` (see `instantOf`).
 */
export async function touchSession(
  db: Db,
  actor: Actor,
  { sessionId, times, answers }: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const at = instantOf(times, now)
  if (typeof at === 'string') throw new Refusal(at)
  const touched = await db.query(touch, { userId: actor.userId, sessionId, at, answers })
  if (touched.length === 0) throw new Refusal('session_not_found')
  return { touched: true }
}
