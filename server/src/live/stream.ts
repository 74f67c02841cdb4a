import type { ServerResponse } from 'node:http'
import { HEARTBEAT_SECONDS, type LiveEvent, MAX_DELIVERIES_PER_SECOND } from '@deeb/core/live-events'
import type { Scope } from '@deeb/core/scopes'
import type { OwnState } from '../presence/read-presences.ts'

/** With more queued presences than this, one `team-changed` event replaces them. */
const MAX_QUEUED = 256

/** The first deliveries of a second go out immediately; the rest are spread over it. */
const BURST_DELIVERIES = 8
const SPREAD_MS = 1000 / (MAX_DELIVERIES_PER_SECOND - BURST_DELIVERIES + 1)

/** Backpressure: a client that reads nothing for this long is disconnected. */
const BLOCKED_FOR_MS = 30_000
/** How long a client may take to read the last event. */
const LAST_EVENT_WITHIN_MS = 2_000

/** Shared by all quiet streams. */
const NO_DELIVERIES: readonly number[] = []

export type DisconnectReason = Extract<LiveEvent, { type: 'bye' }>['reason']

/** A monotonic clock with timers. Tests replace it. */
export interface Clock {
  /** Milliseconds since an arbitrary start; never goes back. */
  nowMs(): number
  after(ms: number, act: () => void): () => void
}

export const REAL_CLOCK: Clock = {
  nowMs: () => performance.now(),
  after(ms, act) {
    // A timer must not keep the process alive.
    const timer = setTimeout(act, ms).unref()
    return () => clearTimeout(timer)
  },
}

/** Whose stream it is, and until when. */
export interface StreamOwner {
  /** The user, or the door sign. */
  ownerId: string
  /** The auth session, or the personal access token. */
  sessionId: string
  /** By the server's clock. */
  endsAtMs: number
  /** The scopes of a personal access token. */
  scopes?: readonly Scope[] | undefined
}

/** The HTTP response that a stream writes to. */
export type Sink = Pick<ServerResponse, 'write' | 'end' | 'destroy' | 'once'>

/**
 * One client's live stream. Queues only the newest state of each user since the last delivery, so memory is bounded however
 * slow the client reads. At most 10 deliveries a second go out (throttling).
 *
 * A class, not closures: there may be 10,000 of them.
 */
export class LiveStream {
  readonly ownerId: string
  readonly sessionId: string
  /** By the server's clock. */
  readonly endsAtMs: number
  /** The scopes of a personal access token; null for a sign-in. */
  readonly scopes: readonly Scope[] | null
  #clock: Clock
  #now: () => Date
  #sink: Sink | null = null
  #me: OwnState | null = null
  /** The highest version of the user's own state that was sent or queued. */
  #ownVersion = 0
  #people: Map<string, string> | null = null
  #sign: string | null = null
  #teamChanged = false
  #stillOn = false
  #alertsChanged = false
  /** The times of the deliveries of the last second, oldest first. */
  #deliveredAtMs: readonly number[] = NO_DELIVERIES
  #wroteAtMs = 0
  #blockedAtMs: number | null = null
  /** Why the stream ended; null while it is open. */
  #ended: DisconnectReason | null = null
  #cancelTimer: (() => void) | null = null

  constructor(owner: StreamOwner, now: () => Date, clock: Clock) {
    this.ownerId = owner.ownerId
    this.sessionId = owner.sessionId
    this.endsAtMs = owner.endsAtMs
    this.scopes = owner.scopes ?? null
    this.#now = now
    this.#clock = clock
  }

  /**
   * Starts writing to the client: first the greeting, then what was queued. A stream that has ended only says so. The stream of a sign
   * has no greeting.
   */
  greet(sink: Sink, me: OwnState | null): void {
    this.#sink = sink
    if (this.#ended) {
      this.#sendBye(this.#ended)
      return
    }
    if (me) {
      if (me.version >= this.#ownVersion) this.#me = null
      this.#ownVersion = Math.max(this.#ownVersion, me.version)
      this.#deliver([this.#ownState('hello', me)])
    }
    this.flush()
  }

  /** Ignores a state that is not newer. */
  queueOwnState(me: OwnState): void {
    if (me.version <= this.#ownVersion) return
    this.#ownVersion = me.version
    this.#me = me
  }

  /** `event` is the JSON of a presence event, shared by all its receivers. */
  queuePresence(userId: string, event: string): void {
    if (!this.#seesTeam()) return
    this.#people ??= new Map()
    this.#people.set(userId, event)
    if (this.#people.size > MAX_QUEUED) this.queueTeamChange()
  }

  /** Drops queued presences too: they may be of a former connection. */
  queueTeamChange(): void {
    if (!this.#seesTeam()) return
    this.#people = null
    this.#teamChanged = true
  }

  queueStillOn(): void {
    if (this.scopes === null) this.#stillOn = true
  }

  queueAlertsChange(): void {
    if (this.scopes === null) this.#alertsChanged = true
  }

  /** `event` is the JSON of the newest state of a sign. */
  queueSign(event: string): void {
    this.#sign = event
  }

  /** Delivers the queued events: immediately, or when the throttle and the client's backpressure allow it. */
  flush(): void {
    const isNothing =
      !this.#me && !this.#people && !this.#teamChanged && !this.#stillOn && !this.#alertsChanged && !this.#sign
    if (isNothing || !this.#sink || this.#ended || this.#blockedAtMs !== null || this.#cancelTimer) return
    const waitMs = this.#nextAtMs() - this.#clock.nowMs()
    if (waitMs <= 0) {
      this.#deliver(this.#take())
      return
    }
    this.#cancelTimer = this.#clock.after(Math.ceil(waitMs), () => {
      this.#cancelTimer = null
      this.flush()
    })
  }

  /** Writes a heartbeat if the stream was quiet. Call it about once a second. False if the client has stopped reading. */
  heartbeat(): boolean {
    const nowMs = this.#clock.nowMs()
    if (nowMs - this.#wroteAtMs > 1000) this.#deliveredAtMs = NO_DELIVERIES
    if (this.#blockedAtMs !== null) return nowMs - this.#blockedAtMs < BLOCKED_FOR_MS
    if (this.#sink && !this.#ended && nowMs - this.#wroteAtMs >= HEARTBEAT_SECONDS * 1000) this.#write(':\n\n')
    return true
  }

  /** Sends the last event and ends the response. Ending twice changes nothing. */
  end(reason: DisconnectReason): void {
    if (this.#ended) return
    this.#ended = reason
    this.#cancelTimer?.()
    this.#sendBye(reason)
  }

  /** Ends without waiting for the client. */
  destroy(): void {
    this.end('restart')
    this.#sink?.destroy()
  }

  #seesTeam(): boolean {
    return this.scopes === null || this.scopes.includes('team')
  }

  #sendBye(reason: DisconnectReason): void {
    const sink = this.#sink
    if (!sink) return
    const bye: LiveEvent = { type: 'bye', reason }
    sink.end(this.#blockedAtMs === null ? frame([JSON.stringify(bye)]) : undefined)
    this.#clock.after(LAST_EVENT_WITHIN_MS, () => sink.destroy())
  }

  #take(): string[] {
    const events = [
      ...(this.#me ? [this.#ownState('me-changed', this.#me)] : []),
      ...(this.#people?.values() ?? []),
      ...(this.#teamChanged ? ['{"type":"team-changed"}'] : []),
      ...(this.#stillOn ? ['{"type":"still-on"}'] : []),
      ...(this.#alertsChanged ? ['{"type":"alerts-changed"}'] : []),
      ...(this.#sign ? [this.#sign] : []),
    ]
    this.#me = null
    this.#people = null
    this.#teamChanged = false
    this.#stillOn = false
    this.#alertsChanged = false
    this.#sign = null
    return events
  }

  #ownState(type: 'hello' | 'me-changed', me: OwnState): string {
    return JSON.stringify({ type, ...me, serverTime: this.#now().toISOString() })
  }

  /** Returns the time of the next delivery. */
  #nextAtMs(): number {
    const sinceMs = this.#clock.nowMs() - 1000
    this.#deliveredAtMs = this.#deliveredAtMs.filter((atMs) => atMs > sinceMs)
    const [oldest = 0] = this.#deliveredAtMs
    if (this.#deliveredAtMs.length >= MAX_DELIVERIES_PER_SECOND) return oldest + 1000
    if (this.#deliveredAtMs.length < BURST_DELIVERIES) return 0
    return (this.#deliveredAtMs.at(-1) ?? 0) + SPREAD_MS
  }

  #deliver(events: string[]): void {
    this.#deliveredAtMs = [...this.#deliveredAtMs, this.#clock.nowMs()]
    this.#write(frame(events))
  }

  #write(text: string): void {
    this.#wroteAtMs = this.#clock.nowMs()
    if (this.#sink?.write(text) !== false) return
    this.#blockedAtMs = this.#wroteAtMs
    this.#sink.once('drain', () => {
      this.#blockedAtMs = null
      this.flush()
    })
  }
}

function frame(events: string[]): string {
  return `data: [${events.join(',')}]\n\n`
}
