import type { InputOf, OutputOf } from '@deeb/core/endpoint'
import type { revokeToken as endpoint } from '@deeb/core/tokens/api'
import { auditInsert } from '../auth/audit-insert.ts'
import type { AuthDeps } from '../auth/auth-deps.ts'
import { type Db, statement } from '../db/db.ts'
import type { SignedInActor } from '../lib/actor.ts'

const revoke = statement(
  'tokens.revoke',
  `with gone as (
    delete from auth.personal_tokens where id = :id and user_id = :userId returning id, user_id
  )
  ${auditInsert({
    action: "'token_revoked'",
    userId: 'user_id',
    ip: '(select ip from auth.sessions where sessions.id = :sessionId)',
    detail: "jsonb_build_object('token', id)",
    from: 'gone',
  })}
  returning user_id`,
)

/** Revokes a personal access token of the user, and ends its live streams. An unknown one changes nothing. */
export async function revokeToken(
  { db, sessionAlive }: { db: Db } & Pick<AuthDeps, 'sessionAlive'>,
  { userId, sessionId }: SignedInActor,
  { id }: InputOf<typeof endpoint>,
  now: Date,
): Promise<OutputOf<typeof endpoint>> {
  const gone = await db.query(revoke, { id, userId, sessionId, now })
  if (gone.length > 0) sessionAlive.invalidate(id)
  return { revoked: true }
}
