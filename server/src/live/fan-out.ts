import type { LiveEvent } from '@deeb/core/live-events'
import { presenceOf } from '@deeb/core/presence/presence'
import type { Db } from '../db/db.ts'
import { type LivePresence, readPresences } from '../presence/read-presences.ts'
import type { SeenVersions } from '../presence/seen-versions.ts'
import { circlesAt } from '../presence/who-sees.ts'
import type { OpenStreams } from './open-streams.ts'
import type { LiveStream } from './stream.ts'

const MAX_USERS_PER_READ = 500

interface FanOutDeps {
  db: Db
  streams: OpenStreams
  seen: SeenVersions
  now(): Date
  /** The setting CIRCLE_SIZE. */
  circleSize: number
  logError(error: unknown, what: string): void
}

/** Delivers changes to the open streams of those who may know of them. */
export interface FanOut {
  /** Reads the presence of these users and delivers it. Concurrent changes are batched into one read. */
  presenceChanged(userIds: string[]): void
  /** The same for the user's own streams only. */
  historyChanged(userId: string): void
  /** Sends `team-changed` to the user's streams, so that their clients refetch the team. */
  teamChanged(userId: string): void
  /** Sends `still-on` to the user's streams, and to nobody else. */
  saidStillOn(userId: string): void
  /** Sends `alerts-changed` to the user's streams, and to nobody else. */
  alertsChanged(userId: string): void
}

/**
 * Stores nobody's audience: each presence is read together with those who may know of it, in one statement. So nothing
 * can be stale when somebody quits a connection or leaves a circle.
 */
export function createFanOut({ db, streams, seen, now, circleSize, logError }: FanOutDeps): FanOut {
  /** Users whose presence must be read, and for whom. */
  const changed = new Map<string, 'everybody' | 'themselves'>()
  /** Users whose connections or circles changed during a read: its result must not reach them. */
  const changedDuringRead = new Set<string>()
  let isReading = false

  /** Runs one read after the other. Each takes what changed during the one before, so a busy server reads less often. */
  async function readAndDeliver(): Promise<void> {
    isReading = true
    while (changed.size > 0 && streams.ownerCount() > 0) {
      const batch = new Map([...changed].slice(0, MAX_USERS_PER_READ))
      for (const userId of batch.keys()) changed.delete(userId)
      changedDuringRead.clear()
      try {
        const presences = await readPresences(db, [...batch.keys()], circlesAt(circleSize, now()))
        deliver(presences, (userId) => batch.get(userId) === 'everybody')
      } catch (error) {
        // Nothing is lost: the next sweep finds these changes.
        logError(error, 'reading presence for live streams')
      }
    }
    changed.clear()
    isReading = false
  }

  function deliver(presences: LivePresence[], isForOthers: (userId: string) => boolean): void {
    const touched = new Set<LiveStream>()
    for (const { userId, version, state, seenBy } of presences) {
      for (const stream of streams.ofOwner(userId)) {
        stream.queueOwnState(state)
        touched.add(stream)
      }
      if (!isForOthers(userId) || !seen.markNewer(userId, version)) continue
      const audience = seenBy.filter((id) => !changedDuringRead.has(id)).flatMap(streams.ofOwner)
      if (audience.length === 0) continue
      const event: LiveEvent = {
        type: 'presence',
        userId,
        presence: presenceOf(state.openSession, now()),
      }
      const json = JSON.stringify(event)
      for (const stream of audience) {
        stream.queuePresence(userId, json)
        touched.add(stream)
      }
    }
    for (const stream of touched) stream.flush()
  }

  function toOwn(userId: string, queue: (stream: LiveStream) => void): void {
    for (const stream of streams.ofOwner(userId)) {
      queue(stream)
      stream.flush()
    }
  }

  return {
    presenceChanged(userIds) {
      for (const userId of userIds) changed.set(userId, 'everybody')
      if (!isReading) void readAndDeliver()
    },
    historyChanged(userId) {
      if (!changed.has(userId)) changed.set(userId, 'themselves')
      if (!isReading) void readAndDeliver()
    },
    teamChanged(userId) {
      if (isReading) changedDuringRead.add(userId)
      toOwn(userId, (stream) => stream.queueTeamChange())
    },
    alertsChanged: (userId) => toOwn(userId, (stream) => stream.queueAlertsChange()),
    saidStillOn: (userId) => toOwn(userId, (stream) => stream.queueStillOn()),
  }
}
