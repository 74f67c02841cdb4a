import { randomUUID } from 'node:crypto'
import { type History, openSessionOf, type PastSession, sessionNamed } from '@deeb/core/focus/history'
import { type QueuedSwitch, replay } from '@deeb/core/focus/replay'
import type { Actor } from '../actor.ts'
import { type Db, violatedConstraint } from '../db/db.ts'
import { lockHistory, saveHistory } from './person-history.ts'

const MAX_TRIES = 5

/** What a plain switch of the same moment can have made before this one wrote. */
const CONTRADICTIONS = new Set(['deeb_sessions_never_overlap', 'deeb_sessions_one_open', 'deeb_sessions_pkey'])

interface Taken {
  openSession: PastSession | undefined
  /** What an id means now, if anything. */
  named(sessionId: string): PastSession | undefined
}

/**
 * Takes changes that happened before now, or that contradict what is stored, in one transaction: the rule is
 * `withLateChanges`. The zones are known to be valid, and nothing is ahead of now.
 */
export async function replayQueued(db: Db, actor: Actor, changes: QueuedSwitch[], now: Date): Promise<Taken> {
  for (let tries = 1; ; tries++) {
    try {
      const after = await db.transaction((transaction) => take(transaction, actor.userId, changes, now))
      return { openSession: openSessionOf(after), named: (sessionId) => sessionNamed(after, sessionId) }
    } catch (error) {
      if (tries === MAX_TRIES || !CONTRADICTIONS.has(violatedConstraint(error) ?? '')) throw error
    }
  }
}

async function take(db: Db, userId: string, changes: QueuedSwitch[], now: Date): Promise<History> {
  const before = await lockHistory(db, userId, changes)
  const after = replay(before, changes, now, randomUUID)
  await saveHistory(db, userId, before, after, now)
  return after
}
