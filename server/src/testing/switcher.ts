import { type FocusSession, replaySwitches, startFocus, stopFocus } from '@deeb/core/focus/api'
import { decodeJwt } from 'jose'
import { v7 as uuidv7 } from 'uuid'
import type { Stored } from './killable-server.ts'

type StoredSession = Stored['sessions'][number]

/** An acknowledged state of a focus session, which the server must never lose. */
interface Acknowledged {
  id: string
  startedAt: string
  endedAt: string | null
  /** The session had ended when it was sent: its on and off were replayed in one call. */
  isPast: boolean
}

const HOUR_MS = 3_600_000
/** A past session is one minute long and starts two minutes after the end of the previous one. */
const MINUTE_MS = 60_000
const STEP_MS = 3 * MINUTE_MS

/** A user who switches over HTTP without a pause and records the responses. */
export class Switcher {
  /** The last acknowledged state by session id. */
  private readonly bySession = new Map<string, Acknowledged>()
  private readonly token: string
  private open: string | null = null
  /** The start of the next past session. Only past sessions have a length, which makes totals to check. */
  private past = Math.floor(Date.now() / 1000) * 1000 - 6.5 * 24 * HOUR_MS
  /** Number of acknowledged switches. */
  acknowledged = 0

  constructor(token: string) {
    this.token = token
  }

  get sessions(): Acknowledged[] {
    return [...this.bySession.values()]
  }

  /** Whether the stored session is the acknowledged one. It may have ended since, if the response to an off was lost. */
  isStored({ startedAt, endedAt, isPast }: Acknowledged, stored: StoredSession | undefined): boolean {
    if (!stored) return false
    // The server computes the start of a past session from the arrival of the request, which is later than `sentAt`.
    const delayMs = isPast ? Date.parse(stored.startedAt) - Date.parse(startedAt) : 0
    const later = (instant: string) => new Date(Date.parse(instant) + delayMs).toISOString()
    const isEqual = stored.startedAt === later(startedAt) && (endedAt === null || stored.endedAt === later(endedAt))
    return isEqual && delayMs >= 0 && delayMs < STEP_MS - MINUTE_MS
  }

  /** Continues from the stored state, like a device that reads before it switches: the last switch may be stored or lost. */
  resume(sessions: StoredSession[]): void {
    const me = decodeJwt(this.token).sub
    this.open = sessions.find(({ userId, endedAt }) => userId === me && endedAt === null)?.id ?? null
  }

  /** Switches until the server does not respond. Throws on an error response. */
  async switchUntilGone(origin: string): Promise<void> {
    for (;;) {
      const answered = (await this.switchNow(origin)) && (await this.switchInThePast(origin))
      if (!answered) return
    }
  }

  private async switchNow(origin: string): Promise<boolean> {
    const sessionId = this.open ?? uuidv7()
    const { path } = this.open ? stopFocus : startFocus
    const answer = await this.post<{ session: FocusSession }>(origin + path, { sessionId, timeZone: 'Europe/Berlin' })
    if (!answer) return false
    this.record({ ...answer.session, isPast: false })
    this.open = answer.session.endedAt === null ? sessionId : null
    return true
  }

  private async switchInThePast(origin: string): Promise<boolean> {
    if (this.past > Date.now() - HOUR_MS) return true
    const sentAt = new Date().toISOString()
    const session = { id: uuidv7(), ...this.nextInThePast(), isPast: true }
    const { id: sessionId, startedAt, endedAt } = session
    const changes = [
      { to: 'on', sessionId, timeZone: 'Europe/Berlin', actedAt: startedAt },
      { to: 'off', sessionId, actedAt: endedAt },
    ]
    const answer = await this.post<{ refused: unknown[] }>(origin + replaySwitches.path, { sentAt, changes })
    if (!answer) return false
    if (answer.refused.length > 0) throw new Error(`A past session was refused: ${JSON.stringify(answer)}`)
    this.record(session)
    return true
  }

  private nextInThePast(): Pick<Acknowledged, 'startedAt'> & { endedAt: string } {
    const startedAt = this.past
    this.past += STEP_MS
    return { startedAt: new Date(startedAt).toISOString(), endedAt: new Date(startedAt + MINUTE_MS).toISOString() }
  }

  private record(session: Acknowledged): void {
    this.bySession.set(session.id, session)
    this.acknowledged += 1
  }

  /** Null if the response is missing or incomplete. */
  private async post<Body>(url: string, body: object): Promise<Body | null> {
    const headers = { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' }
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) }).catch(() => null)
    const text = await answer?.text().catch(() => null)
    if (!answer || text === null || text === undefined) return null
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text}`)
    return JSON.parse(text) as Body
  }
}
