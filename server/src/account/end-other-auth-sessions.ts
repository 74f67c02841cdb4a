import type { endOtherAuthSessions as endpoint } from '@deeb/core/account/api'
import type { OutputOf } from '@deeb/core/endpoint'
import { auditInsert } from '../auth/audit-insert.ts'
import type { AuthDeps } from '../auth/auth-deps.ts'
import { IS_USABLE } from '../auth/auth-session/auth-session.ts'
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
  ), logged as (
    ${auditInsert({
      action: "'logout'",
      userId: ':userId',
      ip: 'own.ip',
      detail: `'{"scope": "others"}'`,
      from: 'own where is_proven',
    })}
  )
  select is_proven as "isProven", array(select id::text from ended) as ended from own`,
)

interface Ended {
  isProven: boolean
  ended: string[]
}

/** Ends all auth sessions of the user except the principal's, and the access of programs. Throws `proof_needed`. */
export async function endOtherAuthSessions(
  { db, sessionAlive }: Pick<AuthDeps, 'db' | 'sessionAlive'>,
  { userId, sessionId }: SignedInActor,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const values = { userId, sessionId, now }
  const { ended, revoked } = await withUserLock(db, userId, async (db) => {
    const [own] = await db.query<Ended>(end, values)
    if (!own) throw new Refusal('not_signed_in')
    if (!own.isProven) throw new Refusal('proof_needed')
    return { ended: own.ended, revoked: await endOutsideAccess(db, userId) }
  })
  for (const id of [...ended, ...revoked]) sessionAlive.invalidate(id)
  return { ended: ended.length }
}
