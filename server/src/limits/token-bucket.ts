import { createLruMap } from '../lib/lru-map.ts'

/** Bounds the memory of one bucket rule to under 10 MB. */
const MAX_KEYS = 20_000

/** A token bucket per key. */
export interface TokenBucket {
  /** Takes one token: 0 when allowed, else the seconds until the next token. */
  take(key: string, now: Date): number
  /** Puts one token back. */
  refund(key: string): void
}

interface Level {
  tokens: number
  atMs: number
}

/** Holds `burst` tokens per key and refills them evenly over `seconds`. */
export function createTokenBucket({ burst, seconds }: { burst: number; seconds: number }): TokenBucket {
  const levels = createLruMap<string, Level>(MAX_KEYS)
  const tokensPerMs = burst / (seconds * 1000)

  function levelAt(key: string, atMs: number): Level {
    const level = levels.get(key) ?? { tokens: burst, atMs }
    const refilled = Math.max(0, atMs - level.atMs) * tokensPerMs
    return { tokens: Math.min(burst, level.tokens + refilled), atMs }
  }

  return {
    take(key, now) {
      const { tokens, atMs } = levelAt(key, now.getTime())
      if (tokens < 1) return Math.ceil((1 - tokens) / tokensPerMs / 1000)
      levels.set(key, { tokens: tokens - 1, atMs })
      return 0
    },
    refund(key) {
      const level = levels.get(key)
      if (level) levels.set(key, { ...level, tokens: Math.min(burst, level.tokens + 1) })
    },
  }
}
