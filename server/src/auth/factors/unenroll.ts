import { statement } from '../../db/db.ts'
import { factorRemovedMail } from '../../mail/messages.ts'
import { mailParams, outboxInsert } from '../../mail/outbox-insert.ts'
import { auditInsert } from '../audit-insert.ts'
import type { AuthDeps } from '../auth-deps.ts'
import type { Principal } from '../auth-session/access-token.ts'
import { IS_BANNED, IS_PRINCIPALS } from '../auth-session/auth-session.ts'
import { AuthError } from '../http/auth-error.ts'
import type { Call } from '../http/caller.ts'
import { IS_PROVEN } from '../proof.ts'
import { HAS_PASSKEY, IS_FACTOR_REQUIRED } from '../required-factor.ts'
import { withUserLock } from '../user/user-lock.ts'

/*
 * Downgrades the auth sessions that were opened with this factor to aal1. The last one takes the recovery codes with it: alone they
 * would be a second factor that is used up after ten sign-ins, and lock the owner out.
 */
const remove = statement(
  'auth.unenroll-factor',
  `with own as (
    select user_id, aal, ${IS_PROVEN} as is_proven from auth.sessions
    where ${IS_PRINCIPALS} and not ${IS_BANNED}
  ), needed as (
    select from own join auth.users on users.id = own.user_id where ${IS_FACTOR_REQUIRED}
      and not ${HAS_PASSKEY}
      and not exists (select from auth.mfa_factors as other where other.user_id = users.id and other.id <> :factorId
        and other.factor_type = 'totp' and other.status = 'verified')
  ), factor as (
    select mfa_factors.id, status = 'unverified' or own.aal = 'aal2' as has_aal,
      status = 'verified' and exists (select from needed) as is_needed
    from auth.mfa_factors join own on own.user_id = mfa_factors.user_id
    where mfa_factors.id = :factorId and factor_type = 'totp'
  ), gone as (
    delete from auth.mfa_factors using own, factor
    where mfa_factors.id = factor.id and has_aal and is_proven and not is_needed
    returning mfa_factors.id, mfa_factors.user_id, status
  ), codes as (
    delete from auth.mfa_factors using gone
    where mfa_factors.user_id = gone.user_id and factor_type = 'recovery_code' and not exists (
      select from auth.mfa_factors as other where other.user_id = gone.user_id and other.id <> gone.id
        and other.factor_type = 'totp' and other.status = 'verified')
    returning mfa_factors.id
  ), lowered as (
    update auth.sessions set aal = 'aal1', factor_id = null
    where factor_id in (select id from gone union all select id from codes) returning sessions.id
  ), mailed as (
    ${outboxInsert({
      recipient: 'users.email',
      from: "gone join auth.users on users.id = gone.user_id where status = 'verified'",
    })}
  ), logged as (
    ${auditInsert({
      action: "'mfa_removed'",
      userId: 'user_id',
      detail: "jsonb_build_object('factor', id)",
      from: "gone where status = 'verified'",
    })}
  )
  select (select has_aal from factor) as "hasAal", is_proven and (select is_needed from factor) as "isNeeded", exists (select from gone) as "isGone",
    coalesce((select array_agg(id::text) from lowered), '{}') as lowered
  from own`,
)

interface Outcome {
  /** Null if the user has no such factor. */
  hasAal: boolean | null
  /** It is the last one, and the company requires one. */
  isNeeded: boolean
  isGone: boolean
  lowered: string[]
}

/**
 * Removes a factor. Needs a recent re-authentication, and for a verified factor an `aal2` auth session. Throws
 * `session_not_found`, `mfa_factor_not_found`, `insufficient_aal`, `reauthentication_needed`, and `second_factor_required` for the last
 * one if the company requires one.
 */
export async function unenroll(auth: AuthDeps, principal: Principal, factorId: string, { caller, now }: Call) {
  const { sessionId, userId, binding } = principal
  const mail = mailParams(factorRemovedMail(), caller.language)
  const params = { sessionId, userId, binding, now, factorId, ip: caller.ip, ...mail }
  const [outcome] = await withUserLock(auth.db, userId, (db) => db.query<Outcome>(remove, params))
  if (!outcome) throw new AuthError('session_not_found')
  if (outcome.hasAal === null) throw new AuthError('mfa_factor_not_found')
  if (!outcome.hasAal) throw new AuthError('insufficient_aal', { status: 422 })
  if (outcome.isNeeded) throw new AuthError('second_factor_required')
  if (!outcome.isGone) throw new AuthError('reauthentication_needed')
  for (const id of [sessionId, ...outcome.lowered]) auth.sessionAlive.invalidate(id)
  auth.mailer.kick()
  return { id: factorId }
}
