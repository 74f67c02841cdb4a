import { createIpBuckets } from '../../limits/ip-buckets.ts'
import { callerNetwork, ipNetwork } from '../../limits/ip-network.ts'
import { LIMITS } from '../../limits/limits-table.ts'
import type { RateLimitStore, TokenBucketRule } from '../../limits/rate-limit-store.ts'
import { AuthError, type AuthErrorCode, isServers } from '../http/auth-error.ts'
import type { Caller } from '../http/caller.ts'
import type { Guesses, GuessKey } from './guesses.ts'

type Buckets = Pick<RateLimitStore, 'take' | 'refund'>

/** The part of a caller that rate limits use. */
type From = Pick<Caller, 'ip'>

/** A token bucket per key. */
interface RateLimit<Key> {
  /**
   * Takes a token and runs `work`; rejects immediately when the bucket is empty. Refunds the token if the server is to blame, so
   * that users who retried during an outage are not limited after it.
   */
  limit<T>(key: Key, now: Date, work: () => Promise<T>): Promise<T>
  /** The same for a guess: a right guess refunds the token too, so that only a brute force empties the bucket. */
  limitGuess<T>(key: Key, now: Date, work: () => Promise<T>): Promise<T>
}

/** A rate limit per IP network. An office shares one network, so these are wide. Rejects with a 429. */
type IpRateLimit = RateLimit<From>

/** A guess at a password. */
interface Guess {
  /** Unknown addresses are limited like known ones, or the delay would allow user enumeration. */
  email: string
  caller: From
  /** Whether this network is familiar (known-addresses.ts): then failed guesses from other networks do not delay it. */
  isFamiliar: boolean
}

/** The rate limits of the account service. They slow down brute force and credential stuffing. */
export interface AuthLimits {
  /** How many guesses this process has refused unseen. */
  refusedGuesses(): number
  signUp: IpRateLimit
  signIn: IpRateLimit
  verify: IpRateLimit
  passkeyChallenge: IpRateLimit
  /** Company sign-ins that begin. */
  companySignIn: IpRateLimit
  /** Returns from an identity provider: a valid one refunds its token. */
  companyCallback: IpRateLimit
  /** Codes of company sign-ins: apart from the limit of passwords, whose brute force must not stop the people of an office. */
  companyExchange: IpRateLimit
  /** Logout tokens of identity providers: a valid one refunds its token. */
  companyLogout: IpRateLimit
  /** Requests that send an email: recover, resend, change of address. */
  requestEmail: IpRateLimit
  /** Runs `check`, which returns whether the password of a sign-in is right. Rejects with a 429 during the backoff. */
  guessSignIn(guess: Guess, now: Date, check: () => Promise<boolean>): Promise<boolean>
  /** The same for the current password of a signed-in user: limits a brute force in a stolen auth session. */
  guessCurrentPassword(userId: string, now: Date, check: () => Promise<boolean>): Promise<boolean>
  /**
   * Limits sign-ins with the right password, because each one stores an auth session. Rejects with a 429. The limit is per network
   * too: a thief with the password must not lock out an owner with a second factor.
   */
  takeSuccessfulSignIn(userId: string, caller: From, now: Date): Promise<void>
  /** Limits signed-in requests per auth session: a thief must not use up the requests of the owner. Rejects with a 429. */
  takeSignedIn(sessionId: string, now: Date): Promise<void>
  /** Limits requests whose auth session has ended or belongs to another browser. Rejects with a 429. */
  takeDeadToken(caller: From, now: Date): Promise<void>
  /**
   * Limits codes of a second factor per auth session, right ones too: a thief with the password must not use up the attempts of
   * the owner. Rejects with a 429.
   */
  takeTotp(step: 'challenge' | 'verify', sessionId: string, now: Date): Promise<void>
  /** Limits refresh tokens that this server never issued. Rejects with a 503, because a client signs out on any 4xx. */
  takeForgedRefresh(caller: From, now: Date): Promise<void>
  /** Limits valid refresh tokens per auth session. Rejects with a 503. */
  refresh: RateLimit<string>
}

export function createAuthLimits(limitStore: RateLimitStore, guesses: Guesses): AuthLimits {
  const ipBuckets = createIpBuckets(limitStore)

  async function take(
    buckets: Buckets,
    rule: TokenBucketRule,
    key: string,
    code: AuthErrorCode,
    now: Date,
  ): Promise<void> {
    refuse(await buckets.take(rule, key, now), code)
  }

  function rateLimit(buckets: Buckets, rule: TokenBucketRule, code: AuthErrorCode): RateLimit<string> {
    async function limit<T>(key: string, now: Date, work: () => Promise<T>): Promise<T> {
      await take(buckets, rule, key, code, now)
      try {
        return await work()
      } catch (error) {
        if (isServers(error)) buckets.refund(rule, key)
        throw error
      }
    }
    return {
      limit,
      async limitGuess(key, now, work) {
        const right = await limit(key, now, work)
        buckets.refund(rule, key)
        return right
      },
    }
  }

  function perCaller(rule: TokenBucketRule, code: AuthErrorCode): IpRateLimit {
    const { limit, limitGuess } = rateLimit(ipBuckets, rule, code)
    return {
      limit: ({ ip }, now, work) => limit(ip, now, work),
      limitGuess: ({ ip }, now, work) => limitGuess(ip, now, work),
    }
  }

  let refusedGuesses = 0
  /** Runs `check` unless a key has to wait. A right guess forgets the misses of `own`; `shared` ones lose only this guess. */
  async function guess(own: GuessKey, shared: GuessKey[], now: Date, check: () => Promise<boolean>): Promise<boolean> {
    const keys = [own, ...shared]
    const waitSeconds = await guesses.count(keys, now)
    if (waitSeconds > 0) refusedGuesses += 1
    refuse(waitSeconds, 'over_request_rate_limit')
    const isRight = await check().catch(async (error: unknown) => {
      // An unknown failure counts: a caller may be able to cause it on purpose.
      if (error instanceof AuthError || isServers(error)) await guesses.undo(keys).catch(() => undefined)
      throw error
    })
    if (isRight) await guesses.forget(own, shared)
    return isRight
  }

  const takeByKey = (rule: TokenBucketRule, key: string, now: Date) =>
    take(limitStore, rule, key, 'over_request_rate_limit', now)

  return {
    signUp: perCaller(LIMITS.signUp.rule, 'over_request_rate_limit'),
    signIn: perCaller(LIMITS.signIn.rule, 'over_request_rate_limit'),
    verify: perCaller(LIMITS.openLink.rule, 'over_request_rate_limit'),
    passkeyChallenge: perCaller(LIMITS.passkeyChallenge.rule, 'over_request_rate_limit'),
    companySignIn: perCaller(LIMITS.companySignIn.rule, 'over_request_rate_limit'),
    companyCallback: perCaller(LIMITS.companyCallback.rule, 'over_request_rate_limit'),
    companyExchange: perCaller(LIMITS.companyExchange.rule, 'over_request_rate_limit'),
    companyLogout: perCaller(LIMITS.companyLogout.rule, 'over_request_rate_limit'),
    requestEmail: perCaller(LIMITS.requestMail.rule, 'over_email_send_rate_limit'),
    guessSignIn({ email, caller, isFamiliar }, now, check) {
      const own = { rule: LIMITS.guessFromOneNetwork.rule, key: `${email} ${ipNetwork(caller.ip)}` }
      const shared = { rule: LIMITS.guessFromAnywhere.rule, key: email }
      return guess(own, isFamiliar ? [] : [shared], now, check)
    },
    guessCurrentPassword: (userId, now, check) =>
      guess({ rule: LIMITS.currentPassword.rule, key: userId }, [], now, check),
    takeSuccessfulSignIn: (userId, { ip }, now) =>
      takeByKey(LIMITS.successfulSignIn.rule, `${userId} ${callerNetwork(ip)}`, now),
    takeSignedIn: (sessionId, now) => takeByKey(LIMITS.sessionRequest.rule, sessionId, now),
    takeDeadToken: ({ ip }, now) => take(ipBuckets, LIMITS.deadToken.rule, ip, 'over_request_rate_limit', now),
    takeTotp: (step, sessionId, now) => takeByKey(LIMITS.totpCode.rule, `${step} ${sessionId}`, now),
    takeForgedRefresh: ({ ip }, now) => take(ipBuckets, LIMITS.forgedRefresh.rule, ip, 'unexpected_failure', now),
    refresh: rateLimit(limitStore, LIMITS.refresh.rule, 'unexpected_failure'),
    refusedGuesses: () => refusedGuesses,
  }
}

function refuse(seconds: number, code: AuthErrorCode): void {
  if (seconds <= 0) return
  const message =
    code === 'unexpected_failure' ? {} : { message: `Too many attempts. Try again in ${durationText(seconds)}.` }
  throw new AuthError(code, { ...message, retryAfterSeconds: seconds })
}

function durationText(seconds: number): string {
  if (seconds === 1) return '1 second'
  if (seconds <= 90) return `${seconds} seconds`
  return `${Math.ceil(seconds / 60)} minutes`
}
