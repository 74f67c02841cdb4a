import { IS_BANNED, IS_USABLE, NEEDS_AAL2 } from '../auth/auth-session/auth-session.ts'
import { IS_TOKEN_USABLE, TOKEN_NEEDS_FACTOR } from '../auth/personal-tokens/personal-token.ts'
import { NEEDS_FACTOR } from '../auth/required-factor.ts'
import { type Db, statement } from '../db/db.ts'

const alive = statement(
  'live.sessions-alive',
  `select id from auth.sessions
  where id = any(:sessionIds::uuid[]) and ${IS_USABLE} and not ${IS_BANNED} and not ${NEEDS_AAL2}
    and not ${NEEDS_FACTOR}
  union all select personal_tokens.id from auth.personal_tokens join auth.users on users.id = user_id
  where personal_tokens.id = any(:sessionIds::uuid[]) and ${IS_TOKEN_USABLE} and not ${TOKEN_NEEDS_FACTOR}`,
)

/**
 * The ids of those auth sessions and personal access tokens that may still have a stream: not expired, not banned, with the required
 * second factor.
 */
export async function readAlive(db: Db, sessionIds: string[], now: Date): Promise<Set<string>> {
  const rows = await db.query<{ id: string }>(alive, { sessionIds, now })
  return new Set(rows.map(({ id }) => id))
}
