import type { endAuthSession as endpoint } from '@deeb/core/account/api'
import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import { auditInsert } from '../auth/audit-insert.ts'
import type { AuthDeps } from '../auth/auth-deps.ts'
import { BROWSER, IS_USABLE } from '../auth/auth-session/auth-session.ts'
import { IS_PROVEN } from '../auth/proof.ts'
import { withUserLock } from '../auth/user/user-lock.ts'
import { statement } from '../db/db.ts'
import type { SignedInActor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'

const end = statement(
  'account.end-auth-session',
  `with own as (
    select ip, ${BROWSER} as browser, ${IS_PROVEN} as is_proven from auth.sessions
    where id = :sessionId and user_id = :userId and ${IS_USABLE}
  ), chosen as (
    select ${BROWSER} as browser from auth.sessions where id = :id and user_id = :userId and ${IS_USABLE}
  ), ended as (
    delete from auth.sessions using own, chosen
    where user_id = :userId and ${BROWSER} = chosen.browser and (is_proven or own.browser = chosen.browser)
    returning sessions.id
  ), logged as (
    ${auditInsert({
      action: "'logout'",
      userId: ':userId',
      ip: 'own.ip',
      detail: `'{"scope": "browser"}'`,
      from: 'own where exists (select from ended)',
    })}
  )
  select exists (select from chosen) as "isFound", array(select id::text from ended) as ended from own`,
)

/**
 * Ends an auth session of the user and all others in the same browser. Throws `session_not_found`, and `proof_needed` for
 * another browser without a recent re-authentication.
 */
export async function endAuthSession(
  { db, sessionAlive }: Pick<AuthDeps, 'db' | 'sessionAlive'>,
  { userId, sessionId }: SignedInActor,
  { id }: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const values = { userId, sessionId, id, now }
  const [own] = await withUserLock(db, userId, (db) => db.query<{ isFound: boolean; ended: string[] }>(end, values))
  if (!own) throw new Refusal('not_signed_in')
  if (!own.isFound) throw new Refusal('session_not_found')
  if (own.ended.length === 0) throw new Refusal('proof_needed')
  for (const each of own.ended) sessionAlive.invalidate(each)
  return { ended: own.ended.length }
}
