import { statement } from '../../db/db.ts'
import { companyDisconnectedMail } from '../../mail/messages.ts'
import { mailParams } from '../../mail/outbox-insert.ts'
import type { AuthDeps } from '../auth-deps.ts'
import type { Principal } from '../auth-session/access-token.ts'
import { DEFAULT_HOURS, IS_BANNED, IS_PRINCIPALS, NEEDS_AAL2 } from '../auth-session/auth-session.ts'
import { AuthError } from '../http/auth-error.ts'
import type { Call } from '../http/caller.ts'
import { IS_PROVEN, requireRights } from '../proof.ts'
import { withUserLock } from '../user/user-lock.ts'
import { isCompanyOnly } from './only-by-company.ts'
import { REMOVAL_MAILED, removalOf } from './remove-identities.ts'

/*
 * Another way to sign in must remain: a password or a passkey, in a domain that is not signed in to by its company only. The auth
 * session of the principal belongs to the company no longer: nothing would check it any more, and it lives as long as any other.
 */
const unlinkStatement = statement(
  'auth.unlink-identity',
  `with own as (
    select sessions.id, user_id, ${NEEDS_AAL2} as needs_aal2, ${IS_PROVEN} as is_proven from auth.sessions
    where ${IS_PRINCIPALS} and not ${IS_BANNED}
  ), found as (
    select identities.id, (encrypted_password is not null or exists (
          select from auth.webauthn_credentials where webauthn_credentials.user_id = users.id))
        and not ${isCompanyOnly('users.email_domain')} as has_other
    from auth.identities join own on own.user_id = identities.user_id join auth.users on users.id = identities.user_id
    where identities.id = :identityId and sso_provider_id is not null
  ), chosen as (
    select found.id from found cross join own where has_other and not needs_aal2 and is_proven
  ), ${removalOf(':ip')}, unmarked as (
    update auth.sessions set sso_provider_id = null, sso_sid = null,
      not_after = greatest(not_after, sessions.created_at + interval '${DEFAULT_HOURS} hours') from gone
    where sessions.id = :keptSessionId and sessions.sso_provider_id = gone.sso_provider_id
  ), ${REMOVAL_MAILED}
  select needs_aal2 as "needsAal2", is_proven as "isProven", exists (select from found) as "isFound",
    exists (select from found where has_other) as "hasOther", array(select id::text from ended) as ended
  from own`,
)

interface Unlinked {
  needsAal2: boolean
  isProven: boolean
  isFound: boolean
  /** Whether another way to sign in remains. */
  hasOther: boolean
  ended: string[]
}

/**
 * Disconnects the company account from the account of the principal, ends the other auth sessions that it opened, and notifies the
 * owner. Throws `session_not_found`, `identity_not_found`, also for one of another user, `insufficient_aal`,
 * `reauthentication_needed`, and `single_identity_not_deletable` if it is the only way to sign in.
 */
export async function unlink(
  auth: AuthDeps,
  { sessionId, userId, binding }: Principal,
  identityId: string,
  { caller: { ip, language }, now }: Call,
): Promise<void> {
  const values = { sessionId, keptSessionId: sessionId, userId, binding, identityId, ip, now }
  const [outcome] = await withUserLock(auth.db, userId, (db) =>
    db.query<Unlinked>(unlinkStatement, { ...values, ...mailParams(companyDisconnectedMail(), language) }),
  )
  if (!outcome) throw new AuthError('session_not_found')
  if (!outcome.isFound) throw new AuthError('identity_not_found')
  requireRights(outcome)
  if (!outcome.hasOther) throw new AuthError('single_identity_not_deletable')
  for (const id of outcome.ended) auth.sessionAlive.invalidate(id)
  auth.mailer.kick()
}
