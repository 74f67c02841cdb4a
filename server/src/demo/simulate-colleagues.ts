import { randomUUID } from 'node:crypto'
import type { Db } from '../db/db.ts'
import { startFocus } from '../focus/start-focus.ts'
import { stopFocus } from '../focus/stop-focus.ts'
import type { Publish } from '../lib/event-bus.ts'
import type { Random } from './random.ts'

const EVERY_MS = 4_000
/** The share of users in deeb mode. */
const SHARE_IN_FOCUS = 0.4

const MAX_ELAPSED_MINUTES = 70
/** Every other session has a target. */
const TARGETS = [undefined, 25, undefined, 50, undefined, 90]

/**
 * Simulates colleagues: starts focus sessions for some of them, then switches one user every few seconds, until the
 * returned function is called.
 */
export async function simulateColleagues(
  { db, publish, now }: { db: Db; publish: Publish; now(): Date },
  userIds: readonly string[],
  random: Random,
  onError: (error: unknown) => void,
): Promise<() => void> {
  /** The id of the open focus session by user. */
  const focusing = new Map<string, string>()
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone

  async function begin(userId: string, at: Date): Promise<void> {
    const sessionId = randomUUID()
    const targetMinutes = TARGETS[random.between(0, TARGETS.length - 1)]
    await startFocus(db, { userId }, { sessionId, timeZone, targetMinutes }, at)
    focusing.set(userId, sessionId)
  }

  async function end(userId: string, sessionId: string): Promise<void> {
    await stopFocus(db, { userId }, { sessionId }, now())
    focusing.delete(userId)
  }

  async function switchOne(): Promise<void> {
    const isTooFew = focusing.size < userIds.length * SHARE_IN_FOCUS
    const isStart = isTooFew ? !random.oneIn(4) : random.oneIn(4)
    const candidates = userIds.filter((userId) => focusing.has(userId) !== isStart)
    const userId = candidates[random.between(0, candidates.length - 1)]
    if (!userId) return
    const sessionId = focusing.get(userId)
    await (sessionId ? end(userId, sessionId) : begin(userId, now()))
    publish({ kind: 'presence', id: userId })
  }

  for (const userId of userIds) {
    const minutesAgo = random.between(1, MAX_ELAPSED_MINUTES)
    const isIn = random.between(1, 100) <= SHARE_IN_FOCUS * 100
    if (isIn) await begin(userId, new Date(now().getTime() - minutesAgo * 60_000))
  }
  const timer = setInterval(() => void switchOne().catch(onError), EVERY_MS)
  return () => clearInterval(timer)
}
