import * as z from 'zod/mini'
import { endpoint } from '../endpoint.ts'
import { FocusState } from '../focus/api.ts'
import { Presence } from '../presence/presence.ts'
import { Person } from './connection.ts'

/** An accepted connection, as one side sees the other. */
export const Connection = z.object({ id: z.uuid(), person: Person, presence: Presence })
export type Connection = z.output<typeof Connection>

/** A request that waits for the caller's answer. */
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
  summary: 'All that the team screen shows, in one read: connections with their presence, and requests to answer.',
  input: z.object({}),
  output: z.extend(FocusState, {
    /** By name. */
    connections: z.array(Connection),
    /** The newest first. */
    requests: z.array(ConnectionRequest),
  }),
})

export const searchColleagues = endpoint({
  method: 'GET',
  path: '/api/team/search',
  summary:
    'At most 20 people of the own company to connect with, best match first. Every word must match a name, username or address: one or two letters the beginning of a word, more of them anywhere.',
  input: z.object({ query: z.string().check(z.maxLength(200)) }),
  output: z.object({ people: z.array(Person) }),
})

export const requestConnection = endpoint({
  method: 'POST',
  path: '/api/team/requests',
  summary:
    'Ask a colleague for a connection; accepts theirs if they asked first. `request_exists`, `connection_exists`, or `not_found` for whoever the caller may not ask.',
  input: z.object({ userId: z.uuid().check(z.toLowerCase()) }),
  output: z.object({ connectionId: z.uuid(), status: z.enum(['pending', 'accepted']) }),
})

export const answerRequest = endpoint({
  method: 'POST',
  path: '/api/team/requests/answer',
  summary: 'Accept or decline a request to the caller; may be repeated. `not_found` for any other.',
  input: z.object({ requestId: z.uuid(), answer: z.enum(['accepted', 'declined']) }),
  output: z.object({ status: z.enum(['accepted', 'declined']) }),
})

export const quitConnection = endpoint({
  method: 'POST',
  path: '/api/team/connections/quit',
  summary: 'End a connection of the caller. May be repeated: it says the same of a connection that never was.',
  input: z.object({ connectionId: z.uuid() }),
  output: z.object({ quit: z.literal(true) }),
})
