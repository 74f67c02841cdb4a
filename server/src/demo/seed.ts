import { randomUUID } from 'node:crypto'
import { MAX_CIRCLE_SIZE } from '@deeb/core/circles/circle'
import type { QueuedSwitch } from '@deeb/core/focus/replay'
import { everyDay } from '@deeb/core/goals/week-of-goals'
import { updateRequestEmails } from '../account/update-request-emails.ts'
import { updateUsername } from '../account/update-username.ts'
import { setAlert } from '../alerts/set-alert.ts'
import type { AuthDeps } from '../auth/auth-deps.ts'
import { createCircle } from '../circles/create-circle.ts'
import { joinCircle } from '../circles/join-circle.ts'
import { type Db, statement } from '../db/db.ts'
import { replayQueued } from '../focus/replay-queued.ts'
import { startFocus } from '../focus/start-focus.ts'
import { stopFocus } from '../focus/stop-focus.ts'
import { saveGoals } from '../goals/save-goals.ts'
import { countWeeks } from '../report/count-weeks.ts'
import { answerRequest } from '../team/answer-request.ts'
import { requestConnection } from '../team/request-connection.ts'
import { addPerson } from './add-person.ts'
import { generateHistory } from './history.ts'
import { addressOf, DEMO_NAMES } from './people.ts'
import { createRandom, type Random } from './random.ts'

/** The weeks of history. The report counts 13 of them. */
const WEEKS = 14
const WEEK_MS = 7 * 24 * 3_600_000
/** The number of people who do not use deeb. Each of the others does not in one week of eight; the demo user always does. */
const UNUSED = 4
const AWAY_ONE_IN = 8
/** The number of connections of the demo user, and of pending requests to her. */
const CONNECTED = 11
const REQUESTS = 3

/** The circles of the demo user, by the numbers of their people in DEMO_NAMES: the keeper first. */
const CIRCLES = [
  { name: 'Backend', weeks: 10, members: [1, 0, 2, 3, 15, 16, 17], newcomers: [18] },
  { name: 'Choir', weeks: 3, members: [0, 4, 5, 19, 20], newcomers: [] },
]
const NEWCOMERS_SINCE_HOURS = 5

/** The people of a seeded company: ids of users. */
export interface SeededCompany {
  /** The demo user first. */
  userIds: string[]
  /** The colleagues whom the demo user sees or who have sent her a request. */
  acquaintances: string[]
}

/**
 * Seeds a company, by its number: sixty users, fourteen weeks of focus sessions, connections and circles of the demo user, and the
 * counted weeks. It calls the same operations as a device and the server, so all totals are consistent. Other requests run in between.
 */
export async function seedCompany(
  { db: database, companyPolicy, config, passwords }: AuthDeps,
  { company, password, now }: { company: number; password: string; now: Date },
): Promise<SeededCompany> {
  const passwordHash = await passwords.hash(password)
  const policy = await companyPolicy()
  const joinedAt = new Date(now.getTime() - WEEKS * WEEK_MS)
  const userIds: string[] = []
  for (const [index, name] of DEMO_NAMES.entries()) {
    // One transaction for each person: each commit waits for a disk sync, and each transaction blocks the embedded database.
    const userId = await database.transaction(async (db) => {
      const userId = await addPerson(db, { email: addressOf(name, company), passwordHash }, policy, joinedAt)
      const isUnused = index >= DEMO_NAMES.length - UNUSED
      await addWeeks(db, { userId, name, company, isUnused, isAlwaysThere: index === 0 }, createRandom(index + 1), now)
      return userId
    })
    userIds.push(userId)
  }
  // One call for each week, on its day: only the last weeks are ever counted late.
  for (let week = WEEKS; week >= 0; week--) {
    await countWeeks(database, config.report, new Date(now.getTime() - week * WEEK_MS))
  }
  return database.transaction(async (db) => {
    const acquaintances = await connectFirst(db, userIds, now)
    return { userIds, acquaintances: [...new Set([...acquaintances, ...(await makeCircles(db, userIds, now))])] }
  })
}

interface Worker {
  userId: string
  name: string
  company: number
  isUnused: boolean
  isAlwaysThere: boolean
}

const showWithoutNumber = statement(
  'demo.show-username-without-number',
  'update profiles set username = :username where id = :userId',
)

async function addWeeks(
  db: Db,
  { userId, name, company, isUnused, isAlwaysThere }: Worker,
  random: Random,
  now: Date,
): Promise<void> {
  const actor = { userId }
  const timeZone = Intl.DateTimeFormat().resolvedOptions().timeZone
  const joinedAt = new Date(now.getTime() - WEEKS * WEEK_MS)
  const [username = name] = name.toLowerCase().split(' ')
  // A username is unique on the server. The number of the company is in its key only.
  await updateUsername(db, actor, { username: company > 1 ? `${username} ${company}` : username })
  await db.query(showWithoutNumber, { userId, username })
  // Nobody reads them, and each would be a line in the terminal.
  await updateRequestEmails(db, actor, { requestEmails: false })
  // Goals that some of the colleagues reach in a week.
  const weekday = random.between(5, 9) * (isAlwaysThere ? 30 : 20)
  const goals = everyDay(weekday).map((goal) =>
    goal.dayOfWeek === 0 || goal.dayOfWeek === 6 ? { ...goal, goalMinutes: 60 } : goal,
  )
  await saveGoals(db, actor, { goals }, joinedAt)
  if (isUnused) return
  const isAway = Array.from({ length: WEEKS }, () => !isAlwaysThere && random.oneIn(AWAY_ONE_IN))
  const switches = generateHistory(random, { weeks: WEEKS, timeZone, now })
    .filter(({ startedAt }) => !isAway[Math.floor((now.getTime() - startedAt.getTime()) / WEEK_MS)])
    .flatMap(({ startedAt, endedAt }): QueuedSwitch[] => {
      const sessionId = randomUUID()
      return [
        { to: 'on', sessionId, timeZone, at: startedAt },
        { to: 'off', sessionId, at: endedAt },
      ]
    })
  // As if a device had been offline all the time: a few statements, not one for each switch.
  await replayQueued(db, actor, switches, now)
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

/** A colleague who has just switched off, and for whom the demo user waits: within a minute the demo says that she is free. */
export async function waitForFirst(
  db: Db,
  { userIds: [mara = '', userId = ''] }: SeededCompany,
  now: Date,
): Promise<void> {
  const ago = (seconds: number) => new Date(now.getTime() - seconds * 1000)
  const [sessionId, timeZone] = [randomUUID(), Intl.DateTimeFormat().resolvedOptions().timeZone]
  await startFocus(db, { userId }, { sessionId, timeZone }, ago(240))
  await setAlert(db, { userId: mara }, { userId, isWanted: true }, ago(180), null)
  await stopFocus(db, { userId }, { sessionId }, ago(100))
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
