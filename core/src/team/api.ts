import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { FocusState, Instant } from '../focus/api.ts'
import { Presence } from '../presence/presence.ts'
import { Person } from './connection.ts'
import { TEAM_PATH } from './path.ts'

/** An accepted connection, with the other person and their presence. */
export const Connection = z.object({
  id: z.uuid(),
  person: Person,
  presence: Presence,
  /** The circles in which the two see each other too. During an upgrade, an older server does not send it. */
  circleIds: z.optional(z.array(z.uuid())),
})
export type Connection = z.output<typeof Connection>

/** A pending request that the caller can accept or decline. */
export const ConnectionRequest = z.object({
  id: z.uuid(),
  username: z.nullable(z.string()),
  firstName: z.nullable(z.string()),
  lastName: z.nullable(z.string()),
  email: z.nullable(z.string()),
})
export type ConnectionRequest = z.output<typeof ConnectionRequest>

/** A request that the caller has sent and not taken back. A declined one looks pending. */
export const SentRequest = z.object({ id: z.uuid(), person: Person })
export type SentRequest = z.output<typeof SentRequest>

/** Somebody whom the caller sees through circles only. */
export const CirclePerson = z.object({ person: Person, presence: Presence, circleIds: z.array(z.uuid()) })
export type CirclePerson = z.output<typeof CirclePerson>

/**
 * Somebody who joined a circle of the caller, before the two see each other in it. They may be connected. No event is sent at
 * `visibleFrom`: refetch the team then.
 */
export const Newcomer = z.object({ circleId: z.uuid(), person: Person, visibleFrom: Instant })
export type Newcomer = z.output<typeof Newcomer>

/** At most this many colleagues are suggested. */
export const MAX_SUGGESTED = 6
/** A company is counted up to here: one more stands for any larger number. */
export const MAX_COUNTED = 1_000

export const readTeam = endpoint({
  method: 'GET',
  path: TEAM_PATH,
  scopes: ['team'],
  summary:
    'Read the team: connections and people in the circles of the caller with their presence, requests to answer, and requests that the caller has sent.',
  input: z.object({}),
  output: z.extend(FocusState, {
    /** Sorted by name. */
    connections: z.array(Connection),
    /** Newest first. */
    requests: z.array(ConnectionRequest),
    /** Newest first. */
    sent: z.array(SentRequest),
    /** Sorted by name, without connections. During an upgrade, an older server sends none of the following. */
    throughCircles: z.optional(z.array(CirclePerson)),
    /** The circles of the caller, sorted by name. The caller sees nobody in one before its `visibleFrom`: refetch the team then. */
    circles: z.optional(z.array(z.object({ id: z.uuid(), name: z.string(), visibleFrom: Instant }))),
    /** The first to become visible first. */
    newcomers: z.optional(z.array(Newcomer)),
    /** The setting CIRCLE_SIZE. With 0 there are no circles: show no way to them. */
    circleSize: z.optional(z.int()),
  }),
})

export const readPeople = endpoint({
  method: 'GET',
  path: '/api/team/people',
  summary:
    'Read how many people of the company of the caller use deeb, and up to 6 of them to connect with. Without a company: nobody.',
  input: z.object({}),
  output: z.object({
    /** With the caller. At most 1,001, which stands for any larger number. */
    count: z.int(),
    /** Sorted by name. Nobody who is connected with the caller, was asked, has asked, or was declined. */
    people: z.array(Person),
  }),
})

export const searchColleagues = endpoint({
  method: 'GET',
  path: '/api/team/search',
  summary:
    'Search colleagues who are not connected: at most 20, best match first. Every word must match a name, username or email, one or two letters at the start of a word, more letters anywhere.',
  input: z.object({ query: z.string().check(z.maxLength(200)) }),
  output: z.object({ people: z.array(Person) }),
})

export const requestConnection = endpoint({
  method: 'POST',
  path: '/api/team/requests',
  summary:
    'Request a connection with a colleague, or accept their request. `request_exists`, `connection_exists`, `too_many_attempts` after 3 requests to this person in a day, or `not_found` if the caller may not ask them.',
  input: z.object({ userId: z.uuid().check(z.toLowerCase()) }),
  output: z.object({ connectionId: z.uuid(), status: z.enum(['pending', 'accepted']) }),
})

export const takeBackRequest = endpoint({
  method: 'POST',
  path: '/api/team/requests/take-back',
  summary:
    'Take back a request of the caller. Idempotent: an unknown request has the same answer. `connection_exists` if it was accepted.',
  input: z.object({ requestId: z.uuid() }),
  output: z.object({ takenBack: z.literal(true) }),
})

export const answerRequest = endpoint({
  method: 'POST',
  path: '/api/team/requests/answer',
  summary: 'Accept or decline a request to the caller. Idempotent. `not_found` for any other request.',
  input: z.object({ requestId: z.uuid(), answer: z.enum(['accepted', 'declined']) }),
  output: z.object({ status: z.enum(['accepted', 'declined']) }),
})

export const quitConnection = endpoint({
  method: 'POST',
  path: '/api/team/connections/quit',
  summary: 'End a connection of the caller. Idempotent: an unknown connection has the same answer.',
  input: z.object({ connectionId: z.uuid() }),
  output: z.object({ quit: z.literal(true) }),
})
