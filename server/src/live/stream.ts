import type { ServerResponse } from 'node:http'
import { HEARTBEAT_SECONDS, type LiveEvent, MOST_DELIVERIES_PER_SECOND } from '@deeb/core/live-events'
import type { OwnState } from '../presence/read-presences.ts'

/** Past so many people who wait to be told of, one word says it: read the team again. */
const MOST_PEOPLE = 256

/** So many deliveries go out at once when there is something to tell; the last ones of a second are spread over it. */
const UNHURRIED_DELIVERIES = 8
const SPREAD_MS = 1000 / (MOST_DELIVERIES_PER_SECOND - UNHURRIED_DELIVERIES + 1)

/** A client that takes nothing for so long has gone, or might as well have. */
const BLOCKED_FOR_MS = 30_000
/** And one that does not take the last word: nobody looks at it any more. */
const LEAVES_WITHIN_MS = 2_000

export type Bye = Extract<LiveEvent, { type: 'bye' }>['reason']

/** What a stream tells time by. Tests have one of their own. */
export interface Pacemaker {
  /** Milliseconds from any fixed point, never back. */
  nowMs(): number
  after(ms: number, act: () => void): () => void
}

export const REAL_PACE: Pacemaker = {
  nowMs: () => performance.now(),
  after(ms, act) {
    // What waits for a connection shall not keep the process.
    const timer = setTimeout(act, ms).unref()
    return () => clearTimeout(timer)
  },
}

/** What is written to; an answer to an HTTP request. */
export type Sink = Pick<ServerResponse, 'write' | 'end' | 'destroy' | 'on'>

/**
 * One client's stream. Holds what has changed since the last delivery, the newest state for each person, and nothing
 * that was said before: however slow the client, it waits for one delivery at the most.
 *
 * A class, as there are 10,000 of them: functions of their own for each would cost more than what they hold.
 */
export class LiveStream {
  readonly userId: string
  readonly sessionId: string
  /** On the server's clock. */
  readonly endsAtMs: number
  #pace: Pacemaker
  #now: () => Date
  #sink: Sink | null = null
  #me: OwnState | null = null
  #people: Map<string, string> | null = null
  #teamChanged = false
  /** Of the last second, oldest first. */
  #deliveredAtMs: number[] = []
  #wroteAtMs = 0
  #blockedAtMs: number | null = null
  /** Why it is over; null while it is not. */
  #over: Bye | null = null
  #cancelWait: (() => void) | null = null

  constructor(whose: { userId: string; sessionId: string; endsAtMs: number }, now: () => Date, pace: Pacemaker) {
    this.userId = whose.userId
    this.sessionId = whose.sessionId
    this.endsAtMs = whose.endsAtMs
    this.#now = now
    this.#pace = pace
  }

  /** Begins to write. What has changed since the stream was made follows behind; if that has ended it, only that is said. */
  greet(sink: Sink, me: OwnState): void {
    this.#sink = sink
    if (this.#over) {
      this.#sayBye(this.#over)
      return
    }
    sink.on('drain', () => {
      this.#blockedAtMs = null
      this.flush()
    })
    this.#deliver([this.#stamped('hello', me)])
    this.flush()
  }

  tellMe(me: OwnState): void {
    this.#me = me
  }

  /** `event` is the JSON of a presence event, made once for all who are told. */
  tellPresence(userId: string, event: string): void {
    this.#people ??= new Map()
    this.#people.set(userId, event)
    if (this.#people.size > MOST_PEOPLE) this.tellTeam()
  }

  /** Also drops what was to be told of others: it may be about somebody who is no connection any more. */
  tellTeam(): void {
    this.#people = null
    this.#teamChanged = true
  }

  /** Delivers what there is to tell: now, or when the client may be told again and has taken the last delivery. */
  flush(): void {
    const isNothing = !this.#me && !this.#people && !this.#teamChanged
    if (isNothing || !this.#sink || this.#over || this.#blockedAtMs !== null || this.#cancelWait) return
    const waitMs = this.#nextAtMs() - this.#pace.nowMs()
    if (waitMs <= 0) {
      this.#deliver(this.#take())
      return
    }
    this.#cancelWait = this.#pace.after(Math.ceil(waitMs), () => {
      this.#cancelWait = null
      this.flush()
    })
  }

  /** To be called about once a second. False if the client has stopped to listen. */
  beat(): boolean {
    const nowMs = this.#pace.nowMs()
    if (this.#blockedAtMs !== null) return nowMs - this.#blockedAtMs < BLOCKED_FOR_MS
    if (this.#sink && !this.#over && nowMs - this.#wroteAtMs >= HEARTBEAT_SECONDS * 1000) this.#write(':\n\n')
    return true
  }

  /** The last word, for a client that listens. */
  end(reason: Bye): void {
    if (this.#over) return
    this.#over = reason
    this.#cancelWait?.()
    this.#sayBye(reason)
  }

  /** For one that does not. */
  cut(): void {
    this.end('restart')
    this.#sink?.destroy()
  }

  #sayBye(reason: Bye): void {
    const sink = this.#sink
    if (!sink) return
    const bye: LiveEvent = { type: 'bye', reason }
    sink.end(this.#blockedAtMs === null ? frame([JSON.stringify(bye)]) : undefined)
    this.#pace.after(LEAVES_WITHIN_MS, () => sink.destroy())
  }

  #take(): string[] {
    const events = [
      ...(this.#me ? [this.#stamped('me-changed', this.#me)] : []),
      ...(this.#people?.values() ?? []),
      ...(this.#teamChanged ? ['{"type":"team-changed"}'] : []),
    ]
    this.#me = null
    this.#people = null
    this.#teamChanged = false
    return events
  }

  #stamped(type: 'hello' | 'me-changed', me: OwnState): string {
    return JSON.stringify({ type, ...me, serverTime: this.#now().toISOString() })
  }

  /** When the next delivery may go out. */
  #nextAtMs(): number {
    const sinceMs = this.#pace.nowMs() - 1000
    this.#deliveredAtMs = this.#deliveredAtMs.filter((atMs) => atMs > sinceMs)
    const [oldest = 0] = this.#deliveredAtMs
    if (this.#deliveredAtMs.length >= MOST_DELIVERIES_PER_SECOND) return oldest + 1000
    if (this.#deliveredAtMs.length < UNHURRIED_DELIVERIES) return 0
    return (this.#deliveredAtMs.at(-1) ?? 0) + SPREAD_MS
  }

  #deliver(events: string[]): void {
    this.#deliveredAtMs.push(this.#pace.nowMs())
    this.#write(frame(events))
  }

  #write(text: string): void {
    this.#wroteAtMs = this.#pace.nowMs()
    if (this.#sink?.write(text) === false) this.#blockedAtMs = this.#wroteAtMs
  }
}

function frame(events: string[]): string {
  return `data: [${events.join(',')}]\n\n`
}
