import { randomUUID } from 'node:crypto'
import { type Db, statement } from '../../db/db.ts'
import { passwordChangedMail } from '../../mail/messages.ts'
import { IS_HOLDERS } from '../auth-session/auth-session.ts'
import { AuthError } from '../http/auth-error.ts'
import type { Caller } from '../http/caller.ts'
import type { Principal } from '../http/principal.ts'

/** What the changes of an account start from. */
export interface AccountToChange {
  email: string
  passwordHash: string
  amr: { method: string; timestamp: number }[]
}

/* Links on their way end too: somebody else may have asked for them. The word about it goes out past every limit. */
const change = statement(
  'auth.change-password',
  `with person as (
    update auth.users set encrypted_password = $6, failed_attempts = 0, failed_codes = 0, updated_at = $3
    where id = $2 and encrypted_password = $5 and exists (select from auth.sessions where ${IS_HOLDERS})
    returning id, email
  ), links as (
    delete from auth.one_time_tokens using person where user_id = person.id
  ), ended as (
    delete from auth.sessions using person where user_id = person.id and sessions.id <> $1 returning sessions.id
  ), own as (
    update auth.sessions set amr = $7 from person where sessions.id = $1
  ), mailed as (
    insert into auth.outbox (id, kind, recipient, subject, body, created_at, next_try_at)
    select $8, $9, email, $10, $11, $3, $3 from person
  ), logged as (
    insert into auth.audit_log (at, action, user_id, ip) select $3, 'password_changed', id, $12 from person
  )
  select coalesce((select array_agg(id::text) from ended), '{}') as ended from person`,
)

/**
 * Sets a password and ends all sessions but the principal's, whose right from a recovery link is used up. Gives the ids of
 * those that ended. Throws `current_password_invalid` if the password is not any more the one that was looked at.
 */
export async function changePassword(
  db: Db,
  { sessionId, userId, binding }: Principal,
  account: AccountToChange,
  passwordHash: string,
  caller: Caller,
  now: Date,
): Promise<string[]> {
  const proof = { method: 'password', timestamp: Math.floor(now.getTime() / 1000) }
  const amr = JSON.stringify([proof, ...account.amr.filter(({ method }) => method === 'totp')])
  const { kind, subject, body } = passwordChangedMail()
  const principal = [sessionId, userId, now, binding]
  const values = [...principal, account.passwordHash, passwordHash, amr, randomUUID(), kind, subject, body, caller.ip]
  const [person] = await db.query<{ ended: string[] }>(change, values)
  if (!person) throw new AuthError('current_password_invalid')
  return person.ended
}
