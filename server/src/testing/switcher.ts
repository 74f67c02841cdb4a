import { type FocusSession, replaySwitches, startFocus, stopFocus } from '@deeb/core/focus/api'
import { decodeJwt } from 'jose'
import { v7 as uuidv7 } from 'uuid'
import type { Held } from './killable-server.ts'

type Kept = Held['sessions'][number]

/** What a server answered of a session: at least this it has to know for ever. */
interface Told {
  id: string
  startedAt: string
  endedAt: string | null
  /** It was over when the server was told of it, all of it at once. */
  isPast: boolean
}

const HOUR_MS = 3_600_000
/** A session of the past takes a minute, and begins two minutes after the one before. */
const MINUTE_MS = 60_000
const STEP_MS = 3 * MINUTE_MS

/** Somebody who switches over HTTP without a pause, and keeps what was answered. */
export class Switcher {
  /** By session, what was answered last. */
  private readonly answers = new Map<string, Told>()
  private readonly token: string
  private open: string | null = null
  /** Where the next session of the past begins: those have lengths, so that there are totals to be wrong. */
  private past = Math.floor(Date.now() / 1000) * 1000 - 6.5 * 24 * HOUR_MS
  acknowledged = 0

  constructor(token: string) {
    this.token = token
  }

  get told(): Told[] {
    return [...this.answers.values()]
  }

  /** Whether what is kept is what was answered; it may have ended since, by a switch whose answer was lost. */
  isKept({ startedAt, endedAt, isPast }: Told, kept: Kept | undefined): boolean {
    if (!kept) return false
    // The server believes how long ago it was, at the moment in which it hears of it.
    const heardAfterMs = isPast ? Date.parse(kept.startedAt) - Date.parse(startedAt) : 0
    const later = (instant: string) => new Date(Date.parse(instant) + heardAfterMs).toISOString()
    const isAsTold = kept.startedAt === later(startedAt) && (endedAt === null || kept.endedAt === later(endedAt))
    return isAsTold && heardAfterMs >= 0 && heardAfterMs < STEP_MS - MINUTE_MS
  }

  /** Takes up what stands, as a device does that reads before it switches: the last switch may have been taken or not. */
  goOn(sessions: Kept[]): void {
    const me = decodeJwt(this.token).sub
    this.open = sessions.find(({ userId, endedAt }) => userId === me && endedAt === null)?.id ?? null
  }

  /** Switches until no answer comes. Throws if one comes that is no success. */
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
    this.hear({ ...answer.session, isPast: false })
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
    if (answer.refused.length > 0) throw new Error(`A session of the past was refused: ${JSON.stringify(answer)}`)
    this.hear(session)
    return true
  }

  private nextInThePast(): Pick<Told, 'startedAt'> & { endedAt: string } {
    const startedAt = this.past
    this.past += STEP_MS
    return { startedAt: new Date(startedAt).toISOString(), endedAt: new Date(startedAt + MINUTE_MS).toISOString() }
  }

  private hear(told: Told): void {
    this.answers.set(told.id, told)
    this.acknowledged += 1
  }

  /** Null where no answer came, or none that is whole. */
  private async post<Body>(url: string, body: object): Promise<Body | null> {
    const headers = { authorization: `Bearer ${this.token}`, 'content-type': 'application/json' }
    const answer = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) }).catch(() => null)
    const text = await answer?.text().catch(() => null)
    if (!answer || text === null || text === undefined) return null
    if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${text}`)
    return JSON.parse(text) as Body
  }
}
