import { randomUUID } from 'node:crypto'
import { type History, openSessionOf, type PastSession, sessionNamed } from '@deeb/core/focus/history'
import { type QueuedSwitch, replay } from '@deeb/core/focus/replay'
import { type Db, violatedConstraint } from '../db/db.ts'
import type { Actor } from '../lib/actor.ts'
import { lockHistory, saveHistory } from './person-history.ts'

const MAX_TRIES = 5

/** Constraints that a concurrent start or stop can violate. A retry sees what it committed. */
const RETRYABLE = new Set(['deeb_sessions_never_overlap', 'deeb_sessions_one_open', 'deeb_sessions_pkey'])

interface Replayed {
  openSession: PastSession | undefined
  /** The session with this id or alias, if any. */
  sessionById(sessionId: string): PastSession | undefined
}

/**
 * Replays queued switches in one transaction, by the rule in core/focus/replay.ts. Idempotent. A plain start or stop that
 * meets a conflict comes here too. Retries after a constraint violation. Expects valid time zones and no time after now.
 */
export async function replayQueued(db: Db, actor: Actor, changes: QueuedSwitch[], now: Date): Promise<Replayed> {
  for (let tries = 1; ; tries++) {
    try {
      const after = await db.transaction((transaction) => replayOnce(transaction, actor.userId, changes, now))
      return { openSession: openSessionOf(after), sessionById: (sessionId) => sessionNamed(after, sessionId) }
    } catch (error) {
      if (tries === MAX_TRIES || !RETRYABLE.has(violatedConstraint(error) ?? '')) throw error
    }
  }
}

async function replayOnce(db: Db, userId: string, changes: QueuedSwitch[], now: Date): Promise<History> {
  const before = await lockHistory(db, userId, changes)
  const after = replay(before, changes, now, randomUUID)
  await saveHistory(db, userId, before, after, now)
  return after
}
