import { type Db, statement } from '../../db/db.ts'
import { passwordChangedMail } from '../../mail/messages.ts'
import { mailParams, outboxInsert } from '../../mail/outbox-insert.ts'
import { endOutsideAccess } from '../../profile/outside-access.ts'
import { auditInsert } from '../audit-insert.ts'
import type { Principal } from '../auth-session/access-token.ts'
import { IS_PRINCIPALS } from '../auth-session/auth-session.ts'
import { AuthError } from '../http/auth-error.ts'
import type { Call } from '../http/caller.ts'

/** The state of an account before a change. */
export interface AccountToChange {
  email: string
  /** Null for an account without a password. */
  passwordHash: string | null
  amr: { method: string; timestamp: number }[]
  /** Whether the auth session has a recent re-authentication. */
  isProven: boolean
}

/** The methods that a new password does not replace: they are the reason for the level of the auth session. */
const KEPT_METHODS = ['totp', 'passkey', 'mfa/recovery_code', 'oauth']

/* Invalidates email links too, since an attacker may have requested them. The notice to the owner has no rate limit. */
const change = statement(
  'auth.change-password',
  `with person as (
    update auth.users set encrypted_password = :newHash, failed_attempts = 0, failed_codes = 0, updated_at = :now
    where id = :userId and encrypted_password is not distinct from :oldHash::text and exists (select from auth.sessions where ${IS_PRINCIPALS})
    returning id, email
  ), links as (
    delete from auth.one_time_tokens using person where user_id = person.id
  ), ended as (
    delete from auth.sessions using person where user_id = person.id and sessions.id <> :sessionId returning sessions.id
  ), own as (
    update auth.sessions set amr = :amr from person where sessions.id = :sessionId
  ), mailed as (
    ${outboxInsert({ recipient: 'email', from: 'person' })}
  ), logged as (
    ${auditInsert({ action: "'password_changed'", userId: 'id', from: 'person' })}
  )
  select coalesce((select array_agg(id::text) from ended), '{}') as ended from person`,
)

/**
 * Sets a new password, or the first one, and revokes all auth sessions except the principal's, and the access of programs. Returns
 * the ids of the revoked ones. That of the principal can no longer use the right of a recovery link. Throws
 * `current_password_invalid` if the password changed concurrently. Call it in a transaction with the user lock.
 */
export async function changePassword(
  db: Db,
  { sessionId, userId, binding }: Principal,
  account: AccountToChange,
  passwordHash: string,
  { caller, now }: Call,
): Promise<string[]> {
  const proof = { method: 'password', timestamp: Math.floor(now.getTime() / 1000) }
  const amr = JSON.stringify([proof, ...account.amr.filter(({ method }) => KEPT_METHODS.includes(method))])
  const [person] = await db.query<{ ended: string[] }>(change, {
    sessionId,
    userId,
    binding,
    now,
    ip: caller.ip,
    oldHash: account.passwordHash,
    newHash: passwordHash,
    amr,
    ...mailParams(passwordChangedMail(), caller.language),
  })
  if (!person) throw new AuthError('current_password_invalid')
  return [...person.ended, ...(await endOutsideAccess(db, userId))]
}
