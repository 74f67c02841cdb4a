import { AuthError, type AuthErrorCode, isClients } from '../door/auth-error.ts'
import type { Caller } from '../door/caller.ts'
import { addressKey } from './address.ts'
import type { BucketRule, Counters, Tally } from './counters.ts'

/** The part of a caller that limits look at. */
type From = Pick<Caller, 'ip'>

/** A limit of how often something may be done by one caller, or with one session. */
interface Limit<Key> {
  /**
   * Counts one more time and does `work`; where that is too often, rejects at once with the seconds to wait. What fails
   * through no fault of the client's is not counted: people press again while the database is away, and when it is back they
   * must get through.
   */
  during<T>(key: Key, now: Date, work: () => Promise<T>): Promise<T>
  /** The same for a guess, of which one that is right is not counted either. */
  duringGuess<T>(key: Key, now: Date, work: () => Promise<T>): Promise<T>
}

/** By the address. An office shares one, so it is wide. Says 429. */
type CallerLimit = Limit<From>

/** What somebody who guesses a password shows of themselves. */
interface Guess {
  /** An unknown one is slowed down like a known one, or the delay would tell which is which. */
  email: string
  caller: From
  /** Whether the owner signed in from there before: then strangers do not slow them down. */
  isFamiliar: boolean
}

/** The limits of the account service. */
export interface Limits {
  signUp: CallerLimit
  signIn: CallerLimit
  verify: CallerLimit
  /** What makes us write to somebody: recover, resend, a change of the address. */
  mail: CallerLimit
  /** Lets `check` judge the password of a sign-in, and gives what it says. Rejects with a 429 while the guesser has to wait. */
  guessSignIn(guess: Guess, now: Date, check: () => Promise<boolean>): Promise<boolean>
  /** The same for the present password, which somebody who is signed in has to show. */
  guessCurrentPassword(userId: string, now: Date, check: () => Promise<boolean>): Promise<boolean>
  /** Rejects with a 429. A wrong code costs as much as a right one: five a minute find none. */
  takeTotp(step: 'challenge' | 'verify', userId: string, now: Date): Promise<void>
  /** Rejects with a 503, since a client deletes its session at any 4xx. For a token that is not ours. */
  takeForgedRefresh(caller: From, now: Date): Promise<void>
  /** For a good token, by the id of its session. Says 503. */
  refresh: Limit<string>
}

const MINUTE = 60
const HOUR = 3600

const SIGN_UP = { name: 'sign-up', burst: 200, seconds: HOUR }
const SIGN_IN = { name: 'sign-in', burst: 30, seconds: 5 * MINUTE }
const VERIFY = { name: 'verify', burst: 30, seconds: 5 * MINUTE }
const MAIL = { name: 'mail', burst: 10, seconds: HOUR }
const FORGED = { name: 'forged', burst: 150, seconds: 5 * MINUTE }
const REFRESHES = { name: 'refreshes', burst: 10, seconds: MINUTE }
const CODES = { name: 'codes', burst: 5, seconds: MINUTE }
const HERE = { name: 'here', free: 5, mostSeconds: 900 }
const STRANGERS = { name: 'strangers', free: 10, mostSeconds: 180 }
const CURRENT = { name: 'current', free: 5, mostSeconds: 900 }

export function createLimits(counters: Counters): Limits {
  async function take(rule: BucketRule, key: string, code: AuthErrorCode, now: Date): Promise<void> {
    refuse(await counters.take(rule, key, now), code)
  }

  function limit(rule: BucketRule, code: AuthErrorCode): Limit<string> {
    async function during<T>(key: string, now: Date, work: () => Promise<T>): Promise<T> {
      await take(rule, key, code, now)
      try {
        return await work()
      } catch (error) {
        if (!isClients(error)) counters.giveBack(rule, key)
        throw error
      }
    }
    return {
      during,
      async duringGuess(key, now, work) {
        const right = await during(key, now, work)
        counters.giveBack(rule, key)
        return right
      },
    }
  }

  function perCaller(rule: BucketRule, code: AuthErrorCode): CallerLimit {
    const { during, duringGuess } = limit(rule, code)
    return {
      during: ({ ip }, now, work) => during(addressKey(ip), now, work),
      duringGuess: ({ ip }, now, work) => duringGuess(addressKey(ip), now, work),
    }
  }

  return {
    signUp: perCaller(SIGN_UP, 'over_request_rate_limit'),
    signIn: perCaller(SIGN_IN, 'over_request_rate_limit'),
    verify: perCaller(VERIFY, 'over_request_rate_limit'),
    mail: perCaller(MAIL, 'over_email_send_rate_limit'),
    guessSignIn({ email, caller, isFamiliar }, now, check) {
      const own = { rule: HERE, key: `${email} ${addressKey(caller.ip)}` }
      const shared = { rule: STRANGERS, key: email }
      return guess(counters, isFamiliar ? [own] : [own, shared], now, check)
    },
    guessCurrentPassword: (userId, now, check) => guess(counters, [{ rule: CURRENT, key: userId }], now, check),
    takeTotp: (step, userId, now) => take(CODES, `${step} ${userId}`, 'over_request_rate_limit', now),
    takeForgedRefresh: ({ ip }, now) => take(FORGED, addressKey(ip), 'unexpected_failure', now),
    refresh: limit(REFRESHES, 'unexpected_failure'),
  }
}

/** The first of `tallies` is the guesser's own and ends with a right guess; the others go on for everybody else. */
async function guess(counters: Counters, tallies: Tally[], now: Date, check: () => Promise<boolean>): Promise<boolean> {
  refuse(await counters.guess(tallies, now), 'over_request_rate_limit')
  const isRight = await check().catch((error: unknown) => {
    // Not judged, so not missed: the server was busy, say.
    for (const tally of tallies) counters.undo(tally)
    throw error
  })
  if (!isRight) return false
  const [own, ...shared] = tallies
  if (own) counters.forget(own)
  for (const tally of shared) counters.undo(tally)
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
  return `${Math.ceil(seconds / MINUTE)} minutes`
}
