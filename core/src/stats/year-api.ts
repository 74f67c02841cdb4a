/* A module of its own: the first paint needs the week, but no year. */
import * as v from 'valibot'
import { endpoint } from '../endpoint.ts'
import { Int, LocalDate } from '../formats.ts'
import { TimeZoneInput } from './api.ts'

export const readYear = endpoint({
  method: 'GET',
  path: '/api/year',
  scopes: ['read'],
  summary: 'Read the last twelve months of the caller: days with their goals, and the hours of the day.',
  input: TimeZoneInput,
  output: v.object({
    /** The first day of the twelve months, and today. */
    from: LocalDate,
    to: LocalDate,
    /** The saved time of the days with at least one minute, in chronological order. */
    days: v.array(v.object({ date: LocalDate, minutes: Int, goalMinutes: Int })),
    /** The seconds in each of 24 hours, by the clock where each session was: of the sessions that the server still keeps. */
    hourSeconds: v.array(Int),
    /** The date of the first of these sessions; null if there are none. */
    hoursFrom: v.nullable(LocalDate),
  }),
})
