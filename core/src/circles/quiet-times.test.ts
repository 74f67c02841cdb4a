import fc from 'fast-check'
import * as v from 'valibot'
import { describe, expect, it } from 'vitest'
import { localTimeOf } from '../focus/split-by-day.ts'
import { areSame, firstFault, nextOccurrence, QuietTime } from './quiet-times.ts'

const MINUTE_MS = 60_000
const DAY_MS = 24 * 60 * MINUTE_MS
const STEP_MS = 15 * MINUTE_MS

const EVERY_DAY = [0, 1, 2, 3, 4, 5, 6]
const at = (hours: number, minutes = 0) => hours * 60 + minutes

/** All occurrences between two instants, as local times. */
function occurrences(time: QuietTime, zone: string, from: string, to: string): string[] {
  const found: string[] = []
  for (let now = new Date(from); ; ) {
    const { startsAt, endsAt } = nextOccurrence(time, zone, now)
    if (startsAt >= new Date(to)) return found
    found.push(`${localTimeOf(startsAt, zone).slice(0, 16)} ${(endsAt.getTime() - startsAt.getTime()) / MINUTE_MS} min`)
    now = endsAt
  }
}

describe('a quiet time', () => {
  it('begins on its days, and is under way until it is over', () => {
    const time = { days: [2, 4], from: at(9), to: at(11) }
    const next = (now: string) => nextOccurrence(time, 'Europe/Berlin', new Date(now)).startsAt.toISOString()
    expect(next('2026-11-30T12:00:00Z')).toBe('2026-12-01T08:00:00.000Z')
    expect(next('2026-12-01T09:59:59.999Z')).toBe('2026-12-01T08:00:00.000Z')
    expect(next('2026-12-01T10:00:00Z')).toBe('2026-12-03T08:00:00.000Z')
    expect(next('2026-12-03T10:00:00Z')).toBe('2026-12-08T08:00:00.000Z')
  })

  it.each([
    // 2:00 to 3:00 does not exist.
    ['Europe/Berlin', '2026-03-29', at(2, 15), at(2, 45), []],
    ['Europe/Berlin', '2026-03-29', at(2, 30), at(3, 30), ['2026-03-29T03:00 30 min']],
    // 2:00 to 3:00 comes twice.
    ['Europe/Berlin', '2026-10-25', at(2, 15), at(2, 45), ['2026-10-25T02:15 30 min']],
    ['Europe/Berlin', '2026-10-25', at(2, 30), at(3, 30), ['2026-10-25T02:30 120 min']],
    // Half an hour, back and forward.
    ['Australia/Lord_Howe', '2026-04-05', at(1, 30), at(2, 30), ['2026-04-05T01:30 90 min']],
    ['Australia/Lord_Howe', '2026-10-04', at(2), at(3), ['2026-10-04T02:30 30 min']],
    // For Ramadan.
    ['Africa/Casablanca', '2026-02-15', at(2), at(4), ['2026-02-15T02:00 180 min']],
    ['Africa/Casablanca', '2026-03-22', at(2), at(4), ['2026-03-22T03:00 60 min']],
    // At 0:01 clocks were set back to 23:01.
    ['America/St_Johns', '2010-11-07', at(0), at(0, 15), ['2010-11-07T00:00 75 min']],
    // The 30th never came.
    ['Pacific/Apia', '2011-12-30', at(9), at(11), []],
  ])('in %s on %s from minute %i to %i: %j', (zone, date, from, to, expected) => {
    const day = new Date(date).getTime()
    const [before, after] = [day - 2 * DAY_MS, day + 2 * DAY_MS].map((ms) => new Date(ms).toISOString())
    const all = occurrences({ days: EVERY_DAY, from, to }, zone, `${before}`, `${after}`)
    expect(all.filter((text) => text.startsWith(date))).toEqual(expected)
  })

  it('is as somebody says who looks at a clock every quarter of an hour', () => {
    const clocks = [
      watchClock('Australia/Lord_Howe', '2026-04-05'),
      watchClock('Australia/Lord_Howe', '2026-10-04'),
      watchClock('Africa/Casablanca', '2026-02-15'),
      watchClock('Africa/Casablanca', '2026-03-22'),
      watchClock('Pacific/Apia', '2011-12-30'),
      watchClock('Europe/Berlin', '2026-03-29'),
      watchClock('Europe/Berlin', '2026-10-25'),
    ]
    const weekly = fc.record({
      clock: fc.constantFrom(...clocks),
      from: fc.integer({ min: 0, max: 95 }).map((quarter) => quarter * 15),
      quarters: fc.integer({ min: 1, max: 32 }),
    })
    fc.assert(
      fc.property(weekly, ({ clock: { zone, date, shown }, from, quarters }) => {
        const to = Math.min(from + quarters * 15, at(24))
        const first = (date: string, minutes: number) =>
          shown.find(([wall]) => wall >= wallClock(date, minutes))?.[1] ?? 0
        const expected = [-1, 0, 1]
          .map((days) => new Date(Date.parse(date) + days * DAY_MS).toISOString().slice(0, 10))
          .map((date) => [first(date, from), first(date, to)] as const)
          .filter(([startsAt, endsAt]) => startsAt < endsAt)
        let now = (expected[0]?.[0] ?? 0) - MINUTE_MS
        for (const [startsAt, endsAt] of expected) {
          const next = nextOccurrence({ days: EVERY_DAY, from, to }, zone, new Date(now))
          expect([next.startsAt.getTime(), next.endsAt.getTime()]).toEqual([startsAt, endsAt])
          now = endsAt
        }
      }),
      { numRuns: 300 },
    )
  })

  it.each([
    ['no day', { days: [], from: 0, to: 60 }],
    ['a day twice', { days: [1, 1], from: 0, to: 60 }],
    ['an eighth day', { days: [7], from: 0, to: 60 }],
    ['an end before its start', { days: [1], from: 600, to: 540 }],
    ['14 minutes', { days: [1], from: 0, to: 14 }],
    ['more than 8 hours', { days: [1], from: 0, to: 481 }],
    ['a night', { days: [1], from: 1380, to: 1500 }],
    ['half a minute', { days: [1], from: 0.5, to: 60 }],
  ])('with %s is refused', (_, time) => {
    expect(v.is(QuietTime, time) && firstFault([time]) === -1).toBe(false)
  })
})

describe('the quiet times of a circle', () => {
  const tuesdays = { days: [2], from: at(9), to: at(11) }

  it('have no time of a day in common', () => {
    expect(firstFault([tuesdays, { ...tuesdays, from: at(11), to: at(12) }, { ...tuesdays, days: [3] }])).toBe(-1)
    expect(firstFault([tuesdays, { ...tuesdays, days: [4] }, { days: [1, 2], from: at(10, 45), to: at(12) }])).toBe(2)
    expect(firstFault([tuesdays, tuesdays])).toBe(1)
  })

  it('are the same in any order, and others in another zone', () => {
    const [one, other] = [
      { ...tuesdays, days: [2, 4] },
      { ...tuesdays, from: at(14), to: at(15) },
    ]
    const agreed = { timeZone: 'Europe/Berlin', times: [one, other] }
    expect(areSame(agreed, { ...agreed, times: [other, { ...one, days: [4, 2] }] })).toBe(true)
    expect(areSame(agreed, { ...agreed, timeZone: 'UTC' })).toBe(false)
    expect(areSame(agreed, { ...agreed, times: [one] })).toBe(false)
  })
})

/** The time on a clock each quarter of an hour of the days around a date, and when. */
function watchClock(zone: string, date: string) {
  const from = Date.parse(date) - 2 * DAY_MS
  const shown = Array.from({ length: (5 * DAY_MS) / STEP_MS }, (_, n): [wall: string, ms: number] => {
    const ms = from + n * STEP_MS
    return [localTimeOf(new Date(ms), zone).slice(0, 16), ms]
  })
  return { zone, date, shown }
}

function wallClock(date: string, minutes: number): string {
  return new Date(Date.parse(date) + minutes * MINUTE_MS).toISOString().slice(0, 16)
}
