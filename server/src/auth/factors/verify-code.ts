import { Uuid } from '@deeb/core/formats'
import * as v from 'valibot'
import { statement } from '../../db/db.ts'
import { LIMITS } from '../../limits/limits-table.ts'
import { factorAddedMail } from '../../mail/messages.ts'
import { mailParams, outboxInsert } from '../../mail/outbox-insert.ts'
import { auditInsert } from '../audit-insert.ts'
import type { AuthDeps } from '../auth-deps.ts'
import type { Principal } from '../auth-session/access-token.ts'
import { IS_BANNED, IS_PRINCIPALS, NEEDS_AAL2 } from '../auth-session/auth-session.ts'
import { AuthError } from '../http/auth-error.ts'
import type { Call } from '../http/caller.ts'
import { IS_PROVEN } from '../proof.ts'
import { CHALLENGE_MINUTES } from './challenge.ts'
import { type Methods, RAISE_LEVEL, RAISED, type Raised, raiseByCode, raiseParams } from './raise-level.ts'
import { seal, unseal } from './seal.ts'
import { acceptedStep } from './totp.ts'
import { recordWrongCode } from './wrong-code.ts'

export const VerifyCodeInput = v.object({ challenge_id: Uuid, code: v.string() })

/*
 * Counts an attempt before the code is checked: 5 per challenge. An auth session from a recovery link has attempts of its own. So
 * the owner can still set a new password when an attacker with the old one has used up those of the account.
 */
const countAttempt = statement(
  'auth.try-code',
  `with own as (
    select user_id, amr, ${IS_PROVEN} as is_proven, failed_codes from auth.sessions
    where ${IS_PRINCIPALS} and not ${IS_BANNED}
  ), factor as (
    select mfa_factors.id, secret, last_step, status from auth.mfa_factors join own on own.user_id = mfa_factors.user_id
    where mfa_factors.id = :factorId and factor_type = 'totp'
  ), tried as (
    update auth.mfa_challenges set attempts = attempts + 1 from factor
    where mfa_challenges.id = :challengeId and factor_id = factor.id and attempts < 5
      and created_at > :now::timestamptz - interval '${CHALLENGE_MINUTES} minutes'
    returning mfa_challenges.id
  )
  select own.amr, own.is_proven as "isProven", factor.secret, factor.last_step::int as "lastStep",
    factor.status = 'verified' as "isVerified", exists (select from tried) as "isOpen",
    users.failed_codes >= ${LIMITS.wrongCodes.max} and not (own.amr @> '[{"method": "recovery"}]'
      and own.failed_codes < ${LIMITS.wrongCodesAfterRecovery.max}) as "isLocked"
  from own join auth.users on users.id = own.user_id left join factor on true`,
)

/*
 * Accepts each time step once (replay attack) and raises the level of the auth session.
 *
 * An unverified factor cannot replace a verified one. Verifying the first factor deletes the other unverified ones: an attacker
 * with the password may have enrolled one.
 */
const accept = statement(
  'auth.accept-code',
  `with spent as (
    delete from auth.mfa_challenges where id = :challengeId and factor_id = :factorId returning factor_id
  ), before as (
    select status from auth.mfa_factors where id = :factorId
  ), factor as (
    update auth.mfa_factors set last_step = :step, secret = :sealed, status = 'verified', updated_at = :now from spent
    where mfa_factors.id = spent.factor_id and user_id = :userId and (last_step is null or last_step < :step)
      and exists (
        select from auth.sessions where ${IS_PRINCIPALS} and (mfa_factors.status = 'verified' or not ${NEEDS_AAL2}))
    returning mfa_factors.id, mfa_factors.user_id
  ), swept as (
    delete from auth.mfa_factors as other using factor
    where other.user_id = factor.user_id and other.id <> factor.id and other.status = 'unverified'
      and (select status from before) = 'unverified'
  ), ${RAISE_LEVEL}, mailed as (
    ${outboxInsert({
      recipient: 'users.email',
      from: "factor join auth.users on users.id = factor.user_id where (select status from before) = 'unverified'",
    })}
  ), logged as (
    ${auditInsert({
      action: "'mfa_verified'",
      userId: 'user_id',
      detail: "jsonb_build_object('factor', id)",
      from: 'factor',
    })}
  )
  ${RAISED}`,
)

interface CodeAttempt {
  amr: Methods
  isProven: boolean
  secret: Buffer | null
  lastStep: number | null
  isVerified: boolean | null
  isOpen: boolean
  /** The account had too many wrong codes, so no code is accepted. */
  isLocked: boolean
}

/**
 * Verifies the code of a second factor and opens an `aal2` auth session. All `aal1` auth sessions of the user are revoked. The
 * first code of a factor verifies the factor itself, which needs a recent re-authentication.
 *
 * Throws `session_not_found`, `mfa_factor_not_found`, `reauthentication_needed`, `mfa_verification_rejected` after too many wrong
 * codes (brute force), `mfa_challenge_expired`, `mfa_verification_failed` for a wrong or used code (replay attack), and
 * `over_request_rate_limit`.
 */
export async function verifyCode(
  auth: AuthDeps,
  principal: Principal,
  factorId: string,
  input: v.InferOutput<typeof VerifyCodeInput>,
  call: Call,
) {
  return raiseByCode(auth, principal, call.now, (db) => checkCode({ ...auth, db }, principal, factorId, input, call))
}

/** Returns the new auth session, or null for a wrong code. A wrong code is counted only if the factor is verified. */
async function checkCode(
  { db, keys }: Pick<AuthDeps, 'db' | 'keys'>,
  principal: Principal,
  factorId: string,
  input: v.InferOutput<typeof VerifyCodeInput>,
  call: Call,
): Promise<Raised | null> {
  const { caller, now } = call
  const { sessionId, userId, binding } = principal
  const attempt = { sessionId, userId, binding, now, factorId, challengeId: input.challenge_id }
  const [found] = await db.query<CodeAttempt>(countAttempt, attempt)
  if (!found) throw new AuthError('session_not_found')
  if (!found.secret) throw new AuthError('mfa_factor_not_found')
  if (!found.isVerified && !found.isProven) throw new AuthError('reauthentication_needed')
  if (found.isVerified && found.isLocked) throw new AuthError('mfa_verification_rejected')
  if (!found.isOpen) throw new AuthError('mfa_challenge_expired')
  const secret = unseal(keys.sealKeys, found.secret, factorId)
  const step = acceptedStep(secret, input.code, found.lastStep, now)
  if (step === null) {
    if (found.isVerified) await recordWrongCode(db, principal, factorId, call)
    return null
  }
  // Encrypts the secret again with the current key, so that an old server secret is no longer needed after the next code.
  const sealed = seal(keys.sealKeys[0], secret, factorId)
  const [opened] = await db.query<Raised>(accept, {
    ...attempt,
    step,
    sealed,
    ...raiseParams('totp', found.amr, call),
    ...mailParams(factorAddedMail(), caller.language),
  })
  return opened ?? null
}
