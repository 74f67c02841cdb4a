import { randomBytes } from 'node:crypto'
import { removeUser } from '../account/remove-user.ts'
import type { AuthDeps } from '../auth/auth-deps.ts'
import { statement } from '../db/db.ts'
import { Refusal } from '../lib/refusal.ts'
import { addressOf, DEMO_NAMES } from './people.ts'
import { createRandom } from './random.ts'
import { type SeededCompany, seedCompany, waitForFirst } from './seed.ts'
import { simulateColleagues } from './simulate-colleagues.ts'

/** A company stays at least this long after its visitor came. */
const STAY_MS = 2 * 3_600_000

/** A visitor has no password to re-authenticate with, so the re-authentication of the sign-in does not expire. */
export const RENEW_EVERY_MS = 5 * 60_000

const renewProofs = statement(
  'demo.renew-proofs',
  'update auth.sessions set proven_at = :now where user_id = any(:userIds::uuid[]) and proven_at < :now',
)

/** The address and password of a demo user. */
export interface DemoPerson {
  email: string
  password: string
}

/** A company that no visitor has yet. */
interface ReadyCompany extends SeededCompany, DemoPerson {}

interface TakenCompany {
  userIds: string[]
  takenAt: Date
  stopSimulation(): void
}

export interface Visitors {
  /** The demo user of a company that nobody else has. Refuses with `too_many_attempts` while there are too many visitors. */
  receive(): Promise<DemoPerson>
  /** Ends the simulations. */
  stop(): Promise<void>
}

/**
 * Gives each visitor a company of their own, so that nobody changes what another visitor sees. One is always ready, and at most `max`
 * have a visitor: the next visitor replaces the oldest one, once it is two hours old.
 */
export async function createVisitors(
  deps: AuthDeps,
  { max, onError }: { max: number; onError(error: unknown): void },
): Promise<Visitors> {
  const { db, now, publish } = deps
  const taken: TakenCompany[] = []
  let made = 0
  let isStopped = false
  let queue: Promise<unknown> = Promise.resolve()

  async function prepare(): Promise<ReadyCompany> {
    const company = ++made
    const password = randomBytes(18).toString('base64url')
    const seeded = await seedCompany(deps, { company, password, now: now() })
    return { ...seeded, email: addressOf(DEMO_NAMES[0], company), password }
  }

  async function renew(): Promise<void> {
    await db.query(renewProofs, { userIds: taken.flatMap(({ userIds }) => userIds), now: now() })
  }
  const renewal = setInterval(() => void renew().catch(onError), RENEW_EVERY_MS)

  let ready: ReadyCompany | null = await prepare()

  async function makeRoom(): Promise<void> {
    const [oldest] = taken
    if (!oldest || taken.length < max) return
    const waitMs = oldest.takenAt.getTime() + STAY_MS - now().getTime()
    if (waitMs > 0) throw new Refusal('too_many_attempts', undefined, Math.ceil(waitMs / 1000))
    taken.shift()
    oldest.stopSimulation()
    for (const userId of oldest.userIds) {
      const removed = await removeUser(deps, userId, null)
      for (const sessionId of removed?.sessionIds ?? []) publish({ kind: 'session', id: sessionId })
    }
  }

  async function take(): Promise<DemoPerson> {
    await makeRoom()
    const company = ready ?? (await prepare())
    ready = null
    const { userIds, acquaintances, email, password } = company
    await waitForFirst(db, company, now())
    const others = acquaintances.filter((userId) => userId !== userIds[1])
    const stopSimulation = await simulateColleagues(deps, others, createRandom(Date.now()), onError)
    taken.push({ userIds, takenAt: now(), stopSimulation })
    return { email, password }
  }

  async function refill(): Promise<void> {
    if (ready === null && !isStopped) ready = await prepare()
  }

  /** Runs `work` after all that came before. */
  function inOrder<T>(work: () => Promise<T>): Promise<T> {
    const done = queue.then(work)
    queue = done.catch(() => undefined)
    return done
  }

  return {
    receive() {
      const person = inOrder(take)
      inOrder(refill).catch(onError)
      return person
    },
    async stop() {
      isStopped = true
      clearInterval(renewal)
      await queue
      for (const { stopSimulation } of taken) stopSimulation()
    },
  }
}
