import { statement } from '../../db/db.ts'
import { passkeyRemovedMail } from '../../mail/messages.ts'
import { mailParams, outboxInsert } from '../../mail/outbox-insert.ts'
import { auditInsert } from '../audit-insert.ts'
import type { AuthDeps } from '../auth-deps.ts'
import type { Principal } from '../auth-session/access-token.ts'
import { IS_BANNED, IS_PRINCIPALS, NEEDS_AAL2 } from '../auth-session/auth-session.ts'
import { AuthError } from '../http/auth-error.ts'
import type { Call } from '../http/caller.ts'
import { IS_PROVEN, requireRights } from '../proof.ts'
import { IS_FACTOR_REQUIRED } from '../required-factor.ts'
import { withUserLock } from '../user/user-lock.ts'

/*
 * Ends the other auth sessions that this passkey may have opened: all with a passkey among their methods, unless they belong to
 * another passkey of the user. The principal's own is downgraded to aal1 instead.
 */
const remove = statement(
  'auth.remove-passkey',
  `with own as (
    select id, user_id, ${NEEDS_AAL2} as needs_aal2, ${IS_PROVEN} as is_proven from auth.sessions
    where ${IS_PRINCIPALS} and not ${IS_BANNED}
  ), passkey as (
    select webauthn_credentials.id from auth.webauthn_credentials join own using (user_id)
    where webauthn_credentials.id = :passkeyId
  ), needed as (
    select from own join auth.users on users.id = own.user_id where ${IS_FACTOR_REQUIRED}
      and not exists (select from auth.mfa_factors where mfa_factors.user_id = users.id and status = 'verified')
      and not exists (select from auth.webauthn_credentials as other where other.user_id = users.id and other.id <> :passkeyId)
  ), gone as (
    delete from auth.webauthn_credentials using own, passkey
    where webauthn_credentials.id = passkey.id and not needs_aal2 and is_proven and not exists (select from needed)
    returning webauthn_credentials.id, webauthn_credentials.user_id
  ), ended as (
    delete from auth.sessions using gone, own
    where sessions.user_id = gone.user_id and sessions.id <> own.id and sessions.amr @> '[{"method": "passkey"}]'
      and not exists (select from auth.webauthn_credentials as other
        where other.id = sessions.factor_id and other.id <> gone.id)
    returning sessions.id
  ), lowered as (
    update auth.sessions set aal = 'aal1', factor_id = null from gone, own
    where sessions.id = own.id and sessions.factor_id = gone.id
  ), mailed as (
    ${outboxInsert({ recipient: 'users.email', from: 'gone join auth.users on users.id = gone.user_id' })}
  ), logged as (
    ${auditInsert({
      action: "'passkey_removed'",
      userId: 'user_id',
      detail: "jsonb_build_object('passkey', id)",
      from: 'gone',
    })}
  )
  select needs_aal2 as "needsAal2", is_proven as "isProven", exists (select from passkey) as "isFound",
    exists (select from needed) as "isNeeded",
    array(select id::text from ended) as ended
  from own`,
)

interface Outcome {
  needsAal2: boolean
  isProven: boolean
  isFound: boolean
  /** It is the last one, and the company requires a second factor. */
  isNeeded: boolean
  ended: string[]
}

/**
 * Removes a passkey, ends the auth sessions that it opened, and notifies the owner. Throws `session_not_found`,
 * `webauthn_credential_not_found`, `insufficient_aal`, `reauthentication_needed`, and `second_factor_required` for the last one if the
 * company requires a second factor.
 */
export async function removePasskey(
  auth: AuthDeps,
  { sessionId, userId, binding }: Principal,
  passkeyId: string,
  { caller: { ip, language }, now }: Call,
): Promise<void> {
  const values = { sessionId, userId, binding, now, passkeyId, ip, ...mailParams(passkeyRemovedMail(), language) }
  const [outcome] = await withUserLock(auth.db, userId, (db) => db.query<Outcome>(remove, values))
  if (!outcome) throw new AuthError('session_not_found')
  if (!outcome.isFound) throw new AuthError('webauthn_credential_not_found')
  requireRights(outcome)
  if (outcome.isNeeded) throw new AuthError('second_factor_required')
  for (const id of [sessionId, ...outcome.ended]) auth.sessionAlive.invalidate(id)
  auth.mailer.kick()
}
