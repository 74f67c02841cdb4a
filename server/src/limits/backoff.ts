import { createLruMap } from '../lru-map.ts'

const MAX_KEYS = 20_000
const MISSES_TTL_MS = 24 * 3600 * 1000

/** Exponential backoff per key after failed guesses (misses). It slows down brute force. */
export interface Backoff {
  /** Seconds until the next guess is allowed, 0 for now. */
  wait(key: string, now: Date): number
  /** Counts a guess as a miss before it is checked, so that concurrent guesses count too. */
  count(key: string, now: Date): void
  /** Removes the last miss. */
  undo(key: string): void
  reset(key: string): void
}

interface Misses {
  count: number
  lastMs: number
  untilMs: number
}

/** The first `free` misses cost nothing, the next ones 1, 2, 4 ... `maxSeconds`. Misses expire a day after the last one. */
export function createBackoff({ free, maxSeconds }: { free: number; maxSeconds: number }): Backoff {
  const misses = createLruMap<string, Misses>(MAX_KEYS)

  function missesOf(key: string, nowMs: number): Misses | undefined {
    const known = misses.get(key)
    return known && nowMs - known.lastMs < MISSES_TTL_MS ? known : undefined
  }

  return {
    wait(key, now) {
      const { untilMs = 0 } = missesOf(key, now.getTime()) ?? {}
      return Math.max(0, Math.ceil((untilMs - now.getTime()) / 1000))
    },
    count(key, now) {
      const nowMs = now.getTime()
      const count = (missesOf(key, nowMs)?.count ?? 0) + 1
      // 0 for a free miss, not `nowMs`: a concurrent guess may carry a slightly earlier clock reading.
      const untilMs = count > free ? nowMs + Math.min(maxSeconds, 2 ** (count - free - 1)) * 1000 : 0
      misses.set(key, { count, lastMs: nowMs, untilMs })
    },
    undo(key) {
      const known = misses.get(key)
      if (known) misses.set(key, { ...known, count: known.count - 1, untilMs: 0 })
    },
    reset: (key) => misses.delete(key),
  }
}
