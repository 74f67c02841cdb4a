import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { FocusState } from '../focus/api.ts'
import { Presence } from '../presence/presence.ts'
import { Person } from './connection.ts'

/** An accepted connection, with the other person and their presence. */
export const Connection = z.object({ id: z.uuid(), person: Person, presence: Presence })
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

export const readTeam = endpoint({
  method: 'GET',
  path: '/api/team',
  summary: 'Read all that the team screen shows: connections with their presence, and requests to answer.',
  input: z.object({}),
  output: z.extend(FocusState, {
    /** Sorted by name. */
    connections: z.array(Connection),
    /** Newest first. */
    requests: z.array(ConnectionRequest),
  }),
})

export const searchColleagues = endpoint({
  method: 'GET',
  path: '/api/team/search',
  summary:
    'Search colleagues to connect with: at most 20, best match first. Every word must match a name, username or email, one or two letters at the start of a word, more letters anywhere.',
  input: z.object({ query: z.string().check(z.maxLength(200)) }),
  output: z.object({ people: z.array(Person) }),
})

export const requestConnection = endpoint({
  method: 'POST',
  path: '/api/team/requests',
  summary:
    'Request a connection with a colleague, or accept their request. `request_exists`, `connection_exists`, or `not_found` if the caller may not ask this person.',
  input: z.object({ userId: z.uuid().check(z.toLowerCase()) }),
  output: z.object({ connectionId: z.uuid(), status: z.enum(['pending', 'accepted']) }),
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
