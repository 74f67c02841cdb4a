import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { elapsedSeconds, formatClock, MAX_SESSION_HOURS, secondsWithin, wholeSecond } from './session.ts'
import { localDayAt, splitByDay } from './split-by-day.ts'

const at = (text: string) => new Date(text)

describe('wholeSecond', () => {
  it.each([
    ['2026-05-11T12:00:00.999Z', '2026-05-11T12:00:00.000Z'],
    ['2026-05-11T12:00:01.000Z', '2026-05-11T12:00:01.000Z'],
    // Down before 1970 too, so that no instant moves into the future.
    ['1969-12-31T23:59:59.500Z', '1969-12-31T23:59:59.000Z'],
  ])('rounds %s down to %s', (instant, second) => {
    expect(wholeSecond(at(instant))).toEqual(at(second))
  })
})

describe('elapsedSeconds', () => {
  it.each([
    ['2026-05-11T12:00:00.000Z', 0],
    ['2026-05-11T12:00:00.999Z', 0],
    ['2026-05-11T12:00:01.000Z', 1],
    // No session is longer than 16 hours: 16 * 3600 seconds.
    ['2026-05-12T04:00:00.000Z', 57_600],
    ['2026-05-12T12:00:00.000Z', 57_600],
    ['2026-05-11T11:59:00.000Z', 0],
  ])('of a start at noon is at %s: %i', (now, seconds) => {
    expect(elapsedSeconds(at('2026-05-11T12:00:00.000Z'), at(now))).toBe(seconds)
  })
})

describe('secondsWithin', () => {
  // 12 May in Berlin, from midnight to midnight.
  const day = { startsAt: at('2026-05-11T22:00:00Z'), endsAt: at('2026-05-12T22:00:00Z') }

  it('returns five minutes at 00:05 for a start at 23:50', () => {
    expect(secondsWithin(at('2026-05-11T21:50:00Z'), at('2026-05-11T22:05:00Z'), day)).toBe(300)
  })

  it('returns the whole length of a session inside the day', () => {
    expect(secondsWithin(at('2026-05-12T08:00:00Z'), at('2026-05-12T08:00:42.900Z'), day)).toBe(42)
  })

  it('stops growing at the end of the day', () => {
    expect(secondsWithin(at('2026-05-12T21:59:00Z'), at('2026-05-13T06:00:00Z'), day)).toBe(60)
  })

  it('returns 0 for a session that is before or after the day', () => {
    expect(secondsWithin(at('2026-05-11T20:00:00Z'), at('2026-05-11T21:00:00Z'), day)).toBe(0)
    expect(secondsWithin(at('2026-05-12T22:00:00Z'), at('2026-05-12T23:00:00Z'), day)).toBe(0)
  })

  it('equals the part of the day when the session stops now', () => {
    const timeZone = 'America/Havana'
    fc.assert(
      fc.property(
        // Around the night in which Havana repeats an hour.
        fc.integer({ min: Date.parse('2026-10-30T00:00:00Z') / 1000, max: Date.parse('2026-11-03T00:00:00Z') / 1000 }),
        fc.integer({ min: 1, max: MAX_SESSION_HOURS * 3600 }),
        (startSecond, length) => {
          const startedAt = new Date(startSecond * 1000)
          const now = new Date((startSecond + length) * 1000)
          const parts = splitByDay({ startedAt, endedAt: now, timeZone })
          expect(parts.map(({ seconds }) => seconds)).toEqual(
            parts.map(({ date }) => secondsWithin(startedAt, now, localDayAt(at(`${date}T17:00:00Z`), timeZone))),
          )
        },
      ),
    )
  })
})

describe('formatClock', () => {
  it.each([
    [0, '0:00:00'],
    [9, '0:00:09'],
    [59, '0:00:59'],
    [60, '0:01:00'],
    [3599, '0:59:59'],
    [3600, '1:00:00'],
    // 12 h + 3 min + 9 s = 43,200 + 180 + 9
    [43_389, '12:03:09'],
    [MAX_SESSION_HOURS * 3600, '16:00:00'],
    [100 * 3600 + 1, '100:00:01'],
  ])('formats %i seconds as %s', (seconds, text) => {
    expect(formatClock(seconds)).toBe(text)
  })
})
