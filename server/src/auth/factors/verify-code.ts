import { randomUUID } from 'node:crypto'
import * as z from 'zod/mini'
import { type Db, statement } from '../../db/db.ts'
import { LIMITS } from '../../limits/limits-table.ts'
import { factorAddedMail, wrongCodesMail } from '../../mail/messages.ts'
import { mailParams, outboxInsert } from '../../mail/outbox-insert.ts'
import { auditInsert } from '../audit-insert.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { IS_BANNED, IS_HOLDERS, NEEDS_AAL2, SESSION_COLUMNS, type Session } from '../auth-session/auth-session.ts'
import { sessionAnswer } from '../auth-session/session-answer.ts'
import { AuthError } from '../http/auth-error.ts'
import type { Caller } from '../http/caller.ts'
import type { Principal } from '../http/principal.ts'
import { IS_PROVEN } from '../proof.ts'
import { changingUser } from '../user/user-lock.ts'
import { CHALLENGE_MINUTES } from './challenge.ts'
import { seal, unseal } from './seal.ts'
import { acceptedStep } from './totp.ts'

export const VerifyCodeInput = z.object({ challenge_id: z.uuid(), code: z.string() })

/** At this many wrong codes the owner gets an email. */
const CODES_UNTIL_EMAIL = 10

/** Wrong codes expire this long after the last one, unless the limit is reached. */
const REMEMBERED = "interval '30 days'"

/*
 * A session of a recovery link has tries of its own: with them the owner gets in and sets a new password, while whoever
 * knows the old one has none left.
 */
const tryCode = statement(
  'auth.try-code',
  `with own as (
    select user_id, amr, ${IS_PROVEN} as is_proven, failed_codes from auth.sessions
    where ${IS_HOLDERS} and not ${IS_BANNED}
  ), factor as (
    select mfa_factors.id, secret, last_step, status from auth.mfa_factors join own on own.user_id = mfa_factors.user_id
    where mfa_factors.id = :factorId
  ), tried as (
    update auth.mfa_challenges set attempts = attempts + 1 from factor
    where mfa_challenges.id = :challengeId and factor_id = factor.id and attempts < 5
      and created_at > :now::timestamptz - interval '${CHALLENGE_MINUTES} minutes'
    returning mfa_challenges.id
  )
  select own.amr, own.is_proven as "isProven", factor.secret, factor.last_step::int as "lastStep",
    factor.status = 'verified' as "isVerified", exists (select from tried) as "isOpen",
    users.failed_codes >= ${LIMITS.wrongCodes.rule.max} and not (own.amr @> '[{"method": "recovery"}]'
      and own.failed_codes < ${LIMITS.wrongCodesAfterRecovery.rule.max}) as "isStopped"
  from own join auth.users on users.id = own.user_id left join factor on true`,
)

/* Counted for the account, so that more sessions bring no more tries, and for the session, whose right code forgives them. */
const wrongCode = statement(
  'auth.wrong-code',
  `with own as (
    update auth.sessions set failed_codes = failed_codes + 1 where id = :sessionId
  ), person as (
    update auth.users set last_failed_code_at = :now, failed_codes = 1 + case
      when failed_codes >= ${LIMITS.wrongCodes.rule.max} or last_failed_code_at > :now::timestamptz - ${REMEMBERED}
      then failed_codes else 0 end
    where id = :userId returning id, email, failed_codes
  ), mailed as (
    ${outboxInsert({ recipient: 'email', from: `person where failed_codes = ${CODES_UNTIL_EMAIL}` })}
  )
  ${auditInsert({
    action: "'mfa_failed'",
    userId: 'id',
    detail: "jsonb_build_object('factor', :factorId::uuid, 'wrong_codes', failed_codes)",
    from: 'person',
  })}`,
)

/*
 * The session makes room for a new one, so that tokens which were copied before the code was given stay without it. Each
 * step counts once: of two that come with the same code, the second finds it used. A factor that was only begun opens
 * nothing where another is asked for, and those that were begun beside the first one end with it: whoever knew the password
 * may have begun one before.
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
        select from auth.sessions where ${IS_HOLDERS} and (mfa_factors.status = 'verified' or not ${NEEDS_AAL2}))
    returning mfa_factors.id, mfa_factors.user_id
  ), swept as (
    delete from auth.mfa_factors as other using factor
    where other.user_id = factor.user_id and other.id <> factor.id and other.status = 'unverified'
      and (select status from before) = 'unverified'
  ), ended as (
    delete from auth.sessions using factor
    where sessions.user_id = factor.user_id and (sessions.aal = 'aal1' or sessions.id = :sessionId)
    returning sessions.id, sessions.not_after, sessions.binding, sessions.failed_codes
  ), forgiven as (
    update auth.users set failed_codes = greatest(users.failed_codes - own.failed_codes, 0)
    from factor join ended as own on own.id = :sessionId where users.id = factor.user_id and own.failed_codes > 0
  ), mailed as (
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
  ), opened as (
    insert into auth.sessions
      (id, user_id, aal, amr, factor_id, created_at, refreshed_at, proven_at, not_after, user_agent, ip, binding)
    select :newSessionId, factor.user_id, 'aal2', :amr, factor.id, :now, :now, :now, own.not_after, :userAgent, :ip,
      own.binding
    from factor join ended as own on own.id = :sessionId
    returning ${SESSION_COLUMNS}
  )
  select opened.*, (select array_agg(id::text) from ended) as ended from opened`,
)

interface Try {
  amr: { method: string; timestamp: number }[]
  isProven: boolean
  secret: Buffer | null
  lastStep: number | null
  isVerified: boolean | null
  isOpen: boolean
  /** There were too many wrong codes. */
  isStopped: boolean
}

interface Opened extends Session {
  ended: string[]
}

/**
 * Opens the session of somebody who shows the code of a factor: `aal2`. Those that showed less end. The first code of a
 * factor makes it count, which needs a fresh proof. Throws `session_not_found`, `mfa_factor_not_found`,
 * `reauthentication_needed`, `mfa_verification_rejected` after too many wrong codes, `mfa_challenge_expired`,
 * `mfa_verification_failed` for a code that is wrong or was used, and `over_request_rate_limit`.
 */
export async function verifyCode(
  auth: AuthDeps,
  principal: Principal,
  factorId: string,
  input: z.output<typeof VerifyCodeInput>,
  caller: Caller,
  now: Date,
) {
  await auth.limits.takeTotp('verify', principal.sessionId, now)
  // Codes of one person that arrive together are judged one after the other, so that each wrong one is counted.
  const opened = await changingUser(auth.db, principal.userId, (db) =>
    judgeCode({ ...auth, db }, principal, factorId, input, caller, now),
  )
  auth.mailer.kick()
  if (!opened) throw new AuthError('mfa_verification_failed')
  for (const id of opened.ended) auth.sessionAlive.forget(id)
  return sessionAnswer(auth, opened, now)
}

/** The new session; null for a wrong code, which is counted if the factor protects the account. */
async function judgeCode(
  { db, keys }: Pick<AuthDeps, 'db' | 'keys'>,
  principal: Principal,
  factorId: string,
  input: z.output<typeof VerifyCodeInput>,
  caller: Caller,
  now: Date,
): Promise<Opened | null> {
  const { sessionId, userId, binding } = principal
  const attempt = { sessionId, userId, binding, now, factorId, challengeId: input.challenge_id }
  const [found] = await db.query<Try>(tryCode, attempt)
  if (!found) throw new AuthError('session_not_found')
  if (!found.secret) throw new AuthError('mfa_factor_not_found')
  if (!found.isVerified && !found.isProven) throw new AuthError('reauthentication_needed')
  if (found.isVerified && found.isStopped) throw new AuthError('mfa_verification_rejected')
  if (!found.isOpen) throw new AuthError('mfa_challenge_expired')
  const secret = unseal(keys.sealKeys, found.secret, factorId)
  const step = acceptedStep(secret, input.code, found.lastStep, now)
  if (step === null) {
    if (found.isVerified) await recordWrongCode(db, principal, factorId, caller, now)
    return null
  }
  // Anew, by the key that seals now: so a secret of the server that was exchanged may go once each code has been given.
  const sealed = seal(keys.sealKeys[0], secret, factorId)
  const [opened] = await db.query<Opened>(accept, {
    ...attempt,
    step,
    sealed,
    newSessionId: randomUUID(),
    amr: amrWithCode(found, now),
    userAgent: caller.userAgent,
    ip: caller.ip,
    ...mailParams(factorAddedMail()),
  })
  return opened ?? null
}

async function recordWrongCode(
  db: Db,
  { sessionId, userId }: Principal,
  factorId: string,
  { ip }: Caller,
  now: Date,
): Promise<void> {
  await db.query(wrongCode, { sessionId, userId, now, factorId, ip, ...mailParams(wrongCodesMail()) })
}

/** Newest first, as GoTrue has it. */
function amrWithCode({ amr }: Try, now: Date): string {
  const code = { method: 'totp', timestamp: Math.floor(now.getTime() / 1000) }
  return JSON.stringify([code, ...amr.filter(({ method }) => method !== 'totp')])
}
