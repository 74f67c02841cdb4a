import { type Db, statement } from '../db/db.ts'
import type { Bearer } from './access-token.ts'
import { createBoundedMap } from './bounded-map.ts'
import { bannedAt, usableAt } from './session.ts'

const TRUSTED_MS = 30_000
const CACHED_SESSIONS = 5_000

/** Whether the session of a good access token still lives. */
export interface SessionAlive {
  /** Asks the database at most every 30 seconds for each session. Rejects if the database does not answer. */
  check(bearer: Bearer, now: Date): Promise<boolean>
  /** To be called after the commit that ended a session. Other processes notice within 30 seconds. */
  forget(sessionId: string): void
}

const owner = statement(
  'auth.session-owner',
  `select user_id as "userId" from auth.sessions where id = $1 and ${usableAt('$2')} and not ${bannedAt('$2')}`,
)

interface Answer {
  userId: Promise<string | null>
  askedAtMs: number
}

export function createSessionAlive(db: Db): SessionAlive {
  // The question is kept, not its answer: requests that arrive together ask once, and an answer that was on its way
  // when its session ended is not written down afterwards.
  const answers = createBoundedMap<string, Answer>(CACHED_SESSIONS)

  function ask(sessionId: string, now: Date): Promise<string | null> {
    const userId = db.query<{ userId: string }>(owner, [sessionId, now]).then(([row]) => row?.userId ?? null)
    answers.set(sessionId, { userId, askedAtMs: now.getTime() })
    return userId
  }

  async function ownerOf(sessionId: string, now: Date): Promise<string | null> {
    const known = answers.get(sessionId)
    if (known && now.getTime() - known.askedAtMs < TRUSTED_MS) return known.userId
    return ask(sessionId, now)
  }

  return {
    async check({ sessionId, userId }, now) {
      try {
        const found = await ownerOf(sessionId, now)
        if (found === null) answers.delete(sessionId)
        return found === userId
      } catch (error) {
        answers.delete(sessionId)
        throw error
      }
    },
    forget: (sessionId) => answers.delete(sessionId),
  }
}
