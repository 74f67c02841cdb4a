import type { Scope } from '@deeb/core/tokens/scopes'
import { type Db, lookup, statement } from '../../db/db.ts'
import { createLruMap } from '../../lru-map.ts'
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
  /** Null for an unknown, revoked or expired token. Queries the database at most every 30 seconds per token. */
  check(token: string, now: Date): Promise<LiveToken | null>
  /** Evicts a token by its id, after it was revoked. Ids of auth sessions change nothing. */
  evict(tokenId: string): void
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
  token: Promise<LiveToken | null>
  queriedAtMs: number
}

/**
 * An LRU cache of personal access tokens with a TTL of 30 seconds, unknown ones included: a program continues calling with a revoked
 * token. Revocations arrive as change events; if one is lost, the TTL ends the stale entry.
 */
export function createTokenAlive(db: Db): TokenAlive {
  // Single-flight, by hash. `keys` has the hash of each id.
  const cache = createLruMap<string, CacheEntry>(MAX_CACHED_TOKENS)
  const keys = createLruMap<string, string>(MAX_CACHED_TOKENS)
  /** The hashes that are being queried: their ids are not known yet. */
  const loading = new Set<string>()

  async function load(key: string, tokenHash: Buffer, now: Date): Promise<LiveToken | null> {
    loading.add(key)
    try {
      const [row] = await db.query<LiveToken & { isUseNew: boolean }>(find, { tokenHash, now })
      if (!row) return null
      const { isUseNew, ...token } = row
      if (loading.has(key)) keys.set(token.id, key)
      // Written once an hour, not with each request. Losing it costs nothing.
      if (isUseNew) await db.query(noteUse, { id: token.id, now }).catch(() => undefined)
      return token
    } finally {
      loading.delete(key)
    }
  }

  return {
    async check(token, now) {
      if (!isWellFormed(token)) return null
      const tokenHash = hashOf(token)
      const key = tokenHash.toString('base64')
      let entry = cache.get(key)
      // The absolute value, because after the clock was set back an entry seems to be from the future.
      if (!entry || Math.abs(now.getTime() - entry.queriedAtMs) >= TTL_MS) {
        entry = { token: load(key, tokenHash, now), queriedAtMs: now.getTime() }
        cache.set(key, entry)
      }
      try {
        const live = await entry.token
        return live && live.expiresAt > now ? live : null
      } catch (error) {
        cache.delete(key)
        throw error
      }
    },
    evict(tokenId) {
      const key = keys.get(tokenId)
      if (key !== undefined) cache.delete(key)
      // One of these may be the revoked token, read before its revocation.
      else for (const each of loading) cache.delete(each)
    },
  }
}
