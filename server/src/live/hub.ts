import type { LiveEvent } from '@deeb/core/live-events'
import { presenceOf } from '@deeb/core/presence/presence'
import type { SessionAlive } from '../auth/auth-session/session-alive.ts'
import type { Db } from '../db/db.ts'
import type { EventBus, News } from '../event-bus.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { type LivePresence, type OwnState, readPresences } from '../presence/read-presences.ts'
import { createSeenVersions } from '../presence/seen-versions.ts'
import { Refusal } from '../refusal.ts'
import { readAlive } from './read-alive.ts'
import { type Bye, LiveStream, type Pacemaker, REAL_PACE } from './stream.ts'

const PEOPLE_PER_READ = 500
const BEAT_EVERY_MS = 1_000
const SWEEP_EVERY_MS = 30_000
/** After a gap everybody is told to read the team again: not all in the same second. */
const SPREAD_MS = 5_000

export interface HubDeps {
  db: Db
  bus: EventBus
  sessionAlive: Pick<SessionAlive, 'evict'>
  now(): Date
  logError(error: unknown, what: string): void
  pace?: Pacemaker
}

export interface Hub {
  /**
   * A stream for this person, told of whatever changes from now on, and the state to greet it with. Must be closed with
   * `forget` by whoever opened it. Rejects if the database does not answer, or the server stops.
   */
  open(whose: { userId: string; sessionId: string; endsAtMs: number }): Promise<{ stream: LiveStream; me: OwnState }>
  forget(stream: LiveStream): void
  /** Finds what was not announced: changed presence, and sessions that ended. Runs by itself every 30 seconds. */
  sweep(): Promise<void>
  /** Ends every stream and takes no more. */
  close(): void
  /** How many streams are open, and of how many people. */
  size(): { streams: number; people: number }
}

/**
 * Who listens to whom in this process. It keeps no list of connections: each change is read together with those who may
 * know of it, in one statement, and told to the ones among them who are here. So there is nothing that could be out of
 * date when somebody quits.
 */
export function createHub({ db, bus, sessionAlive, now, logError, pace = REAL_PACE }: HubDeps): Hub {
  const streams = new Map<string, LiveStream[]>()
  const seen = createSeenVersions(db)
  /** People whose presence is to be read and told. */
  const changed = new Set<string>()
  /** Whose connections changed while presence was being read: what was read about them is not to be trusted. */
  const distrusted = new Set<string>()
  let isReading = false
  let isClosed = false

  const all = () => [...streams.values()].flat()
  const of = (userId: string) => streams.get(userId) ?? []

  function hear(news: News): void {
    if (news.kind === 'session') sessionChanged(news.sessionId)
    if (news.kind === 'team') teamChanged(news.userId)
    if (streams.size === 0) return
    if (news.kind === 'presence') noteChanged([news.userId])
    if (news.kind === 'missed') afterGap()
  }

  function noteChanged(userIds: string[]): void {
    for (const userId of userIds) changed.add(userId)
    if (!isReading) void tellChanged()
  }

  /** One read after the other, each for whoever changed during the one before: the busier, the fewer reads. */
  async function tellChanged(): Promise<void> {
    isReading = true
    while (changed.size > 0 && streams.size > 0) {
      const people = [...changed].slice(0, PEOPLE_PER_READ)
      for (const userId of people) changed.delete(userId)
      distrusted.clear()
      try {
        tell(await readPresences(db, people))
      } catch (error) {
        // Nothing is lost: the next sweep finds them.
        logError(error, 'reading presence to tell it')
      }
    }
    changed.clear()
    isReading = false
  }

  function tell(presences: LivePresence[]): void {
    const told = new Set<LiveStream>()
    for (const { userId, state, connectedWith } of presences) {
      if (!seen.isNews(userId, state.version)) continue
      for (const stream of of(userId)) {
        stream.tellMe(state)
        told.add(stream)
      }
      const listeners = connectedWith.filter((id) => !distrusted.has(id)).flatMap(of)
      if (listeners.length === 0) continue
      const event: LiveEvent = { type: 'presence', userId, presence: presenceOf(state.openSession, state.version) }
      const text = JSON.stringify(event)
      for (const stream of listeners) {
        stream.tellPresence(userId, text)
        told.add(stream)
      }
    }
    for (const stream of told) stream.flush()
  }

  function teamChanged(userId: string): void {
    if (isReading) distrusted.add(userId)
    for (const stream of of(userId)) {
      stream.tellTeam()
      stream.flush()
    }
  }

  function sessionChanged(sessionId: string): void {
    sessionAlive.evict(sessionId)
    for (const stream of all()) if (stream.sessionId === sessionId) end(stream, 'renew')
  }

  function afterGap(): void {
    for (const userId of streams.keys()) pace.after(Math.random() * SPREAD_MS, () => teamChanged(userId))
    sweep().catch((error: unknown) => logError(error, 'reading what changed during a gap'))
  }

  function end(stream: LiveStream, reason: Bye): void {
    forget(stream)
    stream.end(reason)
  }

  function forget(stream: LiveStream): void {
    const left = of(stream.userId).filter((other) => other !== stream)
    if (left.length > 0) streams.set(stream.userId, left)
    else streams.delete(stream.userId)
  }

  async function sweep(): Promise<void> {
    const open = all()
    if (open.length === 0) return
    noteChanged(await seen.unseen())
    const alive = await readAlive(db, [...new Set(open.map(({ sessionId }) => sessionId))], now())
    for (const stream of open) if (!alive.has(stream.sessionId)) sessionChanged(stream.sessionId)
  }

  async function sweepAndTurn(): Promise<void> {
    if (streams.size === 0) return seen.rest()
    await sweep()
    await seen.turn()
  }

  function beat(): void {
    const nowMs = now().getTime()
    for (const stream of all()) {
      if (stream.endsAtMs <= nowMs) end(stream, 'renew')
      else if (!stream.beat()) {
        forget(stream)
        stream.cut()
      }
    }
  }

  async function open(whose: { userId: string; sessionId: string; endsAtMs: number }) {
    if (isClosed) throw new Refusal('unavailable')
    const stream = new LiveStream(whose, now, pace)
    const others = of(whose.userId)
    const [oldest] = others
    if (oldest && others.length >= LIMITS.openStreams.rule.max) end(oldest, 'too-many')
    // Before the read, so that nothing changes between the two unheard.
    streams.set(whose.userId, [...of(whose.userId), stream])
    try {
      if (seen.isResting()) await seen.turn()
      const [presence] = await readPresences(db, [whose.userId])
      if (!presence) throw new Refusal('not_signed_in')
      return { stream, me: presence.state }
    } catch (error) {
      forget(stream)
      throw error
    }
  }

  const unsubscribe = bus.subscribe(hear)
  const beating = setInterval(beat, BEAT_EVERY_MS)
  const sweeping = setInterval(() => {
    sweepAndTurn().catch((error: unknown) => logError(error, 'sweeping for changes'))
  }, SWEEP_EVERY_MS)

  return {
    open,
    forget,
    sweep,
    size: () => ({ streams: all().length, people: streams.size }),
    close() {
      isClosed = true
      unsubscribe()
      clearInterval(beating)
      clearInterval(sweeping)
      const left = all()
      streams.clear()
      for (const stream of left) stream.end('restart')
    },
  }
}
