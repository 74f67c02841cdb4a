import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { firstDateOfYear, monthsFrom, secondsByHour, weeksOf } from './year.ts'

const at = (text: string) => new Date(text)

describe('firstDateOfYear', () => {
  it.each([
    ['2026-11-28', '2025-12-01'],
    ['2026-12-31', '2026-01-01'],
    ['2028-02-29', '2027-03-01'],
  ])('of %s is %s', (today, first) => {
    expect(firstDateOfYear(today)).toBe(first)
  })
})

describe('monthsFrom', () => {
  it('lists twelve months over the end of a year, with a leap day', () => {
    const months = monthsFrom('2027-03-01')
    expect(months).toHaveLength(12)
    expect(months[0]).toEqual({ firstDate: '2027-03-01', days: 31, weekday: 0 })
    expect(months[11]).toEqual({ firstDate: '2028-02-01', days: 29, weekday: 1 })
  })
})

it('weeksOf counts weeks from Monday to Sunday', () => {
  expect(weeksOf([])).toBe(0)
  expect(weeksOf(['2026-10-18', '2026-10-19', '2026-10-25', '2026-10-26'])).toBe(3)
})

describe('secondsByHour', () => {
  const HOURS = 3600
  /** The hours that are not empty. */
  const hoursOf = (startedAt: string, endedAt: string, timeZone: string) =>
    Object.fromEntries(
      Object.entries(secondsByHour([{ startedAt: at(startedAt), endedAt: at(endedAt), timeZone }])).filter(
        ([, seconds]) => seconds > 0,
      ),
    )

  it.each([
    ['within an hour', '2026-06-15T08:10:30Z', '2026-06-15T08:40:00Z', 'Europe/Berlin', { 10: 1770 }],
    ['over midnight', '2026-06-15T21:30:00Z', '2026-06-15T22:30:00Z', 'Europe/Berlin', { 23: 1800, 0: 1800 }],
    [
      'in a zone with 45 minutes',
      '2026-06-15T04:00:00Z',
      '2026-06-15T05:00:00Z',
      'Asia/Kathmandu',
      { 9: 900, 10: 2700 },
    ],
    ['at an offset', '2026-06-15T08:00:00Z', '2026-06-15T09:00:00Z', '-03:30', { 4: 1800, 5: 1800 }],
    // 01:30 to 03:30, with 02:00 to 03:00 twice: three hours.
    [
      'over the repeated hour',
      '2026-10-24T23:30:00Z',
      '2026-10-25T02:30:00Z',
      'Europe/Berlin',
      { 1: 1800, 2: 2 * HOURS, 3: 1800 },
    ],
    ['from 02:30 to 02:30', '2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z', 'Europe/Berlin', { 2: HOURS }],
    ['over the skipped hour', '2026-03-29T00:30:00Z', '2026-03-29T01:30:00Z', 'Europe/Berlin', { 1: 1800, 3: 1800 }],
    // Clocks go from 02:45 to 03:45.
    [
      'over a change at a quarter',
      '2026-09-26T13:30:00Z',
      '2026-09-26T14:30:00Z',
      'Pacific/Chatham',
      { 2: 2700 - 900, 3: 900, 4: 900 },
    ],
  ])('a session %s', (_, startedAt, endedAt, timeZone, hours) => {
    expect(hoursOf(startedAt, endedAt, timeZone)).toEqual(hours)
  })

  it('property: equals a count of single seconds, also when clocks change', () => {
    const places: [string, string][] = [
      ['Europe/Berlin', '2026-03-28T20:00:00Z'],
      ['Europe/Berlin', '2026-10-24T18:00:00Z'],
      ['Australia/Lord_Howe', '2026-10-03T09:00:00Z'],
      ['Pacific/Chatham', '2026-09-26T07:00:00Z'],
      ['America/Havana', '2026-11-01T00:00:00Z'],
    ]
    fc.assert(
      fc.property(
        fc.constantFrom(...places),
        fc.integer({ min: 0, max: 10 * HOURS }),
        fc.integer({ min: 0, max: 16 * HOURS }),
        ([timeZone, from], wait, length) => {
          const start = Date.parse(from) + wait * 1000
          const format = new Intl.DateTimeFormat('en', { hour: '2-digit', hourCycle: 'h23', timeZone })
          const counted = Array.from({ length: 24 }, () => 0)
          // All seconds of a minute have the same hour.
          for (let second = 0; second < length; ) {
            const instant = start + second * 1000
            const step = Math.min(60 - ((instant / 1000) % 60), length - second)
            const hour = Number(format.format(instant))
            counted[hour] = (counted[hour] ?? 0) + step
            second += step
          }
          const session = { startedAt: new Date(start), endedAt: new Date(start + length * 1000), timeZone }
          expect(secondsByHour([session])).toEqual(counted)
        },
      ),
      { numRuns: 40 },
    )
  })
})
