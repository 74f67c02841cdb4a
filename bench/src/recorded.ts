import type { Db, Statement } from '../../server/dist/db/db.js'
import { valuesOf } from '../../server/dist/db/named-parameters.js'
import { startFocus } from '../../server/dist/focus/start-focus.js'
import { stopFocus } from '../../server/dist/focus/stop-focus.js'
import { readHome } from '../../server/dist/home/read-home.js'
import { searchColleagues } from '../../server/dist/team/search-colleagues.js'

/** A statement as the server runs it, with its values. */
export interface Recorded extends Statement {
  values: unknown[]
}

type Operation<Input> = (db: Db, actor: { userId: string }, input: Input, now: Date) => Promise<unknown>

/**
 * What an operation asks the database first, found by running it on a database that only listens: so there is no second
 * copy of a statement that could be another one.
 */
async function recorded<Input>(operation: Operation<Input>, input: Input, userId: string): Promise<Recorded> {
  const heard: Recorded[] = []
  const listener: Db = {
    async query(statement, params) {
      heard.push({ ...statement, values: valuesOf(statement, params) })
      return []
    },
    transaction: () => Promise.reject(new Error('A hot path does not begin a transaction.')),
    script: () => Promise.reject(new Error('A hot path runs no script.')),
  }
  // It finds nothing and says so: the question is all there is to hear.
  await operation(listener, { userId }, input, new Date()).catch(() => undefined)
  const [first] = heard
  if (!first) throw new Error('The operation asked the database nothing.')
  return first
}

export const TIME_ZONE = 'Europe/Berlin'

export const homeRead = (userId: string) => recorded(readHome, { timeZone: TIME_ZONE }, userId)
export const switchOn = (userId: string, sessionId: string) =>
  recorded(startFocus, { sessionId, timeZone: TIME_ZONE }, userId)
export const switchOff = (userId: string, sessionId: string) => recorded(stopFocus, { sessionId }, userId)
export const search = (userId: string, query: string) => recorded(searchColleagues, { query }, userId)
