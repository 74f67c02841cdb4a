import { randomUUID } from 'node:crypto'
import type { Db } from '../db/db.ts'
import { startFocus } from '../focus/start-focus.ts'
import { stopFocus } from '../focus/stop-focus.ts'
import type { Dice } from './random.ts'

const EVERY_MS = 4_000
/** About as many as are in deeb mode on a good morning. */
const SHARE_IN_FOCUS = 0.4

/** Lets colleagues switch deeb mode on and off, one every few seconds, until the returned function is called. */
export function comeAndGo(
  db: Db,
  userIds: readonly string[],
  dice: Dice,
  onError: (error: unknown) => void,
): () => void {
  /** The open session of each who is in deeb mode. */
  const focusing = new Map<string, string>()
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone

  async function switchOne(): Promise<void> {
    const wantsMore = focusing.size < userIds.length * SHARE_IN_FOCUS
    const isStart = wantsMore ? !dice.onceIn(4) : dice.onceIn(4)
    const candidates = userIds.filter((userId) => focusing.has(userId) !== isStart)
    const userId = candidates[dice.between(0, candidates.length - 1)]
    if (!userId) return
    const actor = { userId }
    const sessionId = focusing.get(userId) ?? randomUUID()
    if (isStart) await startFocus(db, actor, { sessionId, timeZone }, new Date())
    else await stopFocus(db, actor, { sessionId }, new Date())
    if (isStart) focusing.set(userId, sessionId)
    else focusing.delete(userId)
  }

  const timer = setInterval(() => void switchOne().catch(onError), EVERY_MS)
  return () => clearInterval(timer)
}
