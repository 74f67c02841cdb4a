import { type Db, lookup } from '../../db/db.ts'
import type { Publish } from '../../lib/event-bus.ts'
import { createLruMap } from '../../lib/lru-map.ts'
import type { Principal } from '../auth-session/access-token.ts'
import { NEEDS_FACTOR } from '../required-factor.ts'
import { IS_BANNED, IS_USABLE, NEEDS_AAL2 } from './auth-session.ts'

const TTL_MS = 30_000
const MAX_CACHED_SESSIONS = 5_000

/**
 * The status of an auth session: `needs-aal2` if its user has a second factor and the auth session is `aal1`, `needs-factor` if their
 * company requires one that they do not have.
 */
type SessionStatus = 'active' | 'needs-aal2' | 'needs-factor' | 'none'

/** Whether the auth session of a valid access token is alive, with a cache. */
export interface SessionAlive {
  /** Queries the database at most every 30 seconds per auth session. Rejects if the database fails. */
  check(principal: Principal, now: Date): Promise<SessionStatus>
  /**
   * Evicts an auth session and publishes that. Call it after the commit that revoked it or changed its status, also with the id of a
   * revoked personal access token.
   */
  invalidate(sessionId: string): void
  /** Evicts an auth session from this cache only. Publishes nothing, because it is a guess that the cache is stale. */
  evict(sessionId: string): void
  /** Evicts all of this cache, after events may have been lost. */
  clear(): void
}

const owner = lookup(
  'auth.session-owner',
  `select user_id as "userId", binding, ${NEEDS_AAL2} as "needsAal2", ${NEEDS_FACTOR} as "needsFactor"
  from auth.sessions
  where id = :sessionId and ${IS_USABLE} and not ${IS_BANNED}`,
)

interface LiveSession {
  userId: string
  binding: Buffer | null
  needsAal2: boolean
  needsFactor: boolean
}

interface CacheEntry {
  session: Promise<LiveSession | null>
  queriedAtMs: number
}

/**
 * An LRU cache of auth sessions with a TTL of 30 seconds. `publish` carries invalidations to other processes; if an event is lost
 * unnoticed, the TTL ends the stale entry.
 */
export function createSessionAlive(db: Db, publish: Publish): SessionAlive {
  // Single-flight: caches the promise, so that concurrent requests share one query. A result that arrives after eviction is
  // dropped.
  const cache = createLruMap<string, CacheEntry>(MAX_CACHED_SESSIONS)

  function load(sessionId: string, now: Date): Promise<LiveSession | null> {
    const session = db.query<LiveSession>(owner, { sessionId, now }).then(([row]) => row ?? null)
    cache.set(sessionId, { session, queriedAtMs: now.getTime() })
    return session
  }

  async function read(sessionId: string, now: Date): Promise<LiveSession | null> {
    const cached = cache.get(sessionId)
    // The absolute value, because after the clock was set back an entry seems to be from the future.
    if (cached && Math.abs(now.getTime() - cached.queriedAtMs) < TTL_MS) return cached.session
    return load(sessionId, now)
  }

  return {
    async check({ sessionId, userId, binding }, now) {
      try {
        const session = await read(sessionId, now)
        if (session === null) cache.delete(sessionId)
        if (session?.userId !== userId || !isBoundTo(session, binding)) return 'none'
        if (session.needsAal2) return 'needs-aal2'
        return session.needsFactor ? 'needs-factor' : 'active'
      } catch (error) {
        cache.delete(sessionId)
        throw error
      }
    },
    invalidate(sessionId) {
      cache.delete(sessionId)
      publish({ kind: 'session', id: sessionId })
    },
    evict: (sessionId) => cache.delete(sessionId),
    clear: () => cache.clear(),
  }
}

/** No constant-time comparison is needed: an attacker cannot choose these SHA-256 hashes, so a timing attack reveals nothing. */
function isBoundTo(session: LiveSession, binding: Buffer | null): boolean {
  return session.binding === null || binding?.equals(session.binding) === true
}
