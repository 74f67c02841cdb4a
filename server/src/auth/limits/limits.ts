import { AuthError, type AuthErrorCode } from '../door/auth-error.ts'
import type { Caller } from '../door/caller.ts'
import { addressKey } from './address.ts'
import { type BackOff, createBackOff } from './back-off.ts'
import { type Bucket, createBucket } from './bucket.ts'

/** The part of a caller that limits look at. */
type From = Pick<Caller, 'ip'>

/** A limit of how often something may be done from one address. An office shares one, so it is wide. */
interface CallerLimit {
  /** Counts one more time. Throws a 429 with the seconds to wait. */
  take(caller: From, now: Date): void
  /** Takes that back, because it turned out to be welcome. */
  giveBack(caller: From): void
}

/** What somebody who guesses a password shows of themselves. */
interface Guess {
  /** An unknown one is slowed down like a known one, or the delay would tell which is which. */
  email: string
  caller: From
  /** Whether the owner signed in from there before: then strangers do not slow them down. */
  isFamiliar: boolean
}

/** The limits of the account service. In memory: each process has its own, and a start forgets them. */
export interface Limits {
  signUp: CallerLimit
  signIn: CallerLimit
  verify: CallerLimit
  /** What makes us write to somebody: recover, resend, a change of the address. */
  mail: CallerLimit
  /** Lets `check` judge the password of a sign-in, and gives what it says. Throws a 429 while the guesser has to wait. */
  guessSignIn(guess: Guess, now: Date, check: () => Promise<boolean>): Promise<boolean>
  /** The same for the present password, which somebody who is signed in has to show. */
  guessCurrentPassword(userId: string, now: Date, check: () => Promise<boolean>): Promise<boolean>
  /** Throws a 429. A wrong code costs as much as a right one: five a minute find none. */
  takeTotp(step: 'challenge' | 'verify', userId: string, now: Date): void
  /** Throws a 503, since a client deletes its session at any 4xx. For a token that is not ours. */
  takeForgedRefresh(caller: From, now: Date): void
  /** Throws a 503. For a good token, by its session. */
  takeRefresh(sessionId: string, now: Date): void
  /** For a try that came to nothing through no fault of the client's. */
  giveBackRefresh(sessionId: string): void
}

const MINUTE = 60
const HOUR = 3600

export function createLimits(): Limits {
  const forged = createBucket({ burst: 150, seconds: 5 * MINUTE })
  const refreshes = createBucket({ burst: 10, seconds: MINUTE })
  const codes = createBucket({ burst: 5, seconds: MINUTE })
  const here = createBackOff({ free: 5, mostSeconds: 900 })
  const strangers = createBackOff({ free: 10, mostSeconds: 180 })
  const current = createBackOff({ free: 5, mostSeconds: 900 })
  return {
    signUp: perCaller(createBucket({ burst: 200, seconds: HOUR }), 'over_request_rate_limit'),
    signIn: perCaller(createBucket({ burst: 30, seconds: 5 * MINUTE }), 'over_request_rate_limit'),
    verify: perCaller(createBucket({ burst: 30, seconds: 5 * MINUTE }), 'over_request_rate_limit'),
    mail: perCaller(createBucket({ burst: 10, seconds: HOUR }), 'over_email_send_rate_limit'),
    guessSignIn({ email, caller, isFamiliar }, now, check) {
      const own = { backOff: here, key: `${email} ${addressKey(caller.ip)}` }
      const shared = { backOff: strangers, key: email }
      return guess(isFamiliar ? [own] : [own, shared], now, check)
    },
    guessCurrentPassword: (userId, now, check) => guess([{ backOff: current, key: userId }], now, check),
    takeTotp: (step, userId, now) => refuse(codes.take(`${step} ${userId}`, now), 'over_request_rate_limit'),
    takeForgedRefresh: ({ ip }, now) => refuse(forged.take(addressKey(ip), now), 'unexpected_failure'),
    takeRefresh: (sessionId, now) => refuse(refreshes.take(sessionId, now), 'unexpected_failure'),
    giveBackRefresh: (sessionId) => refreshes.giveBack(sessionId),
  }
}

function perCaller(bucket: Bucket, code: AuthErrorCode): CallerLimit {
  return {
    take: ({ ip }, now) => refuse(bucket.take(addressKey(ip), now), code),
    giveBack: ({ ip }) => bucket.giveBack(addressKey(ip)),
  }
}

/** The first of `tallies` is the guesser's own and ends with a right guess; the others go on for everybody else. */
async function guess(
  tallies: { backOff: BackOff; key: string }[],
  now: Date,
  check: () => Promise<boolean>,
): Promise<boolean> {
  refuse(Math.max(...tallies.map(({ backOff, key }) => backOff.wait(key, now))), 'over_request_rate_limit')
  for (const { backOff, key } of tallies) backOff.count(key, now)
  const isRight = await check().catch((error: unknown) => {
    // Not judged, so not missed: the server was busy, say.
    for (const { backOff, key } of tallies) backOff.undo(key)
    throw error
  })
  if (!isRight) return false
  const [own, ...shared] = tallies
  own?.backOff.forget(own.key)
  for (const { backOff, key } of shared) backOff.undo(key)
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
