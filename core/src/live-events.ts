import * as z from 'zod/mini'
import { FocusSession, Instant } from './focus/api.ts'
import { Presence } from './presence/presence.ts'

/** `GET` with the bearer token; answers with server-sent events until one side leaves. */
export const LIVE_PATH = '/api/live'

/** A quiet stream says that it is there this often. Silence of twice as long means that it is not. */
export const HEARTBEAT_SECONDS = 20

/** In any second, to one client. What changes faster than that is told once, as it is then. */
export const MAX_DELIVERIES_PER_SECOND = 10

/** The own state of the switch, on whichever device it was changed. */
const OwnState = { openSession: z.nullable(FocusSession), version: z.int(), serverTime: Instant }

/** Everything the live stream may say. */
export const LiveEvent = z.discriminatedUnion('type', [
  /** First on every stream. Whatever else is on the screen may have changed unheard: read it again. */
  z.object({ type: z.literal('hello'), ...OwnState }),
  /** The person themselves switched, here or on another device. */
  z.object({ type: z.literal('me-changed'), ...OwnState }),
  /** A connection switched. */
  z.object({ type: z.literal('presence'), userId: z.uuid(), presence: Presence }),
  /** Connections or requests changed, or more than is worth telling one by one: read the team again. */
  z.object({ type: z.literal('team-changed') }),
  /** Last on a stream that the server ends. */
  z.object({
    type: z.literal('bye'),
    /**
     * `renew`: its time is up, or the access token's, or something about the session has changed: open another with a
     * fresh token; who is signed out is refused then. `restart`: the server stops; open another after a moment.
     * `too-many`: the person opened newer ones; open another only when somebody looks at this page again.
     */
    reason: z.enum(['renew', 'restart', 'too-many']),
  }),
])
export type LiveEvent = z.output<typeof LiveEvent>

/** The data of one server-sent event: one delivery, in the order of its events. */
export const LiveDelivery = z.array(LiveEvent)
