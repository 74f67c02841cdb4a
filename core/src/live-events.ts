import * as z from 'zod/mini'
import { FocusSession, Instant } from './focus/api.ts'
import { Presence } from './presence/presence.ts'

/** `GET` with the access token as bearer; streams server-sent events until one side disconnects. */
export const LIVE_PATH = '/api/live'

/** Interval of the heartbeat on an idle stream. A client reconnects after two intervals without data. */
export const HEARTBEAT_SECONDS = 20

/** Limit per client (throttle). Faster changes are merged into one delivery with the latest state. */
export const MAX_DELIVERIES_PER_SECOND = 10

/** The focus state of the signed-in user, on all devices. */
const OwnState = { openSession: z.nullable(FocusSession), version: z.int(), serverTime: Instant }

/** All events of the live stream. */
export const LiveEvent = z.discriminatedUnion('type', [
  /** The first event of every stream. Changes before it were missed: refetch everything else. */
  z.object({ type: z.literal('hello'), ...OwnState }),
  /** The user switched, on this or another device. */
  z.object({ type: z.literal('me-changed'), ...OwnState }),
  /** A connection, or somebody in a circle of the user, switched. Of somebody unknown: refetch the team. */
  z.object({ type: z.literal('presence'), userId: z.uuid(), presence: Presence }),
  /** Connections, requests or circles changed, or too much for single events: refetch the team. */
  z.object({ type: z.literal('team-changed') }),
  /** The user has said on one device that they are still in deeb mode: refetch `readLikelyEnd`. */
  z.object({ type: z.literal('still-on') }),
  /** Somebody for whom the user waits is free, or the user waits for somebody else: refetch `readAlerts`. */
  z.object({ type: z.literal('alerts-changed') }),
  /** The last event of a stream that the server ends. */
  z.object({
    type: z.literal('bye'),
    /**
     * `renew`: the stream or its access token has expired, or the auth session has changed. Reconnect with a new token, which
     * a signed-out user does not get.
     * `restart`: the server stops. Reconnect after a delay.
     * `too-many`: the user opened newer streams. Reconnect only when this page becomes visible again.
     */
    reason: z.enum(['renew', 'restart', 'too-many']),
  }),
])
export type LiveEvent = z.output<typeof LiveEvent>

/** The data of one server-sent event: a batch of events, in order. */
export const LiveDelivery = z.array(LiveEvent)
