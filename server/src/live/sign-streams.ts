import { CONFIRMED_EVERY_SECONDS } from '@deeb/core/signs/display'
import type { Db } from '../db/db.ts'
import { Refusal } from '../lib/refusal.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { noteSeen, type ReadSign, readSignStates } from '../presence/read-sign-states.ts'
import { circlesAt } from '../presence/who-sees.ts'
import { createOpenStreams } from './open-streams.ts'
import { type Clock, LiveStream, type Sink } from './stream.ts'

const MAX_SIGNS_PER_READ = 500

interface SignStreamsDeps {
  db: Db
  now(): Date
  /** The setting CIRCLE_SIZE. */
  circleSize: number
  logError(error: unknown, what: string): void
  clock: Clock
}

/** The open streams of door signs. They have limits of their own, so that no number of displays costs a person a stream. */
export interface SignStreams {
  /**
   * Opens a stream of a sign. If this process has too many, one of the person whose signs have most ends with `too-many`. The caller
   * must close it with `remove`. Throws while the server stops.
   */
  open(sign: Pick<ReadSign, 'id' | 'userIds'>, endsAtMs: number): LiveStream
  /** Starts to write to the client. The first event is the state. */
  greet(stream: LiveStream, sink: Sink): void
  remove(stream: LiveStream): void
  /** Reads these signs again and delivers their state. The streams of a revoked sign end. */
  signsChanged(signIds: string[]): void
  /** The same for every sign that shows the presence of this user. */
  userChanged(userId: string): void
  heartbeat(nowMs: number): void
  close(): void
  /** The number of open streams, and of their signs. */
  size(): { streams: number; signs: number }
}

/**
 * Each sign is read together with all that it may show, in one statement. Every 15 seconds all open signs are read and delivered again:
 * that confirms their state to displays, and finds changes whose event was lost. Nothing is sent while the database does not answer.
 */
export function createSignStreams({ db, now, circleSize, logError, clock }: SignStreamsDeps): SignStreams {
  /** The streams by the id of their sign. */
  const streams = createOpenStreams(LIMITS.openSignStreams.max)
  /** The users whose presence each open sign shows, its maker first. */
  const shown = new Map<string, string[]>()
  const changed = new Set<string>()
  let isReading = false
  let isClosed = false

  function signsChanged(signIds: string[]): void {
    for (const id of signIds) if (streams.ofOwner(id).length > 0) changed.add(id)
    if (!isReading) void readAndDeliver()
  }

  /** Runs one read after the other. Each takes what changed during the one before. */
  async function readAndDeliver(): Promise<void> {
    isReading = true
    while (changed.size > 0) {
      const ids = [...changed].slice(0, MAX_SIGNS_PER_READ)
      for (const id of ids) changed.delete(id)
      try {
        const at = now()
        const signs = await readSignStates(db, ids, circlesAt(circleSize, at), at)
        for (const id of ids) deliver(id, signs.get(id))
        await noteSeen(db, signs.values(), at)
      } catch (error) {
        // Nothing is lost: all are read again within 15 seconds.
        logError(error, 'reading door signs')
      }
    }
    isReading = false
  }

  function deliver(id: string, sign: ReadSign | undefined): void {
    // It has changed during the read, and is read again: a member may have withdrawn.
    if (changed.has(id)) return
    if (!sign) {
      end(id)
      return
    }
    const json = JSON.stringify({ type: 'state', ...sign.state })
    const open = streams.ofOwner(id)
    if (open.length > 0) shown.set(id, sign.userIds)
    for (const stream of open) {
      stream.queueSign(json)
      stream.flush()
    }
  }

  /** With `renew` the display connects again, and is refused. */
  function end(id: string): void {
    for (const stream of streams.ofOwner(id)) streams.end(stream, 'renew')
    shown.delete(id)
  }

  /** Ends a stream of the person whose signs have most, so that nobody's displays cost another person theirs. */
  function endOneOfMost(): void {
    const makerOf = ({ ownerId: signId }: LiveStream) => shown.get(signId)?.[0] ?? ''
    const counts = new Map<string, number>()
    for (const stream of streams.all()) counts.set(makerOf(stream), (counts.get(makerOf(stream)) ?? 0) + 1)
    const max = Math.max(...counts.values())
    const one = streams.all().find((stream) => counts.get(makerOf(stream)) === max)
    if (one) streams.end(one, 'too-many')
  }

  const confirming = setInterval(() => signsChanged(streams.ownerIds()), CONFIRMED_EVERY_SECONDS * 1000)

  return {
    open({ id, userIds }, endsAtMs) {
      if (isClosed) throw new Refusal('unavailable')
      if (streams.all().length >= LIMITS.signStreams.max) endOneOfMost()
      shown.set(id, userIds)
      const stream = new LiveStream({ ownerId: id, sessionId: id, endsAtMs }, now, clock)
      streams.add(stream)
      return stream
    },
    greet(stream, sink) {
      stream.greet(sink, null)
      signsChanged([stream.ownerId])
    },
    remove(stream) {
      streams.remove(stream)
      if (streams.ofOwner(stream.ownerId).length === 0) shown.delete(stream.ownerId)
    },
    signsChanged,
    userChanged(userId) {
      const ids = [...shown].filter(([, userIds]) => userIds.includes(userId)).map(([id]) => id)
      if (ids.length > 0) signsChanged(ids)
    },
    heartbeat(nowMs) {
      streams.heartbeat(nowMs)
    },
    close() {
      isClosed = true
      clearInterval(confirming)
      streams.endAll('restart')
      shown.clear()
    },
    size: () => ({ streams: streams.all().length, signs: streams.ownerCount() }),
  }
}
