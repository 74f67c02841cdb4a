import type { Scope } from '@deeb/core/scopes'
import { type Db, lookup, statement } from '../../db/db.ts'
import { createLruMap } from '../../lib/lru-map.ts'
import { LIMITS } from '../../limits/limits-table.ts'
import type { RateLimitStore } from '../../limits/rate-limit-store.ts'
import { createSecretLimits } from '../../limits/secret-limits.ts'
import { IS_TOKEN_USABLE, TOKEN_NEEDS_FACTOR } from './personal-token.ts'
import { hashOf, isWellFormed } from './token-format.ts'

const TTL_MS = 30_000
const MAX_CACHED_TOKENS = 5_000

/** A personal access token that may be used. */
export interface LiveToken {
  id: string
  userId: string
  scopes: Scope[]
  expiresAt: Date
  /** The company requires a second factor that the owner does not have. */
  needsFactor: boolean
}

/** Whether a personal access token is alive, with a cache. */
export interface TokenAlive {
  /**
   * Null for an unknown, revoked or expired token. Queries the database at most every 30 seconds per token. Throws `too_many_attempts`
   * if the network of `ip` has sent too many that are not alive, and this process does not know the token.
   */
  check(token: string, ip: string, now: Date): Promise<LiveToken | null>
  /** Evicts a token by its id, after it was revoked. Ids of auth sessions change nothing. */
  evict(tokenId: string): void
  /** Evicts all tokens, after events may have been lost. */
  clear(): void
}

const find = lookup(
  'auth.personal-token',
  `select personal_tokens.id, user_id as "userId", scopes, expires_at as "expiresAt", ${TOKEN_NEEDS_FACTOR} as "needsFactor",
    coalesce(last_used_at < :now::timestamptz - interval '1 hour', true) as "isUseNew"
  from auth.personal_tokens join auth.users on users.id = user_id
  where token_hash = :tokenHash and ${IS_TOKEN_USABLE}`,
)

const noteUse = statement('auth.note-token-use', 'update auth.personal_tokens set last_used_at = :now where id = :id')

interface CacheEntry {
  token: LiveToken | null
  queriedAtMs: number
}

/**
 * An LRU cache of personal access tokens with a TTL of 30 seconds. Revocations arrive as change events; if one is lost unnoticed, the TTL
 * ends the stale entry. Tokens that are not alive have a cache of their own, for programs that continue to call with one: so no number of made-up
 * tokens evicts one that is alive.
 */
export function createTokenAlive(db: Db, limitStore: Pick<RateLimitStore, 'take' | 'refund'>): TokenAlive {
  const limits = createSecretLimits(limitStore, { unknown: LIMITS.unknownToken })
  // All by the hash of the token. `keys` has the hash of each id.
  const alive = createLruMap<string, CacheEntry>(MAX_CACHED_TOKENS)
  const dead = createLruMap<string, CacheEntry>(MAX_CACHED_TOKENS)
  const keys = createLruMap<string, string>(MAX_CACHED_TOKENS)
  /** The queries that run: concurrent calls share one. A revocation removes its query here, and the result is not kept. */
  const loading = new Map<string, Promise<LiveToken | null>>()

  async function query(tokenHash: Buffer, now: Date): Promise<LiveToken | null> {
    const [row] = await db.query<LiveToken & { isUseNew: boolean }>(find, { tokenHash, now })
    if (!row) return null
    const { isUseNew, ...token } = row
    // Written once an hour, not with each request. Losing it costs nothing.
    if (isUseNew) await db.query(noteUse, { id: token.id, now }).catch(() => undefined)
    return token
  }

  async function load(key: string, tokenHash: Buffer, ip: string, now: Date): Promise<LiveToken | null> {
    const loaded = limits.find(tokenHash, ip, now, () => query(tokenHash, now))
    loading.set(key, loaded)
    try {
      const token = await loaded
      if (loading.get(key) !== loaded) return token
      const [cache, other] = token ? [alive, dead] : [dead, alive]
      cache.set(key, { token, queriedAtMs: now.getTime() })
      other.delete(key)
      if (token) keys.set(token.id, key)
      return token
    } finally {
      if (loading.get(key) === loaded) loading.delete(key)
    }
  }

  return {
    async check(token, ip, now) {
      if (!isWellFormed(token)) return null
      const tokenHash = hashOf(token)
      const key = tokenHash.toString('base64')
      const cached = alive.get(key) ?? dead.get(key)
      // The absolute value, because after the clock was set back an entry seems to be from the future.
      const isFresh = cached && Math.abs(now.getTime() - cached.queriedAtMs) < TTL_MS
      const live = isFresh ? cached.token : await (loading.get(key) ?? load(key, tokenHash, ip, now))
      return live && live.expiresAt > now ? live : null
    },
    evict(tokenId) {
      const key = keys.get(tokenId)
      if (key === undefined) {
        // One of these may be the revoked token, read before its revocation.
        loading.clear()
        return
      }
      alive.delete(key)
      loading.delete(key)
    },
    clear() {
      alive.clear()
      loading.clear()
    },
  }
}
