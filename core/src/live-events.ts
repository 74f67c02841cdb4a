import * as v from 'valibot'
import { FocusSession } from './focus/api.ts'
import { Instant, Int, Uuid } from './formats.ts'
import { Presence } from './presence/presence.ts'

/** `GET` with the access token as bearer; streams server-sent events until one side disconnects. */
export const LIVE_PATH = '/api/live'

/** Interval of the heartbeat on an idle stream. A client reconnects after two intervals without data. */
export const HEARTBEAT_SECONDS = 20

/** Limit per client (throttle). Faster changes are merged into one delivery with the latest state. */
export const MAX_DELIVERIES_PER_SECOND = 10

/** The focus state of the signed-in user, on all devices. */
const OwnState = { openSession: v.nullable(FocusSession), version: Int, serverTime: Instant }

/** All events of the live stream. */
export const LiveEvent = v.variant('type', [
  /** The first event of every stream. Changes before it were missed: refetch everything else. */
  v.object({ type: v.literal('hello'), ...OwnState }),
  /** The user switched, on this or another device. */
  v.object({ type: v.literal('me-changed'), ...OwnState }),
  /** A connection, or somebody in a circle of the user, switched. Of somebody unknown: refetch the team. */
  v.object({ type: v.literal('presence'), userId: Uuid, presence: Presence }),
  /** Connections, requests or circles changed, or too much for single events: refetch the team. */
  v.object({ type: v.literal('team-changed') }),
  /** The user has said on one device that they are still in deeb mode: refetch `readLikelyEnd`. */
  v.object({ type: v.literal('still-on') }),
  /** Somebody for whom the user waits is free, or the user waits for somebody else: refetch `readAlerts`. */
  v.object({ type: v.literal('alerts-changed') }),
  /** The last event of a stream that the server ends. */
  v.object({
    type: v.literal('bye'),
    /**
     * `renew`: the stream or its access token has expired, or the auth session has changed. Reconnect with a new token, which
     * a signed-out user does not get.
     * `restart`: the server stops. Reconnect after a delay.
     * `too-many`: the user opened newer streams. Reconnect only when this page becomes visible again.
     */
    reason: v.picklist(['renew', 'restart', 'too-many']),
  }),
])
export type LiveEvent = v.InferOutput<typeof LiveEvent>

/** The data of one server-sent event: a batch of events, in order. */
export const LiveDelivery = v.array(LiveEvent)

/** Parses the events of a delivery. Leaves out unknown types, which a newer server may send. */
export function knownEvents(data: string): LiveEvent[] {
  const delivery: unknown = JSON.parse(data)
  if (!Array.isArray(delivery)) return []
  return delivery.flatMap((item) => {
    const event = v.safeParse(LiveEvent, item)
    return event.success ? [event.output] : []
  })
}
