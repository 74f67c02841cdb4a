import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { localWeekAt } from '../focus/split-by-day.ts'
import { trackedSeconds, wholeMinutes } from './week.ts'

const at = (text: string) => new Date(text)

/** Tuesday, 12 May 2026 in Berlin, UTC+2, with ten saved minutes. */
const tuesday = {
  date: '2026-05-12',
  dayOfWeek: 2,
  startsAt: '2026-05-11T22:00:00.000Z',
  endsAt: '2026-05-12T22:00:00.000Z',
  savedSeconds: 600,
}
const openSince = (startedAt: string) => ({ id: '01970000-0000-7000-8000-000000000000', startedAt, endedAt: null })

describe('trackedSeconds', () => {
  it('returns the saved time when no session is open', () => {
    expect(trackedSeconds(tuesday, null, at('2026-05-12T12:00:00Z'))).toBe(600)
  })

  it.each([
    ['that started on the day', '2026-05-12T08:00:00.000Z', '2026-05-12T08:01:40.900Z', 700],
    // 23:50 to 00:05 adds five minutes to Tuesday.
    ['that started the evening before', '2026-05-11T21:50:00.000Z', '2026-05-11T22:05:00.000Z', 900],
    // 23:59 to 08:00 on Wednesday adds one minute to Tuesday.
    ['that continues into the next day', '2026-05-12T21:59:00.000Z', '2026-05-13T06:00:00.000Z', 660],
    ['that started after the day', '2026-05-12T22:00:00.000Z', '2026-05-13T06:00:00.000Z', 600],
    ['that starts in the future by a slow clock', '2026-05-12T08:00:00.000Z', '2026-05-12T07:59:00.000Z', 600],
  ])('adds the part of a session %s', (_, startedAt, now, seconds) => {
    expect(trackedSeconds(tuesday, openSince(startedAt), at(now))).toBe(seconds)
  })

  it('adds up over a week with a clock change to the part of the session in that week', () => {
    const second = (from: string, to: string) =>
      fc.integer({ min: Date.parse(from) / 1000, max: Date.parse(to) / 1000 })
    fc.assert(
      fc.property(
        // From before to after the week in which Berlin sets clocks back.
        second('2026-10-18T00:00:00Z', '2026-10-27T00:00:00Z'),
        fc.integer({ min: 0, max: 16 * 3600 }),
        (start, length) => {
          const week = localWeekAt(at('2026-10-20T12:00:00Z'), 'Europe/Berlin').map((day) => ({
            ...day,
            startsAt: day.startsAt.toISOString(),
            endsAt: day.endsAt.toISOString(),
            savedSeconds: 0,
          }))
          const session = openSince(new Date(start * 1000).toISOString())
          const sum = week
            .map((day) => trackedSeconds(day, session, new Date((start + length) * 1000)))
            .reduce((total, seconds) => total + seconds, 0)
          // Monday 00:00 is Sunday 22:00 UTC; the Sunday of 25 hours ends at 23:00 UTC.
          const from = Math.max(start, Date.parse('2026-10-18T22:00:00Z') / 1000)
          const to = Math.min(start + length, Date.parse('2026-10-25T23:00:00Z') / 1000)
          expect(sum).toBe(Math.max(0, to - from))
        },
      ),
    )
  })
})

describe('wholeMinutes', () => {
  it.each([
    [0, 0],
    [59, 0],
    [60, 1],
    [119, 1],
    [86_400, 1440],
  ])('rounds %i seconds down to %i', (seconds, minutes) => {
    expect(wholeMinutes(seconds)).toBe(minutes)
  })
})
