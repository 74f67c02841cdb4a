/* A module of its own: the first paint needs the week, but no sessions. */
import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { Int, LocalDate } from '../formats.ts'
import { TimeZoneInput } from './api.ts'

export const readUndisturbed = endpoint({
  method: 'GET',
  path: '/api/week/undisturbed',
  scopes: ['read'],
  summary:
    'Read how many sessions of a week had no interruption, by its Monday or the current one. Sessions under a minute are left out.',
  input: v.object({ ...TimeZoneInput.entries, week: v.optional(LocalDate) }),
  output: v.object({
    /** Null for a caller who has counted no interruption in the sessions that the server still keeps. */
    undisturbed: v.nullable(
      v.object({
        /** The sessions that began in the week, and how many of them had no interruption. */
        sessions: Int,
        withoutInterruption: Int,
        /**
         * For the current week and the 11 before it, in chronological order: the minutes of each day's longest session without an
         * interruption, as a mean of the days with a session. Null for a week without a session, and before the first week with an
         * interruption.
         */
        stretchMinutes: v.array(v.nullable(Int)),
      }),
    ),
  }),
})
