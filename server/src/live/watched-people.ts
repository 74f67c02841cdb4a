import { type Db, lookup } from '../db/db.ts'
import { teamOf } from '../presence/who-sees.ts'

/* Also people whom a user does not see yet or no longer: fan-out decides that. So time that passes changes nothing here. */
const teams = lookup(
  'live.teams',
  `select distinct team.user_id as "userId" from unnest(:userIds::uuid[]) as listener (id) cross join lateral (${teamOf('listener.id')}) as team`,
)

/** The people whose presence a stream of this process may have to receive. */
export interface WatchedPeople {
  /** False only if no stream can be concerned. */
  has(userId: string): boolean
  /** Adds the team of a user with a stream. Call it when a stream opens, and when the team changes. */
  add(userId: string): Promise<void>
  /** Reads the teams of all users with a stream, and forgets everybody else. */
  renew(): Promise<void>
}

/**
 * Saves reads of presence that nobody here may receive: of n servers, mostly one has somebody who watches. It decides nothing about
 * privacy, because what is sent is read together with those who may see it. While a read runs or after one failed, it has everybody.
 */
export function createWatchedPeople(db: Db, userIdsOfStreams: () => string[]): WatchedPeople {
  let people = new Set<string>()
  /** People who were added while all teams are read. */
  let added = new Set<string>()
  let running = 0
  let isComplete = true

  async function read(userIds: string[]): Promise<string[]> {
    running += 1
    try {
      const rows = await db.query<{ userId: string }>(teams, { userIds })
      return [...userIds, ...rows.map(({ userId }) => userId)]
    } catch (error) {
      isComplete = false
      throw error
    } finally {
      running -= 1
    }
  }

  return {
    has: (userId) => running > 0 || !isComplete || people.has(userId),
    async add(userId) {
      for (const one of await read([userId])) {
        people.add(one)
        added.add(one)
      }
    },
    async renew() {
      added = new Set()
      const all = await read(userIdsOfStreams())
      people = new Set([...all, ...added])
      isComplete = true
    },
  }
}
