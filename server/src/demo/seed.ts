import { randomUUID } from 'node:crypto'
import { everyDay } from '@deeb/core/goals/week-of-goals'
import { setAlert } from '../alerts/set-alert.ts'
import type { AuthDeps } from '../auth/auth-deps.ts'
import type { Db } from '../db/db.ts'
import { startFocus } from '../focus/start-focus.ts'
import { stopFocus } from '../focus/stop-focus.ts'
import { saveGoals } from '../goals/save-goals.ts'
import { updateRequestEmails } from '../profile/update-request-emails.ts'
import { updateUsername } from '../profile/update-username.ts'
import { answerRequest } from '../team/answer-request.ts'
import { requestConnection } from '../team/request-connection.ts'
import { addPerson } from './add-person.ts'
import { generateHistory } from './history.ts'
import { addressOf, DEMO_NAMES } from './people.ts'
import { createRandom, type Random } from './random.ts'

const WEEKS = 12
const WEEK_MS = 7 * 24 * 3_600_000
/** The number of connections of the demo user, and of pending requests to her. */
const CONNECTED = 11
const REQUESTS = 3

/**
 * Seeds an empty database with a company: thirty users, twelve weeks of focus sessions, and connections of the demo user.
 * It calls the same operations as a device, so all totals are consistent. Returns the ids of the colleagues who are
 * connected with the demo user or have sent a request, without the one for whom the demo user waits.
 */
export async function seedCompany(
  { db: database, companyPolicy, passwords }: AuthDeps,
  { password, now }: { password: string; now: Date },
): Promise<string[]> {
  const passwordHash = await passwords.hash(password)
  const policy = await companyPolicy()
  const joinedAt = new Date(now.getTime() - WEEKS * WEEK_MS)
  // One transaction: thousands of commits would each wait for a disk sync.
  return database.transaction(async (db) => {
    const ids: string[] = []
    for (const [index, name] of DEMO_NAMES.entries()) {
      const userId = await addPerson(db, { email: addressOf(name), passwordHash }, policy, joinedAt)
      await addTwelveWeeks(db, userId, name, createRandom(index + 1), now)
      ids.push(userId)
    }
    return connectFirst(db, ids, now)
  })
}

async function addTwelveWeeks(db: Db, userId: string, name: string, random: Random, now: Date): Promise<void> {
  const actor = { userId }
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const joinedAt = new Date(now.getTime() - WEEKS * WEEK_MS)
  await updateUsername(db, actor, { username: name.split(' ')[0]?.toLowerCase() ?? name })
  // Nobody reads them, and each would be a line in the terminal.
  await updateRequestEmails(db, actor, { requestEmails: false })
  const weekday = random.between(5, 9) * 30
  const goals = everyDay(weekday).map((goal) =>
    goal.dayOfWeek === 0 || goal.dayOfWeek === 6 ? { ...goal, goalMinutes: 60 } : goal,
  )
  await saveGoals(db, actor, { goals }, joinedAt)
  for (const { startedAt, endedAt } of generateHistory(random, { weeks: WEEKS, timeZone, now })) {
    const sessionId = randomUUID()
    await startFocus(db, actor, { sessionId, timeZone }, startedAt)
    await stopFocus(db, actor, { sessionId }, endedAt)
  }
}

async function connectFirst(db: Db, [mara = '', ...colleagues]: string[], now: Date): Promise<string[]> {
  const acquaintances = colleagues.slice(0, CONNECTED + REQUESTS)
  for (const [index, userId] of acquaintances.entries()) {
    const { connectionId } = await requestConnection(db, { userId }, { userId: mara }, now)
    if (index >= CONNECTED) continue
    await answerRequest(db, { userId: mara }, { requestId: connectionId, answer: 'accepted' }, now)
  }
  const [awaited = '', ...others] = acquaintances
  await waitFor(db, mara, awaited, now)
  return others
}

/** A colleague who has just switched off, and for whom the demo user waits: within a minute the demo says that she is free. */
async function waitFor(db: Db, mara: string, userId: string, now: Date): Promise<void> {
  const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000)
  const [sessionId, timeZone] = [randomUUID(), Intl.DateTimeFormat().resolvedOptions().timeZone]
  await startFocus(db, { userId }, { sessionId, timeZone }, ago(240))
  await setAlert(db, { userId: mara }, { userId, isWanted: true }, ago(180))
  await stopFocus(db, { userId }, { sessionId }, ago(100))
}
