import { createIpBuckets } from '../../limits/ip-buckets.ts'
import { callerNetwork, ipNetwork } from '../../limits/ip-network.ts'
import { LIMITS } from '../../limits/limits-table.ts'
import { type Buckets, createRateLimit, type RateLimit } from '../../limits/rate-limit.ts'
import type { RateLimitStore, TokenBucketRule } from '../../limits/rate-limit-store.ts'
import { AuthError, type AuthErrorCode, isServers } from '../http/auth-error.ts'
import type { Caller } from '../http/caller.ts'
import type { Guesses, GuessKey } from './guesses.ts'

/** The part of a caller that rate limits use. */
type From = Pick<Caller, 'ip'>

/** A guess at a password. */
interface Guess {
  /** Unknown addresses are limited like known ones, or the delay would allow user enumeration. */
  email: string
  caller: From
  /** Whether this network is familiar (familiar-networks.ts): then failed guesses from other networks do not delay it. */
  isFamiliar: boolean
}

/**
 * The rate limits of the account service. They slow down brute force and credential stuffing. Those up to `requestEmail` are per IP
 * address, which counts for its network: an office shares one, so these are wide.
 */
export interface AuthLimits {
  /** How many guesses this process has refused unseen. */
  refusedGuesses(): number
  signUp: RateLimit
  signIn: RateLimit
  verify: RateLimit
  passkeyChallenge: RateLimit
  /** Company sign-ins that begin. */
  companySignIn: RateLimit
  /** Returns from an identity provider: a valid one refunds its token. */
  companyCallback: RateLimit
  /** Codes of company sign-ins: apart from the limit of passwords, whose brute force must not stop the people of an office. */
  companyExchange: RateLimit
  /** Logout tokens of identity providers: a valid one refunds its token. */
  companyLogout: RateLimit
  /** Requests that send an email: recover, resend, change of address. */
  requestEmail: RateLimit
  /** Runs `check`, which returns whether the password of a sign-in is right. Rejects with a 429 during the backoff. */
  guessSignIn(guess: Guess, now: Date, check: () => Promise<boolean>): Promise<boolean>
  /** The same for the current password of a signed-in user: limits a brute force in a stolen auth session. */
  guessCurrentPassword(userId: string, now: Date, check: () => Promise<boolean>): Promise<boolean>
  /**
   * Limits sign-ins with the right password, because each one stores an auth session. Rejects with a 429. The limit is per network
   * too: a thief with the password must not lock out an owner with a second factor.
   */
  takeSuccessfulSignIn(userId: string, caller: From, now: Date): void
  /** Limits signed-in requests per auth session: a thief must not use up the requests of the owner. Rejects with a 429. */
  takeSignedIn(sessionId: string, now: Date): void
  /** Limits requests whose auth session has ended or belongs to another browser. Rejects with a 429. */
  takeDeadToken(caller: From, now: Date): void
  /**
   * Limits codes of a second factor per auth session, right ones too: a thief with the password must not use up the attempts of
   * the owner. Rejects with a 429.
   */
  takeTotp(step: 'challenge' | 'verify', sessionId: string, now: Date): void
  /** Limits refresh tokens that this server never issued. Rejects with a 503, because a client signs out on any 4xx. */
  takeForgedRefresh(caller: From, now: Date): void
  /** Limits valid refresh tokens per auth session. Rejects with a 503. */
  refresh: RateLimit
}

export function createAuthLimits(limitStore: RateLimitStore, guesses: Guesses): AuthLimits {
  const ipBuckets = createIpBuckets(limitStore)

  /** Only errors of the server are refunded: users who retried during an outage are not limited after it. */
  const rateLimit = (buckets: Buckets, rule: TokenBucketRule, code: AuthErrorCode) =>
    createRateLimit(buckets, rule, { refusal: (waitSeconds) => refusal(waitSeconds, code), isRefunded: isServers })
  const perIp = (rule: TokenBucketRule, code: AuthErrorCode = 'over_request_rate_limit') =>
    rateLimit(ipBuckets, rule, code)
  const perKey = (rule: TokenBucketRule) => rateLimit(limitStore, rule, 'over_request_rate_limit')

  const successfulSignIns = perKey(LIMITS.successfulSignIn)
  const sessionRequests = perKey(LIMITS.sessionRequest)
  const deadTokens = perIp(LIMITS.deadToken)
  const totpCodes = perKey(LIMITS.totpCode)
  const forgedRefreshes = perIp(LIMITS.forgedRefresh, 'unexpected_failure')

  let refusedGuesses = 0
  /** Runs `check` unless a key has to wait. A right guess forgets the misses of `own`; `shared` ones lose only this guess. */
  async function guess(own: GuessKey, shared: GuessKey[], now: Date, check: () => Promise<boolean>): Promise<boolean> {
    const keys = [own, ...shared]
    const waitSeconds = await guesses.count(keys, now)
    if (waitSeconds > 0) {
      refusedGuesses += 1
      throw refusal(waitSeconds, 'over_request_rate_limit')
    }
    const isRight = await check().catch(async (error: unknown) => {
      // An unknown failure counts: a caller may be able to cause it on purpose.
      if (error instanceof AuthError || isServers(error)) await guesses.undo(keys).catch(() => undefined)
      throw error
    })
    if (isRight) await guesses.forget(own, shared)
    return isRight
  }

  return {
    signUp: perIp(LIMITS.signUp),
    signIn: perIp(LIMITS.signIn),
    verify: perIp(LIMITS.openLink),
    passkeyChallenge: perIp(LIMITS.passkeyChallenge),
    companySignIn: perIp(LIMITS.companySignIn),
    companyCallback: perIp(LIMITS.companyCallback),
    companyExchange: perIp(LIMITS.companyExchange),
    companyLogout: perIp(LIMITS.companyLogout),
    requestEmail: perIp(LIMITS.requestMail, 'over_email_send_rate_limit'),
    guessSignIn({ email, caller, isFamiliar }, now, check) {
      const own = { rule: LIMITS.guessFromOneNetwork, key: `${email} ${ipNetwork(caller.ip)}` }
      const shared = { rule: LIMITS.guessFromAnywhere, key: email }
      return guess(own, isFamiliar ? [] : [shared], now, check)
    },
    guessCurrentPassword: (userId, now, check) => guess({ rule: LIMITS.currentPassword, key: userId }, [], now, check),
    takeSuccessfulSignIn: (userId, { ip }, now) => successfulSignIns.take(`${userId} ${callerNetwork(ip)}`, now),
    takeSignedIn: sessionRequests.take,
    takeDeadToken: ({ ip }, now) => deadTokens.take(ip, now),
    takeTotp: (step, sessionId, now) => totpCodes.take(`${step} ${sessionId}`, now),
    takeForgedRefresh: ({ ip }, now) => forgedRefreshes.take(ip, now),
    refresh: rateLimit(limitStore, LIMITS.refresh, 'unexpected_failure'),
    refusedGuesses: () => refusedGuesses,
  }
}

function refusal(waitSeconds: number, code: AuthErrorCode): AuthError {
  const message =
    code === 'unexpected_failure' ? {} : { message: `Too many attempts. Try again in ${durationText(waitSeconds)}.` }
  return new AuthError(code, { ...message, retryAfterSeconds: waitSeconds })
}

function durationText(seconds: number): string {
  if (seconds === 1) return '1 second'
  if (seconds <= 90) return `${seconds} seconds`
  return `${Math.ceil(seconds / 60)} minutes`
}
