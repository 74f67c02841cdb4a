import { type Db, lookup } from '../../db/db.ts'
import type { Publish } from '../../event-bus.ts'
import { createLruMap } from '../../lru-map.ts'
import type { Principal } from '../http/principal.ts'
import { IS_BANNED, IS_USABLE, NEEDS_AAL2 } from './auth-session.ts'

const TRUSTED_MS = 30_000
const CACHED_SESSIONS = 5_000

/** What a session is good for: `needs-aal2` where its owner has a second factor that it did not show. */
type SessionStatus = 'good' | 'needs-aal2' | 'none'

/** Whether the session of a good access token still lives. */
export interface SessionAlive {
  /** Asks the database at most every 30 seconds for each session. Rejects if the database does not answer. */
  check(principal: Principal, now: Date): Promise<SessionStatus>
  /** To be called after the commit that ended a session or changed what it is good for. Everybody is told. */
  forget(sessionId: string): void
  /** What is known of a session here is out of date: to be asked again. Nobody is told: it may be the caller who is wrong. */
  evict(sessionId: string): void
}

const owner = lookup(
  'auth.session-owner',
  `select user_id as "userId", binding, ${NEEDS_AAL2} as "needsAal2" from auth.sessions
  where id = :sessionId and ${IS_USABLE} and not ${IS_BANNED}`,
)

interface LiveSession {
  userId: string
  binding: Buffer | null
  needsAal2: boolean
}

interface Answer {
  session: Promise<LiveSession | null>
  askedAtMs: number
}

/** `publish` is told of each session that is forgotten; should that get lost, other processes notice within 30 seconds. */
export function createSessionAlive(db: Db, publish: Publish): SessionAlive {
  // The question is kept, not its answer: requests that arrive together ask once, and an answer that was on its way
  // when its session ended is not written down afterwards.
  const answers = createLruMap<string, Answer>(CACHED_SESSIONS)

  function ask(sessionId: string, now: Date): Promise<LiveSession | null> {
    const session = db.query<LiveSession>(owner, { sessionId, now }).then(([row]) => row ?? null)
    answers.set(sessionId, { session, askedAtMs: now.getTime() })
    return session
  }

  async function look(sessionId: string, now: Date): Promise<LiveSession | null> {
    const known = answers.get(sessionId)
    // Either way: after a clock was set back, what was asked seems to lie ahead.
    if (known && Math.abs(now.getTime() - known.askedAtMs) < TRUSTED_MS) return known.session
    return ask(sessionId, now)
  }

  return {
    async check({ sessionId, userId, binding }, now) {
      try {
        const session = await look(sessionId, now)
        if (session === null) answers.delete(sessionId)
        if (session?.userId !== userId || !isBoundTo(session, binding)) return 'none'
        return session.needsAal2 ? 'needs-aal2' : 'good'
      } catch (error) {
        answers.delete(sessionId)
        throw error
      }
    },
    forget(sessionId) {
      answers.delete(sessionId)
      publish({ kind: 'session', sessionId })
    },
    evict: (sessionId) => answers.delete(sessionId),
  }
}

/** Both are hashes of what an attacker cannot choose, so how long it takes to compare them tells nothing. */
function isBoundTo(session: LiveSession, binding: Buffer | null): boolean {
  return session.binding === null || binding?.equals(session.binding) === true
}
