import { randomUUID } from 'node:crypto'
import { MAX_CIRCLE_SIZE } from '@deeb/core/circles/circle'
import { everyDay } from '@deeb/core/goals/week-of-goals'
import type { AuthDeps } from '../auth/auth-deps.ts'
import { createCircle } from '../circles/create-circle.ts'
import { joinCircle } from '../circles/join-circle.ts'
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

/** The circles of the demo user, by the numbers of their people in DEMO_NAMES: the keeper first. */
const CIRCLES = [
  { name: 'Backend', weeks: 10, members: [1, 0, 2, 3, 15, 16, 17], newcomers: [18] },
  { name: 'Choir', weeks: 3, members: [0, 4, 5, 19, 20], newcomers: [] },
]
const NEWCOMERS_SINCE_HOURS = 5

/**
 * Seeds an empty database with a company: thirty users, twelve weeks of focus sessions, and connections and circles of the demo
 * user. It calls the same operations as a device, so all totals are consistent. Returns the ids of the colleagues whom she sees
 * or who have sent her a request.
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
    const acquaintances = await connectFirst(db, ids, now)
    return [...new Set([...acquaintances, ...(await makeCircles(db, ids, now))])]
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
  return acquaintances
}

/** Creates the circles, and returns the ids of their people without the demo user. */
async function makeCircles(db: Db, ids: string[], now: Date): Promise<string[]> {
  const people = (numbers: number[]) => numbers.map((number) => ids[number] ?? '')
  const seen: string[] = []
  for (const { name, weeks, members, newcomers } of CIRCLES) {
    const [keeper = '', ...others] = people(members)
    const createdAt = new Date(now.getTime() - weeks * WEEK_MS)
    const { invite } = await createCircle(db, { userId: keeper }, { name }, createdAt)
    const join = (userId: string, at: Date) => joinCircle(db, { userId }, { invite }, MAX_CIRCLE_SIZE, at)
    for (const [index, userId] of others.entries())
      await join(userId, new Date(createdAt.getTime() + (index + 1) * 60_000))
    const recently = new Date(now.getTime() - NEWCOMERS_SINCE_HOURS * 3_600_000)
    for (const userId of people(newcomers)) await join(userId, recently)
    seen.push(...people([...members, ...newcomers]))
  }
  return seen.filter((userId) => userId !== ids[0])
}
