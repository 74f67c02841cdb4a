import { setTimeout as pause } from 'node:timers/promises'
import type { FocusSession } from '@deeb/core/focus/api'
import { v7 as uuidv7 } from 'uuid'

/** A signed-in user. */
interface Person {
  userId: string
  accessToken: string
}

export interface Switching {
  /** The last acknowledged state of each focus session, by id. */
  acknowledged: Map<string, FocusSession>
  /** Responses that are neither a success nor a 503 with Retry-After. */
  unexpected: string[]
  /** Number of requests that ended in the timeout of the client. */
  unanswered(): number
  /** Number of retries. */
  retries(): number
  /** Stops after the current switches. */
  stop(): Promise<void>
}

const BETWEEN_MS = 10
/** The timeout of the apps. */
const TIMEOUT_MS = 10_000

/**
 * Load generator: each user switches on and off in a loop. Like the apps, it retries a timeout or a 503 with the same session id
 * (at-least-once), on the next of `origins`. Every third switch is sent twice to test idempotency.
 */
export function keepSwitching(origins: string[], people: Person[]): Switching {
  const acknowledged = new Map<string, FocusSession>()
  const unexpected: string[] = []
  let retries = 0
  let unanswered = 0
  let isStopping = false

  async function send(person: Person, origin: string, path: string, body: object): Promise<FocusSession | null> {
    const headers = { authorization: `Bearer ${person.accessToken}`, 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(TIMEOUT_MS)
    const request = { method: 'POST', headers, body: JSON.stringify(body), signal }
    // Null if the connection was refused or cut, or after the timeout.
    const answer = await fetch(origin + path, request).catch(() => {
      if (signal.aborted) unanswered += 1
      return null
    })
    if (answer === null) return null
    const text = await answer.text().catch(() => null)
    if (text === null || (answer.status === 503 && answer.headers.has('retry-after'))) return null
    if (answer.status === 200) return JSON.parse(text).session
    unexpected.push(`${answer.status} ${text}`)
    return null
  }

  async function switchOnAndOff(person: Person, number: number): Promise<void> {
    const sessionId = uuidv7()
    let at = number
    for (const [path, body] of [
      ['/api/focus/start', { sessionId, timeZone: 'UTC' }],
      ['/api/focus/stop', { sessionId }],
    ] as const) {
      for (let times = number % 3 === 0 ? 2 : 1; times > 0; ) {
        const session = await send(person, origins[at % origins.length] ?? '', path, body)
        if (session) {
          acknowledged.set(session.id, session)
          times -= 1
          await pause(BETWEEN_MS)
        } else {
          // Stops without waiting for a server that stays down.
          if (isStopping) return
          retries += 1
          at += 1
          await pause(BETWEEN_MS)
        }
      }
    }
  }

  const loops = people.map(async (person) => {
    for (let number = 0; !isStopping; number++) await switchOnAndOff(person, number)
  })
  return {
    acknowledged,
    unexpected,
    unanswered: () => unanswered,
    retries: () => retries,
    async stop() {
      isStopping = true
      await Promise.all(loops)
    },
  }
}
