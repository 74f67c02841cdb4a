import { randomUUID } from 'node:crypto'
import { everyDay } from '@deeb/core/goals/week-of-goals'
import type { AuthDeps } from '../auth/auth-deps.ts'
import type { Db } from '../db/db.ts'
import { startFocus } from '../focus/start-focus.ts'
import { stopFocus } from '../focus/stop-focus.ts'
import { saveGoals } from '../goals/save-goals.ts'
import { updateUsername } from '../profile/update-username.ts'
import { answerRequest } from '../team/answer-request.ts'
import { requestConnection } from '../team/request-connection.ts'
import { addPerson } from './add-person.ts'
import { believableHistory } from './history.ts'
import { addressOf, DEMO_NAMES } from './people.ts'
import { type Dice, rollDice } from './random.ts'

const WEEKS = 12
const WEEK_MS = 7 * 24 * 3_600_000
/** Of Mara's colleagues: how many are connected with her, and how many more have asked to be. */
const CONNECTED = 11
const ASKING = 3

/**
 * Fills an empty database with a company: thirty people, twelve weeks of their days, the connections of the first of
 * them. Everything goes through the operations that a device would call, so it adds up as real life does. Returns the
 * ids of the colleagues whom that person sees, or will on accepting them.
 */
export async function seedCompany(
  { db: database, companyPolicy, passwords }: AuthDeps,
  { password, now }: { password: string; now: Date },
): Promise<string[]> {
  const passwordHash = await passwords.hash(password)
  const policy = await companyPolicy()
  const joinedAt = new Date(now.getTime() - WEEKS * WEEK_MS)
  // One transaction: thousands of commits would each wait for the disk.
  return database.transaction(async (db) => {
    const ids: string[] = []
    for (const [index, name] of DEMO_NAMES.entries()) {
      const userId = await addPerson(db, { email: addressOf(name), passwordHash }, policy, joinedAt)
      await liveTwelveWeeks(db, userId, name, rollDice(index + 1), now)
      ids.push(userId)
    }
    return connectFirst(db, ids, now)
  })
}

async function liveTwelveWeeks(db: Db, userId: string, name: string, dice: Dice, now: Date): Promise<void> {
  const actor = { userId }
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const joinedAt = new Date(now.getTime() - WEEKS * WEEK_MS)
  await updateUsername(db, actor, { username: name.split(' ')[0]?.toLowerCase() ?? name })
  const weekday = dice.between(5, 9) * 30
  const goals = everyDay(weekday).map((goal) =>
    goal.dayOfWeek === 0 || goal.dayOfWeek === 6 ? { ...goal, goalMinutes: 60 } : goal,
  )
  await saveGoals(db, actor, { goals }, joinedAt)
  for (const { startedAt, endedAt } of believableHistory(dice, { weeks: WEEKS, timeZone, now })) {
    const sessionId = randomUUID()
    await startFocus(db, actor, { sessionId, timeZone }, startedAt)
    await stopFocus(db, actor, { sessionId }, endedAt)
  }
}

async function connectFirst(db: Db, [mara = '', ...colleagues]: string[], now: Date): Promise<string[]> {
  const acquaintances = colleagues.slice(0, CONNECTED + ASKING)
  for (const [index, userId] of acquaintances.entries()) {
    const { connectionId } = await requestConnection(db, { userId }, { userId: mara }, now)
    if (index >= CONNECTED) continue
    await answerRequest(db, { userId: mara }, { requestId: connectionId, answer: 'accepted' }, now)
  }
  return acquaintances
}
