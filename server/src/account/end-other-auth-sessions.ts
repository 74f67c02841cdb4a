import type { endOtherAuthSessions as endpoint } from '@deeb/core/account/api'
import type { OutputOf } from '@deeb/core/endpoint'
import { auditInsert } from '../auth/audit-insert.ts'
import type { AuthDeps } from '../auth/auth-deps.ts'
import { IS_USABLE } from '../auth/auth-session/auth-session.ts'
import { revokeTokensOf } from '../auth/personal-tokens/personal-token.ts'
import { IS_PROVEN } from '../auth/proof.ts'
import { withUserLock } from '../auth/user/user-lock.ts'
import { statement } from '../db/db.ts'
import type { SignedInActor } from '../lib/actor.ts'
import { Refusal } from '../lib/refusal.ts'
import { endOutsideAccess } from '../profile/outside-access.ts'

const end = statement(
  'account.end-other-auth-sessions',
  `with own as (
    select id, ip, ${IS_PROVEN} as is_proven from auth.sessions
    where id = :sessionId and user_id = :userId and ${IS_USABLE}
  ), ended as (
    delete from auth.sessions using own where user_id = :userId and sessions.id <> own.id and is_proven
    returning sessions.id
  ), tokens as (
    ${revokeTokensOf(':userId and is_proven', 'own')}
  ), logged as (
    ${auditInsert({
      action: "'logout'",
      userId: ':userId',
      ip: 'own.ip',
      detail: `'{"scope": "others"}'`,
      from: 'own where is_proven',
    })}
  )
  select is_proven as "isProven", array(select id::text from ended) as ended,
    array(select id::text from tokens) as revoked from own`,
)

interface Ended {
  isProven: boolean
  ended: string[]
  /** Personal access tokens. */
  revoked: string[]
}

/** Ends all auth sessions of the user except the principal's, and the access of programs. Throws `proof_needed`. */
export async function endOtherAuthSessions(
  { db, sessionAlive }: Pick<AuthDeps, 'db' | 'sessionAlive'>,
  { userId, sessionId }: SignedInActor,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const values = { userId, sessionId, now }
  const [own] = await withUserLock(db, userId, async (db) => {
    const rows = await db.query<Ended>(end, values)
    if (rows[0]?.isProven) await endOutsideAccess(db, userId)
    return rows
  })
  if (!own) throw new Refusal('not_signed_in')
  if (!own.isProven) throw new Refusal('proof_needed')
  for (const id of [...own.ended, ...own.revoked]) sessionAlive.invalidate(id)
  return { ended: own.ended.length }
}
