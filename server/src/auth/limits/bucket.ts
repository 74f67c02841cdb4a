import { createBoundedMap } from '../bounded-map.ts'

/** So many keys are remembered: under 10 MB, and past any number that one attacker can fill in a useful time. */
const MOST_KEYS = 20_000

/** How often each key may do something. */
export interface Bucket {
  /** Zero if it may now, which then counts; else after how many seconds it may again. */
  take(key: string, now: Date): number
  /** As if the last time had not been. */
  giveBack(key: string): void
}

interface Level {
  left: number
  atMs: number
}

/** `burst` at once, and as many again in `seconds`, evenly. */
export function createBucket({ burst, seconds }: { burst: number; seconds: number }): Bucket {
  const levels = createBoundedMap<string, Level>(MOST_KEYS)
  const perMs = burst / (seconds * 1000)

  function levelAt(key: string, atMs: number): Level {
    const level = levels.get(key) ?? { left: burst, atMs }
    return { left: Math.min(burst, level.left + Math.max(0, atMs - level.atMs) * perMs), atMs }
  }

  return {
    take(key, now) {
      const { left, atMs } = levelAt(key, now.getTime())
      if (left < 1) return Math.ceil((1 - left) / perMs / 1000)
      levels.set(key, { left: left - 1, atMs })
      return 0
    },
    giveBack(key) {
      const level = levels.get(key)
      if (level) levels.set(key, { ...level, left: Math.min(burst, level.left + 1) })
    },
  }
}
