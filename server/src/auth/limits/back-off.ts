import { createBoundedMap } from '../bounded-map.ts'

const MOST_KEYS = 20_000
const FORGOTTEN_AFTER_MS = 24 * 3600 * 1000

/** How long each key has to wait after its misses. */
export interface BackOff {
  /** Seconds until the next guess may be made, zero for now. */
  wait(key: string, now: Date): number
  /** Counts a guess as a miss, before it is judged: guesses at the same time count too. */
  count(key: string, now: Date): void
  /** As if the last guess had not been. */
  undo(key: string): void
  forget(key: string): void
}

interface Misses {
  number: number
  lastMs: number
  untilMs: number
}

/** `free` misses cost nothing, the next ones 1, 2, 4 ... `mostSeconds`. A day without one and all are forgotten. */
export function createBackOff({ free, mostSeconds }: { free: number; mostSeconds: number }): BackOff {
  const misses = createBoundedMap<string, Misses>(MOST_KEYS)

  function missesOf(key: string, nowMs: number): Misses | undefined {
    const known = misses.get(key)
    return known && nowMs - known.lastMs < FORGOTTEN_AFTER_MS ? known : undefined
  }

  return {
    wait(key, now) {
      const { untilMs = 0 } = missesOf(key, now.getTime()) ?? {}
      return Math.max(0, Math.ceil((untilMs - now.getTime()) / 1000))
    },
    count(key, now) {
      const nowMs = now.getTime()
      const number = (missesOf(key, nowMs)?.number ?? 0) + 1
      // Until never, not until now: a guess that came in a moment earlier may be looked at a moment later.
      const untilMs = number > free ? nowMs + Math.min(mostSeconds, 2 ** (number - free - 1)) * 1000 : 0
      misses.set(key, { number, lastMs: nowMs, untilMs })
    },
    undo(key) {
      const known = misses.get(key)
      if (known) misses.set(key, { ...known, number: known.number - 1, untilMs: 0 })
    },
    forget: (key) => misses.delete(key),
  }
}
