import { parseEmail } from '@deeb/core/account/email'
import * as z from 'zod/mini'
import { statement } from '../../db/db.ts'
import { callerNetwork, ipNetwork } from '../../limits/ip-network.ts'
import { auditInsert } from '../audit-insert.ts'
import type { AuthDeps } from '../auth-deps.ts'
import { openSession } from '../auth-session/auth-session.ts'
import { type SessionAnswer, sessionAnswer } from '../auth-session/session-answer.ts'
import { AuthError } from '../http/auth-error.ts'
import type { Caller } from '../http/caller.ts'
import { IS_FAMILIAR, rememberAddress } from '../limits/known-addresses.ts'
import { COSTS_IN_USE } from '../password/costs-in-use.ts'
import { normalPassword } from '../password/new-password.ts'
import { MEANT_FIRST } from '../sign-up/pending-sign-up.ts'

export const SignInInput = z.object({ email: z.string(), password: z.string() })

/**
 * NIST 800-63B: no more misses in a row than this. From then on strangers are refused, whatever they say, until the
 * owner signs in where they did before, resets the password, or the count has halved. Nobody can be locked out by others.
 */
const MAX_MISSES = 100

/** SQL: the day (UTC) of `:now`. */
const TODAY = "(:now::timestamptz at time zone 'UTC')::date"

/**
 * SQL: the misses of an account, halved with each day (UTC) since the last one. A miss does not start the day again, or
 * one a day would keep the count up.
 */
const MISSES = `(failed_attempts >> least(31, greatest(0, ${TODAY} - failed_attempts_on)))`

const find = statement(
  'auth.find-account',
  `with account as (
    select id, encrypted_password as "passwordHash", coalesce(banned_until > :now, false) as "isBanned",
      ${MISSES} as "misses", ${IS_FAMILIAR} as "isFamiliar"
    from auth.users where email = :email
  )
  select (select to_jsonb(account) from account) as account,
    (select password_hash from auth.pending_signups where email = :email ${MEANT_FIRST}) as "waitingHash",
    ${COSTS_IN_USE} as costs`,
)

const logFailure = statement(
  'auth.log-failed-login',
  `with counted as (
    update auth.users set failed_attempts = ${MISSES} + 1, failed_attempts_on = ${TODAY} where id = :userId
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
  passwordHash: string
  isBanned: boolean
  misses: number
  /** Whether the owner signed in from this address in the last 90 days. */
  isFamiliar: boolean
}

interface Found {
  account: Account | null
  /** The password hash of the caller's waiting sign-up, or of the newest. */
  waitingHash: string | null
  /** Every cost that a stored hash has. */
  costs: string[]
}

/**
 * Signs in. Throws `invalid_credentials` for an unknown address as for a wrong password, after the same work,
 * `email_not_confirmed` and `user_banned` only to whoever gave the right one, and `over_request_rate_limit` to whoever
 * guesses, at an unknown address as at a known one.
 */
export async function signIn(
  auth: AuthDeps,
  input: z.output<typeof SignInInput>,
  caller: Caller,
  now: Date,
): Promise<SessionAnswer> {
  const account = await auth.limits.signIn.limitGuess(caller, now, () => findOwned(auth, input, caller, now))
  if (account.isBanned) throw new AuthError('user_banned')
  const session = await openSession(auth.db, { userId: account.id, passwordHash: account.passwordHash }, caller, now)
  // Blocked by now, or another password, or the same in a hash that another device has just renewed: looked at anew.
  if (!session) return signIn(auth, input, caller, now)
  await rememberAddress(auth.db, account.id, caller, now)
  await renewHash(auth, account, input.password)
  return sessionAnswer(auth, session, now)
}

/**
 * The account of an address, which the password opens. Throws `invalid_credentials`, `email_not_confirmed` for the password
 * of a waiting sign-up, or a 429 where it is guessed.
 */
export async function findOwned(
  auth: AuthDeps,
  input: z.output<typeof SignInInput>,
  caller: Caller,
  now: Date,
): Promise<Account> {
  // What is not an address is looked for all the same: nobody has it, and the work stays the same.
  const email = parseEmail(input.email) ?? ''
  const [found] = await auth.db.query<Found>(find, {
    email,
    now,
    ipKey: ipNetwork(caller.ip),
    network: callerNetwork(caller.ip),
  })
  const { account, waitingHash, costs } = found ?? { account: null, waitingHash: null, costs: [] }
  const isFamiliar = account?.isFamiliar ?? false
  const isClosed = account !== null && account.misses >= MAX_MISSES && !isFamiliar
  const isOwners = await auth.limits.guessSignIn({ email, caller, isFamiliar }, now, async () => {
    const isRight = (await auth.passwords.verify(account?.passwordHash ?? null, input.password, costs)) && !isClosed
    // Always checked, and sign-ups wait beside an account too: else signing up and then in would allow user enumeration.
    // Thrown, so that it neither counts as a miss nor resets the misses of the address.
    const isWaiting = !isRight && (await auth.passwords.verify(waitingHash, input.password, costs))
    if (isWaiting) throw new AuthError('email_not_confirmed')
    return isRight
  })
  if (account && isOwners) {
    await auth.limits.takeSuccessfulSignIn(account.id, caller, now)
    return account
  }
  await auth.db.query(logFailure, { now, userId: account?.id ?? null, ip: caller.ip })
  throw new AuthError('invalid_credentials')
}

/** Only here is the password at hand, so here the hash becomes what the operator wants hashes to cost by now. */
async function renewHash({ db, passwords }: AuthDeps, { id, passwordHash }: Account, password: string): Promise<void> {
  const normal = normalPassword(password)
  if (normal === null || passwords.isCurrent(passwordHash)) return
  const hash = await passwords.hash(normal).catch((error: unknown) => {
    // Too many are waiting: the next sign-in does it.
    if (error instanceof AuthError) return null
    throw error
  })
  if (hash !== null) await db.query(renew, { userId: id, oldHash: passwordHash, newHash: hash })
}
