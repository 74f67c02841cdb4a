import { createHmac } from 'node:crypto'
import type { Keys } from '../../config/keys.ts'
import { type Db, statement } from '../../db/db.ts'
import type { BackoffRule } from '../../limits/rate-limit-store.ts'

/** The subject of a wrong guess, such as an account. */
export interface GuessKey {
  rule: BackoffRule
  key: string
}

/**
 * Counts wrong guesses in the database, for all servers together: exponential backoff slows down brute force. A guess counts as wrong
 * before it is checked, so that concurrent ones count too.
 */
export interface Guesses {
  /** Counts a miss for every key and returns 0 if no key has to wait; else counts none and returns the seconds to wait. Atomic. */
  count(keys: GuessKey[], now: Date): Promise<number>
  /** The guess was right: forgets the misses of `own`, and this guess for each of `shared`. */
  forget(own: GuessKey, shared: GuessKey[]): Promise<void>
  /** The guess could not be checked: it is no miss. */
  undo(keys: GuessKey[]): Promise<void>
}

const count = statement(
  'auth.count-guess',
  'select auth.count_guess(:keys::bytea[], :free::int[], :maxSeconds::int[], :now) as "waitSeconds"',
)

const forget = statement(
  'auth.forget-guesses',
  `with own as (delete from auth.guesses where key = :own)
  update auth.guesses set misses = greatest(0, misses - 1), wait_until = null where key = any(:shared::bytea[])`,
)

/** `guessKey` hashes the keys: an address that somebody typed, and a network, are not stored. */
export function createGuesses(db: Db, { guessKey }: Pick<Keys, 'guessKey'>): Guesses {
  const hash = ({ rule, key }: GuessKey) => createHmac('sha256', guessKey).update(`${rule.name} ${key}`).digest()

  return {
    async count(keys, now) {
      const rules = keys.map(({ rule }) => rule)
      const [row] = await db.query<{ waitSeconds: number }>(count, {
        keys: keys.map(hash),
        free: rules.map(({ free }) => free),
        maxSeconds: rules.map(({ maxSeconds }) => maxSeconds),
        now,
      })
      return row?.waitSeconds ?? 0
    },
    async forget(own, shared) {
      await db.query(forget, { own: hash(own), shared: shared.map(hash) })
    },
    async undo(keys) {
      await db.query(forget, { own: null, shared: keys.map(hash) })
    },
  }
}
