import { createIpBuckets } from '../../limits/ip-buckets.ts'
import { callerNetwork, ipNetwork } from '../../limits/ip-network.ts'
import { LIMITS } from '../../limits/limits-table.ts'
import type { GuessKey, RateLimitStore, TokenBucketRule } from '../../limits/rate-limit-store.ts'
import { AuthError, type AuthErrorCode, isClients } from '../http/auth-error.ts'
import type { Caller } from '../http/caller.ts'

type Buckets = Pick<RateLimitStore, 'take' | 'refund'>

/** The part of a caller that limits look at. */
type From = Pick<Caller, 'ip'>

/** A token bucket per key. */
interface RateLimit<Key> {
  /**
   * Takes a token and runs `work`; rejects immediately where none is left. A failure of the server's own refunds the
   * token: people who retry while the database is down must get through when it is back.
   */
  limit<T>(key: Key, now: Date, work: () => Promise<T>): Promise<T>
  /** The same for a guess: a right guess refunds the token too. */
  limitGuess<T>(key: Key, now: Date, work: () => Promise<T>): Promise<T>
}

/** A rate limit per IP network. An office shares one network, so these are wide. Rejects with a 429. */
type IpRateLimit = RateLimit<From>

/** A guess at a password. */
interface Guess {
  /** Unknown addresses are limited like known ones, or the delay would allow user enumeration. */
  email: string
  caller: From
  /** Whether the owner signed in from this network before: then misses of strangers do not slow them down. */
  isFamiliar: boolean
}

/** The rate limits of the account service. */
export interface AuthLimits {
  signUp: IpRateLimit
  signIn: IpRateLimit
  verify: IpRateLimit
  /** Requests that make the server send an email: recover, resend, change of address. */
  mail: IpRateLimit
  /** Runs `check`, which says whether the password of a sign-in is right. Rejects with a 429 during the backoff. */
  guessSignIn(guess: Guess, now: Date, check: () => Promise<boolean>): Promise<boolean>
  /** The same for the current password of a signed-in user. */
  guessCurrentPassword(userId: string, now: Date, check: () => Promise<boolean>): Promise<boolean>
  /**
   * For a sign-in with the right password, each of which keeps an auth session. Rejects with a 429. Per network too: a thief
   * who knows the password must not keep out an owner with a second factor.
   */
  takeSuccessfulSignIn(userId: string, caller: From, now: Date): Promise<void>
  /** For a signed-in request, per auth session: a thief must not use up the requests of the owner. Rejects with a 429. */
  takeSignedIn(sessionId: string, now: Date): Promise<void>
  /** For one whose auth session has ended, or belongs to another browser. Rejects with a 429. */
  takeDeadToken(caller: From, now: Date): Promise<void>
  /**
   * Rejects with a 429. Per auth session: a thief who knows the password must not use up the tries of the owner. A right
   * code takes a token too.
   */
  takeTotp(step: 'challenge' | 'verify', sessionId: string, now: Date): Promise<void>
  /** For a refresh token that this server never issued. Rejects with a 503: a client signs out at any 4xx. */
  takeForgedRefresh(caller: From, now: Date): Promise<void>
  /** For a valid refresh token, per auth session. Rejects with a 503. */
  refresh: RateLimit<string>
}

export function createAuthLimits(limitStore: RateLimitStore): AuthLimits {
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
        if (!isClients(error)) buckets.refund(rule, key)
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

  const takeByKey = (rule: TokenBucketRule, key: string, now: Date) =>
    take(limitStore, rule, key, 'over_request_rate_limit', now)

  return {
    signUp: perCaller(LIMITS.signUp.rule, 'over_request_rate_limit'),
    signIn: perCaller(LIMITS.signIn.rule, 'over_request_rate_limit'),
    verify: perCaller(LIMITS.openLink.rule, 'over_request_rate_limit'),
    mail: perCaller(LIMITS.requestMail.rule, 'over_email_send_rate_limit'),
    guessSignIn({ email, caller, isFamiliar }, now, check) {
      const own = { rule: LIMITS.guessFromHere.rule, key: `${email} ${ipNetwork(caller.ip)}` }
      const shared = { rule: LIMITS.guessFromAnywhere.rule, key: email }
      return guess(limitStore, isFamiliar ? [own] : [own, shared], now, check)
    },
    guessCurrentPassword: (userId, now, check) =>
      guess(limitStore, [{ rule: LIMITS.currentPassword.rule, key: userId }], now, check),
    takeSuccessfulSignIn: (userId, { ip }, now) =>
      takeByKey(LIMITS.successfulSignIn.rule, `${userId} ${callerNetwork(ip)}`, now),
    takeSignedIn: (sessionId, now) => takeByKey(LIMITS.sessionRequest.rule, sessionId, now),
    takeDeadToken: ({ ip }, now) => take(ipBuckets, LIMITS.deadToken.rule, ip, 'over_request_rate_limit', now),
    takeTotp: (step, sessionId, now) => takeByKey(LIMITS.totpCode.rule, `${step} ${sessionId}`, now),
    takeForgedRefresh: ({ ip }, now) => take(ipBuckets, LIMITS.forgedRefresh.rule, ip, 'unexpected_failure', now),
    refresh: rateLimit(limitStore, LIMITS.refresh.rule, 'unexpected_failure'),
  }
}

/** The first of `keys` is the guesser's own: a right guess resets it. The others are shared and lose only this guess. */
async function guess(
  limitStore: RateLimitStore,
  keys: GuessKey[],
  now: Date,
  check: () => Promise<boolean>,
): Promise<boolean> {
  refuse(await limitStore.guess(keys, now), 'over_request_rate_limit')
  const isRight = await check().catch((error: unknown) => {
    // The guess was not checked, because the server was busy for example, so it is not a miss.
    for (const key of keys) limitStore.undo(key)
    throw error
  })
  if (!isRight) return false
  const [own, ...shared] = keys
  if (own) limitStore.reset(own)
  for (const key of shared) limitStore.undo(key)
  return true
}

function refuse(seconds: number, code: AuthErrorCode): void {
  if (seconds <= 0) return
  const message =
    code === 'unexpected_failure' ? {} : { message: `Too many attempts. Try again in ${spoken(seconds)}.` }
  throw new AuthError(code, { ...message, retryAfterSeconds: seconds })
}

function spoken(seconds: number): string {
  if (seconds === 1) return '1 second'
  if (seconds <= 90) return `${seconds} seconds`
  return `${Math.ceil(seconds / 60)} minutes`
}
