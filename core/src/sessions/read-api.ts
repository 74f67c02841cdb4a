import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { FocusSession, FocusState } from '../focus/api.ts'
import { Int } from '../formats.ts'

/** A session that has ended, with its number of interruptions. During an upgrade, an older server does not send the number. */
export const EndedSession = v.object({ ...FocusSession.entries, interruptions: v.optional(Int) })
export type EndedSession = v.InferOutput<typeof EndedSession>

/** Apart from the other calls for sessions: Home loads it, to keep its answer in the browser. */
export const readSessions = endpoint({
  method: 'GET',
  path: '/api/sessions',
  scopes: ['read'],
  summary: 'Read the ended sessions of the last 7 days, newest first.',
  input: v.object({}),
  output: v.object({ ...FocusState.entries, sessions: v.array(EndedSession) }),
})
