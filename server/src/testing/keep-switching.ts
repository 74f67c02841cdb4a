import { setTimeout as pause } from 'node:timers/promises'
import type { FocusSession } from '@deeb/core/focus/api'
import { v7 as uuidv7 } from 'uuid'

/** Somebody at a device. */
interface Person {
  userId: string
  accessToken: string
}

export interface Switching {
  /** What the servers said last of each session, by its id. */
  acknowledged: Map<string, FocusSession>
  /** Answers that no client should have to understand: neither a success nor a 503 that says when to come back. */
  surprises: string[]
  /** How often nothing was said at all until somebody gave up. */
  unanswered(): number
  /** How often somebody had to ask again. */
  retries(): number
  /** Lets everybody switch off. */
  stop(): Promise<void>
}

const BETWEEN_MS = 10
/** As long as the apps wait. */
const PATIENCE_MS = 10_000

/**
 * Lets people switch on and off, one time after the other. Like the apps they ask again, with the same id, what was not
 * answered in time or answered with 503, at the next of `origins`; and every third switch is sent twice for nothing.
 */
export function keepSwitching(origins: string[], people: Person[]): Switching {
  const acknowledged = new Map<string, FocusSession>()
  const surprises: string[] = []
  let retries = 0
  let unanswered = 0
  let isStopping = false

  async function send(person: Person, origin: string, path: string, body: object): Promise<FocusSession | null> {
    const headers = { authorization: `Bearer ${person.accessToken}`, 'content-type': 'application/json' }
    const signal = AbortSignal.timeout(PATIENCE_MS)
    const request = { method: 'POST', headers, body: JSON.stringify(body), signal }
    // A connection that was refused or cut, or on which nothing is said.
    const answer = await fetch(origin + path, request).catch(() => {
      if (signal.aborted) unanswered += 1
      return null
    })
    if (answer === null) return null
    const text = await answer.text().catch(() => null)
    if (text === null || (answer.status === 503 && answer.headers.has('retry-after'))) return null
    if (answer.status === 200) return JSON.parse(text).session
    surprises.push(`${answer.status} ${text}`)
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
          // Who stops does not wait for a server that stays away.
          if (isStopping) return
          retries += 1
          at += 1
          await pause(BETWEEN_MS)
        }
      }
    }
  }

  const everybody = people.map(async (person) => {
    for (let number = 0; !isStopping; number++) await switchOnAndOff(person, number)
  })
  return {
    acknowledged,
    surprises,
    unanswered: () => unanswered,
    retries: () => retries,
    async stop() {
      isStopping = true
      await Promise.all(everybody)
    },
  }
}
