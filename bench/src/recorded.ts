import type { Db, Statement } from '../../server/src/db/db.ts'
import { valuesOf } from '../../server/src/db/named-parameters.ts'
import { startFocus } from '../../server/src/focus/start-focus.ts'
import { stopFocus } from '../../server/src/focus/stop-focus.ts'
import { readHome } from '../../server/src/home/read-home.ts'
import { readPresences } from '../../server/src/presence/read-presences.ts'
import { searchColleagues } from '../../server/src/team/search-colleagues.ts'

/** A statement of the server, with its values. */
export interface Recorded extends Statement {
  values: unknown[]
}

type Operation<Input> = (db: Db, actor: { userId: string }, input: Input, now: Date) => Promise<unknown>

function recorded<Input>(operation: Operation<Input>, input: Input, userId: string): Promise<Recorded> {
  return firstStatement((db) => operation(db, { userId }, input, new Date()))
}

/**
 * The first statement of an operation, recorded by running the operation on a fake database. So there is no second copy of a
 * statement that could differ.
 */
async function firstStatement(run: (db: Db) => Promise<unknown>): Promise<Recorded> {
  const statements: Recorded[] = []
  const recorder: Db = {
    async query(statement, params) {
      statements.push({ ...statement, values: valuesOf(statement, params) })
      return []
    },
    transaction: () => Promise.reject(new Error('A benchmarked operation may not begin a transaction.')),
    script: () => Promise.reject(new Error('A benchmarked operation may not run a script.')),
  }
  // The operation may fail, since the fake database has no rows. Only its first statement is needed.
  await run(recorder).catch(() => undefined)
  const [first] = statements
  if (!first) throw new Error('The operation ran no statement.')
  return first
}

export const TIME_ZONE = 'Europe/Berlin'

/** The settings without the environment. */
export const REPORT = { isOn: true, blur: 4, hasGoals: true }
const HOME_SETTINGS = { report: REPORT, circleSize: 50 }

export const homeRead = (userId: string) =>
  firstStatement((db) => readHome(db, { userId }, { timeZone: TIME_ZONE }, HOME_SETTINGS, new Date()))
export const switchOn = (userId: string, sessionId: string) =>
  recorded(startFocus, { sessionId, timeZone: TIME_ZONE }, userId)
export const switchOff = (userId: string, sessionId: string) => recorded(stopFocus, { sessionId }, userId)
export const search = (userId: string, query: string) => recorded(searchColleagues, { query }, userId)
export const presenceRead = (userId: string) => firstStatement((db) => readPresences(db, [userId], new Date()))
