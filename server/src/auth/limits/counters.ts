import { type BackOff, createBackOff } from './back-off.ts'
import { type Bucket, createBucket } from './bucket.ts'

/** `burst` at once, and as many again in `seconds`. Rules of one name count together. */
export interface BucketRule {
  name: string
  burst: number
  seconds: number
}

/** `free` misses cost nothing, the next ones 1, 2, 4 ... `mostSeconds`. */
export interface BackOffRule {
  name: string
  free: number
  mostSeconds: number
}

/** Whose misses a guess adds to. */
export interface Tally {
  rule: BackOffRule
  key: string
}

/**
 * What all limits count with. One for each server, however many processes it has: a limit of ten is ten, whichever of
 * them is asked.
 */
export interface Counters {
  /** Zero if `key` may now, which then counts; else after how many seconds it may again. */
  take(rule: BucketRule, key: string, now: Date): Promise<number>
  /** As if the last time had not been. */
  giveBack(rule: BucketRule, key: string): void
  /** Zero if none of them has to wait, and then each has a miss more, in one step; else the seconds to wait. */
  guess(tallies: Tally[], now: Date): Promise<number>
  /** As if the last guess had not been. */
  undo(tally: Tally): void
  forget(tally: Tally): void
}

/** In the memory of this process: a start forgets them. */
export function createCounters(): Counters {
  const buckets = new Map<string, Bucket>()
  const backOffs = new Map<string, BackOff>()

  function bucketOf(rule: BucketRule): Bucket {
    const bucket = buckets.get(rule.name) ?? createBucket(rule)
    buckets.set(rule.name, bucket)
    return bucket
  }

  function backOffOf(rule: BackOffRule): BackOff {
    const backOff = backOffs.get(rule.name) ?? createBackOff(rule)
    backOffs.set(rule.name, backOff)
    return backOff
  }

  return {
    take: async (rule, key, now) => bucketOf(rule).take(key, now),
    giveBack: (rule, key) => bucketOf(rule).giveBack(key),
    async guess(tallies, now) {
      const waitSeconds = Math.max(...tallies.map(({ rule, key }) => backOffOf(rule).wait(key, now)))
      if (waitSeconds > 0) return waitSeconds
      for (const { rule, key } of tallies) backOffOf(rule).count(key, now)
      return 0
    },
    undo: ({ rule, key }) => backOffOf(rule).undo(key),
    forget: ({ rule, key }) => backOffOf(rule).forget(key),
  }
}
