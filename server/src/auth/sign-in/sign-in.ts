import { parseEmail } from '@deeb/core/account/email'
import * as v from 'valibot'
import { statement } from '../../db/db.ts'
import { callerNetwork, ipNetwork } from '../../limits/ip-network.ts'
import { LIMITS } from '../../limits/limits-table.ts'
import { auditInsert } from '../audit-insert.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { openAuthSession, USER_IS_BANNED } from '../auth-session/auth-session.ts'
import { type SessionAnswer, sessionAnswer } from '../auth-session/session-answer.ts'
import { requireOpenDomain } from '../company/only-by-company.ts'
import { AuthError } from '../http/auth-error.ts'
import type { Call } from '../http/caller.ts'
import { IS_FAMILIAR, rememberNetwork } from '../limits/familiar-networks.ts'
import { COSTS_IN_USE } from '../password/costs-in-use.ts'
import { normalPassword } from '../password/new-password.ts'
import { OWN_NETWORK_FIRST } from '../sign-up/pending-sign-up.ts'

export const SignInInput = v.object({ email: v.string(), password: v.string() })

/** SQL: the day (UTC) of `:now`. */
const TODAY = "(:now::timestamptz at time zone 'UTC')::date"

/** SQL: the failed attempts of an account, halved for each day (UTC) since the last one, so that one a day cannot lock it. */
const FAILED_ATTEMPTS = `(failed_attempts >> least(31, greatest(0, ${TODAY} - failed_attempts_on)))`

const find = statement(
  'auth.find-account',
  `with account as (
    select id, encrypted_password as "passwordHash", ${USER_IS_BANNED} as "isBanned",
      ${FAILED_ATTEMPTS} as "failedAttempts", ${IS_FAMILIAR} as "isFamiliar"
    from auth.users where email = :email
  )
  select (select to_jsonb(account) from account) as account,
    (select password_hash from auth.pending_signups where email = :email ${OWN_NETWORK_FIRST}) as "pendingHash",
    ${COSTS_IN_USE} as costs`,
)

const logFailure = statement(
  'auth.log-failed-login',
  `with counted as (
    update auth.users set failed_attempts = ${FAILED_ATTEMPTS} + 1, failed_attempts_on = ${TODAY} where id = :userId
    returning id
  )
  ${auditInsert({ action: "'login_failed'", userId: '(select id from counted)' })}`,
)

const renew = statement(
  'auth.renew-hash',
  'update auth.users set encrypted_password = :newHash where id = :userId and encrypted_password = :oldHash',
)

interface Account {
  id: string
  /** Null for an account without a password. */
  passwordHash: string | null
  isBanned: boolean
  failedAttempts: number
  /** Whether the owner signed in from this network in the last 90 days. */
  isFamiliar: boolean
}

interface Found {
  account: Account | null
  /** The password hash of the caller's pending sign-up, or of the newest. */
  pendingHash: string | null
  /** The distinct Argon2 costs of all stored hashes. */
  costs: string[]
}

/**
 * Signs in with email and password. Throws `invalid_credentials`, `email_not_confirmed`, `user_banned`, `user_sso_managed` and
 * `over_request_rate_limit`.
 *
 * Prevents user enumeration and timing attacks: an unknown address has the same error, work and rate limit as a wrong password.
 * `email_not_confirmed` and `user_banned` need the right password. Rate limits with backoff slow down brute force and credential
 * stuffing.
 */
export async function signIn(
  auth: AuthDeps,
  input: v.InferOutput<typeof SignInInput>,
  call: Call,
): Promise<SessionAnswer> {
  const { caller, now } = call
  const account = await auth.limits.signIn.limitGuess(caller.ip, now, () => findByPassword(auth, input, call))
  if (account.isBanned) throw new AuthError('user_banned')
  const session = await openAuthSession(auth.db, { userId: account.id, passwordHash: account.passwordHash }, call)
  // The account changed concurrently: blocked, a new password, or a renewed hash. The retry sees the new state.
  if (!session) return signIn(auth, input, call)
  await rememberNetwork(auth.db, account.id, call)
  await renewHash(auth, account, input.password)
  return sessionAnswer(auth, session, now)
}

/**
 * Finds the account of an address and checks its password. Throws `invalid_credentials`, `email_not_confirmed` for the password
 * of a pending sign-up, `user_sso_managed`, and a 429 during the backoff.
 */
export async function findByPassword(
  auth: AuthDeps,
  input: v.InferOutput<typeof SignInInput>,
  { caller, now }: Call,
): Promise<Account> {
  // An invalid address is looked up like an unknown one. The work stays the same, which prevents timing attacks.
  const email = parseEmail(input.email) ?? ''
  await requireOpenDomain(auth.db, email)
  const [found] = await auth.db.query<Found>(find, {
    email,
    now,
    ipKey: ipNetwork(caller.ip),
    network: callerNetwork(caller.ip),
  })
  const { account, pendingHash, costs } = found ?? { account: null, pendingHash: null, costs: [] }
  const isFamiliar = account?.isFamiliar ?? false
  const isLocked = account !== null && account.failedAttempts >= LIMITS.failedSignIns.max && !isFamiliar
  const isCorrect = await auth.limits.guessSignIn({ email, caller, isFamiliar }, now, async () => {
    const isRight = (await auth.passwords.verify(account?.passwordHash ?? null, input.password, costs)) && !isLocked
    // Also checked if there is an account. Otherwise a sign-up followed by a sign-in would allow user enumeration.
    // Throwing neither counts a failed attempt nor resets them.
    const isPending = !isRight && (await auth.passwords.verify(pendingHash, input.password, costs))
    if (isPending) throw new AuthError('email_not_confirmed')
    return isRight
  })
  if (account && isCorrect) {
    auth.limits.takeSuccessfulSignIn(account.id, caller, now)
    return account
  }
  await auth.db.query(logFailure, { now, userId: account?.id ?? null, ip: caller.ip })
  throw new AuthError('invalid_credentials')
}

/** Rehashes the password if the cost setting changed since. Only a sign-in has the password in plain text. */
async function renewHash({ db, passwords }: AuthDeps, { id, passwordHash }: Account, password: string): Promise<void> {
  const normal = normalPassword(password)
  if (normal === null || passwordHash === null || passwords.isCurrent(passwordHash)) return
  const hash = await passwords.hash(normal).catch((error: unknown) => {
    // Too many hashes are queued: the next sign-in does it.
    if (error instanceof AuthError) return null
    throw error
  })
  if (hash !== null) await db.query(renew, { userId: id, oldHash: passwordHash, newHash: hash })
}
