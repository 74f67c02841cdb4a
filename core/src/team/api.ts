import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { FocusState } from '../focus/api.ts'
import { Instant, Int, maxCharacters, Uuid } from '../formats.ts'
import { Presence } from '../presence/presence.ts'
import { Person } from './connection.ts'

/** An accepted connection, with the other person and their presence. */
export const Connection = v.object({
  id: Uuid,
  person: Person,
  presence: Presence,
  /** The circles in which the two see each other too. During an upgrade, an older server does not send it. */
  circleIds: v.optional(v.array(Uuid)),
})
export type Connection = v.InferOutput<typeof Connection>

/** A pending request that the caller can accept or decline. */
export const ConnectionRequest = v.object({
  id: Uuid,
  username: v.nullable(v.string()),
  firstName: v.nullable(v.string()),
  lastName: v.nullable(v.string()),
  email: v.nullable(v.string()),
})
export type ConnectionRequest = v.InferOutput<typeof ConnectionRequest>

/** A request that the caller has sent and not taken back. A declined one looks pending. */
export const SentRequest = v.object({ id: Uuid, person: Person })
export type SentRequest = v.InferOutput<typeof SentRequest>

/** Somebody whom the caller sees through circles only. */
export const CirclePerson = v.object({ person: Person, presence: Presence, circleIds: v.array(Uuid) })
export type CirclePerson = v.InferOutput<typeof CirclePerson>

/**
 * Somebody who joined a circle of the caller, before the two see each other in it. They may be connected. No event is sent at
 * `visibleFrom`: refetch the team then.
 */
export const Newcomer = v.object({ circleId: Uuid, person: Person, visibleFrom: Instant })
export type Newcomer = v.InferOutput<typeof Newcomer>

/** A circle of the caller. */
export const TeamCircle = v.object({
  id: Uuid,
  name: v.string(),
  visibleFrom: Instant,
  /** Its quiet times that are under way or next, each once, in chronological order. Older servers send none. */
  quiet: v.optional(v.array(v.object({ startsAt: Instant, endsAt: Instant }))),
})
export type TeamCircle = v.InferOutput<typeof TeamCircle>

/** At most this many colleagues are suggested. */
export const MAX_SUGGESTED = 6
/** A company is counted up to here: one more stands for any larger number. */
export const MAX_COUNTED = 1_000

export const readTeam = endpoint({
  method: 'GET',
  path: '/api/team',
  scopes: ['team'],
  summary:
    'Read the team: connections and people in the circles of the caller with their presence, requests to answer, and requests that the caller has sent.',
  input: v.object({}),
  output: v.object({
    ...FocusState.entries,
    /** Sorted by name. */
    connections: v.array(Connection),
    /** Newest first. */
    requests: v.array(ConnectionRequest),
    /** Newest first. */
    sent: v.array(SentRequest),
    /** Sorted by name, without connections. During an upgrade, an older server sends none of the following. */
    throughCircles: v.optional(v.array(CirclePerson)),
    /** The circles of the caller, sorted by name. The caller sees nobody in one before its `visibleFrom`: refetch the team then. */
    circles: v.optional(v.array(TeamCircle)),
    /** The first to become visible first. */
    newcomers: v.optional(v.array(Newcomer)),
    /** The setting CIRCLE_SIZE. With 0 there are no circles: show no way to them. */
    circleSize: v.optional(Int),
  }),
})

export const readPeople = endpoint({
  method: 'GET',
  path: '/api/team/people',
  summary:
    'Read how many people of the company of the caller use deeb, and up to 6 of them to connect with. Without a company: nobody.',
  input: v.object({}),
  output: v.object({
    /** With the caller. At most 1,001, which stands for any larger number. */
    count: Int,
    /** Sorted by name. Nobody who is connected with the caller, was asked, has asked, or was declined. */
    people: v.array(Person),
  }),
})

export const searchColleagues = endpoint({
  method: 'GET',
  path: '/api/team/search',
  summary:
    'Search colleagues who are not connected: at most 20, best match first. Every word must match a name, username or email, one or two letters at the start of a word, more letters anywhere.',
  input: v.object({ query: v.pipe(v.string(), maxCharacters(200)) }),
  output: v.object({ people: v.array(Person) }),
})

export const requestConnection = endpoint({
  method: 'POST',
  path: '/api/team/requests',
  summary:
    'Request a connection with a colleague, or accept their request. `request_exists`, `connection_exists`, `too_many_attempts` after 3 requests to this person in a day, or `not_found` if the caller may not ask them.',
  input: v.object({ userId: v.pipe(Uuid, v.toLowerCase()) }),
  output: v.object({ connectionId: Uuid, status: v.picklist(['pending', 'accepted']) }),
})

export const takeBackRequest = endpoint({
  method: 'POST',
  path: '/api/team/requests/take-back',
  summary:
    'Take back a request of the caller. Idempotent: an unknown request has the same answer. `connection_exists` if it was accepted.',
  input: v.object({ requestId: Uuid }),
  output: v.object({ takenBack: v.literal(true) }),
})

export const answerRequest = endpoint({
  method: 'POST',
  path: '/api/team/requests/answer',
  summary: 'Accept or decline a request to the caller. Idempotent. `not_found` for any other request.',
  input: v.object({ requestId: Uuid, answer: v.picklist(['accepted', 'declined']) }),
  output: v.object({ status: v.picklist(['accepted', 'declined']) }),
})

export const quitConnection = endpoint({
  method: 'POST',
  path: '/api/team/connections/quit',
  summary: 'End a connection of the caller. Idempotent: an unknown connection has the same answer.',
  input: v.object({ connectionId: Uuid }),
  output: v.object({ quit: v.literal(true) }),
})
