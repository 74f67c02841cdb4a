import type { SessionAlive } from '../auth/auth-session/session-alive.ts'
import type { TokenAlive } from '../auth/personal-tokens/token-alive.ts'
import type { Db } from '../db/db.ts'
import type { ChangeEvent, EventBus } from '../lib/event-bus.ts'
import { Refusal } from '../lib/refusal.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { type OwnState, readPresences } from '../presence/read-presences.ts'
import { createSeenVersions } from '../presence/seen-versions.ts'
import { createFanOut } from './fan-out.ts'
import { markRequestsSeen } from './mark-requests-seen.ts'
import { createOpenStreams } from './open-streams.ts'
import { readAlive } from './read-alive.ts'
import { createSignStreams, type SignStreams } from './sign-streams.ts'
import { type Clock, LiveStream, REAL_CLOCK, type StreamOwner } from './stream.ts'
import { createWatchedPeople } from './watched-people.ts'

const HEARTBEAT_EVERY_MS = 1_000
const SWEEP_EVERY_MS = 30_000
/** After missed events every client refetches the team: spread over this time, not all in the same second. */
const SPREAD_MS = 5_000

export interface HubDeps {
  db: Db
  bus: EventBus
  sessionAlive: Pick<SessionAlive, 'evict' | 'clear'>
  tokenAlive: Pick<TokenAlive, 'evict' | 'clear'>
  now(): Date
  /** The setting CIRCLE_SIZE. */
  circleSize: number
  logError(error: unknown, what: string): void
  clock?: Clock
}

export interface Hub {
  /**
   * Opens a stream that receives all changes from now on, and the state to greet its client with. The caller must close it
   * with `remove`. Rejects if the database does not answer, while the server stops, and with `not_signed_in` if the auth session or token
   * of the stream has ended since then.
   */
  open(owner: StreamOwner): Promise<{ stream: LiveStream; me: OwnState }>
  remove(stream: LiveStream): void
  signs: Omit<SignStreams, 'heartbeat' | 'close'>
  /** Finds changes whose events were lost: changed presence and ended auth sessions. Runs by itself every 30 seconds. */
  sweep(): Promise<void>
  /** Ends every stream and rejects new ones. */
  close(): void
  /** The number of open streams, and of their users. */
  size(): { streams: number; users: number }
}

/** The live streams of this process: connects the event bus to the fan-out, and sweeps for lost events. */
export function createHub(deps: HubDeps): Hub {
  const { db, bus, sessionAlive, tokenAlive, now, circleSize, logError, clock = REAL_CLOCK } = deps
  const streams = createOpenStreams(LIMITS.openStreams.max)
  const seen = createSeenVersions(db)
  const watched = createWatchedPeople(db, streams.ownerIds)
  const fanOut = createFanOut({ db, streams, seen, now, circleSize, logError })
  const signs = createSignStreams({ db, now, circleSize, logError, clock })
  let isClosed = false

  function onEvent(event: ChangeEvent): void {
    switch (event.kind) {
      case 'presence':
        signs.userChanged(event.id)
        if (watched.has(event.id)) fanOut.presenceChanged([event.id])
        return
      case 'history':
        if (streams.ofOwner(event.id).length > 0) fanOut.historyChanged(event.id)
        return
      case 'team':
        teamChanged(event.id)
        signs.userChanged(event.id)
        return
      case 'still-on':
        fanOut.saidStillOn(event.id)
        return
      case 'alerts':
        fanOut.alertsChanged(event.id)
        return
      case 'sign':
        signs.signsChanged([event.id])
        return
      case 'session':
        sessionChanged(event.id)
        return
      case 'missed':
        recoverMissedEvents()
        return
      default:
        event satisfies never
    }
  }

  function teamChanged(userId: string): void {
    fanOut.teamChanged(userId)
    const own = streams.ofOwner(userId)
    if (own.length === 0) return
    watched.add(userId).catch((error: unknown) => logError(error, 'reading a team for live streams'))
    // A program of theirs is not the person.
    if (own.every((stream) => stream.scopes !== null)) return
    markRequestsSeen(db, userId).catch((error: unknown) => logError(error, 'marking requests as seen'))
  }

  function sessionChanged(sessionId: string): void {
    sessionAlive.evict(sessionId)
    tokenAlive.evict(sessionId)
    for (const stream of streams.all()) if (stream.sessionId === sessionId) streams.end(stream, 'renew')
  }

  function recoverMissedEvents(): void {
    sessionAlive.clear()
    tokenAlive.clear()
    for (const userId of streams.ownerIds()) {
      clock.after(Math.random() * SPREAD_MS, () => {
        teamChanged(userId)
        fanOut.alertsChanged(userId)
      })
    }
    sweep().catch((error: unknown) => logError(error, 'sweeping after missed events'))
  }

  async function sweep(): Promise<void> {
    const open = streams.all()
    if (open.length === 0) return
    await watched.renew()
    fanOut.presenceChanged((await seen.unseen()).filter(watched.has))
    const alive = await readAlive(db, [...new Set(open.map(({ sessionId }) => sessionId))], now())
    for (const stream of open) if (!alive.has(stream.sessionId)) sessionChanged(stream.sessionId)
  }

  async function sweepAndRotate(): Promise<void> {
    if (streams.ownerCount() === 0) return seen.pause()
    await sweep()
    await seen.rotate()
  }

  const unsubscribe = bus.subscribe(onEvent)
  const heartbeat = setInterval(() => {
    streams.heartbeat(now().getTime())
    signs.heartbeat(now().getTime())
  }, HEARTBEAT_EVERY_MS)
  const sweeping = setInterval(() => {
    sweepAndRotate().catch((error: unknown) => logError(error, 'sweeping for lost events'))
  }, SWEEP_EVERY_MS)

  return {
    async open(owner) {
      if (isClosed) throw new Refusal('unavailable')
      const stream = new LiveStream(owner, now, clock)
      // Before the read, so that no change between the two is missed.
      streams.add(stream)
      try {
        if (seen.isPaused()) await seen.rotate()
        // Whether it is alive is read again: an event of its end came too early for this stream.
        const [alive, [presence]] = await Promise.all([
          readAlive(db, [owner.sessionId], now()),
          readPresences(db, [owner.ownerId], null),
          owner.scopes ? null : markRequestsSeen(db, owner.ownerId),
          watched.add(owner.ownerId),
        ])
        if (!presence || !alive.has(owner.sessionId)) throw new Refusal('not_signed_in')
        return { stream, me: presence.state }
      } catch (error) {
        streams.remove(stream)
        throw error
      }
    },
    remove: streams.remove,
    signs,
    sweep,
    size: () => ({ streams: streams.all().length, users: streams.ownerCount() }),
    close() {
      isClosed = true
      unsubscribe()
      clearInterval(heartbeat)
      clearInterval(sweeping)
      streams.endAll('restart')
      signs.close()
    },
  }
}
