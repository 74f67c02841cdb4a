import type { createCalendarLink as endpoint } from '@deeb/core/calendar/api'
import type { OutputOf } from '@deeb/core/endpoint'
import { CALENDAR_PATH } from '@deeb/core/paths'
import { IS_BANNED, IS_USABLE } from '../auth/auth-session/auth-session.ts'
import { IS_PROVEN } from '../auth/proof.ts'
import { withUserLock } from '../auth/user/user-lock.ts'
import type { Config } from '../config/config.ts'
import { type Db, statement } from '../db/db.ts'
import type { SignedInActor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { hashOfToken, makeCalendarToken } from './calendar-token.ts'

const create = statement(
  'calendar.create-link',
  `with own as (
    select ${IS_PROVEN} as is_proven from auth.sessions
    where id = :sessionId and user_id = :userId and ${IS_USABLE} and not ${IS_BANNED}
  ), created as (
    insert into calendar_links (user_id, token_hash, created_at) select :userId::uuid, :tokenHash::bytea, :now from own where is_proven
    on conflict (user_id) do update set token_hash = excluded.token_hash, created_at = excluded.created_at, last_read_at = null
  )
  select is_proven as "isProven" from own`,
)

/**
 * Creates the link of the actor's calendar, in place of an earlier one. Only this answer has it: the database stores a hash. The user
 * lock makes a concurrent sign-out of all devices remove it too. Throws `proof_needed`.
 */
export async function createCalendarLink(
  { db, config }: { db: Db; config: Pick<Config, 'publicUrl'> },
  { userId, sessionId }: SignedInActor,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const token = makeCalendarToken()
  const values = { userId, sessionId, tokenHash: hashOfToken(token), now }
  const [own] = await withUserLock(db, userId, (db) => db.query<{ isProven: boolean }>(create, values))
  if (!own) throw new Refusal('not_signed_in')
  if (!own.isProven) throw new Refusal('proof_needed')
  return { url: `${config.publicUrl}${CALENDAR_PATH}/${token}.ics` }
}
