import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { dateAt, ZONES } from '../testing/local-dates.ts'
import {
  isTimeZone,
  localDateOf,
  localDayAt,
  localTimeOf,
  localWeekAt,
  splitByDay,
  startOfLocalDay,
} from './split-by-day.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

describe('isTimeZone', () => {
  it.each([...ZONES, 'UTC', 'Etc/GMT+5', 'europe/berlin', '+02:00', '-03:30', '+14:00'])('accepts %s', (text) => {
    expect(isTimeZone(text)).toBe(true)
  })

  it.each([
    '',
    ' ',
    '+14:30',
    '+24:00',
    '+02:60',
    '+02',
    '-0530',
    '02:00',
    'GMT+2',
    'Europe/Atlantis',
    ' Europe/Berlin',
    'Europe/Berlin\n',
    'null',
    '\0',
  ])('refuses %j', (text) => {
    expect(isTimeZone(text)).toBe(false)
  })

  it('accepts a zone after the cache has evicted it', () => {
    const all = Intl.supportedValuesOf('timeZone')
    expect(all.length).toBeGreaterThan(200)
    expect(all.filter((zone) => !isTimeZone(zone))).toEqual([])
    expect(localDateOf(new Date('2026-01-01T00:00:00Z'), 'Africa/Abidjan')).toBe('2026-01-01')
  })
})

describe('localTimeOf', () => {
  it('writes the wall clock and its UTC offset', () => {
    expect(localTimeOf(new Date('2026-10-25T00:30:00Z'), 'Europe/Berlin')).toBe('2026-10-25T02:30:00+02:00')
    expect(localTimeOf(new Date('2026-10-25T01:30:00Z'), 'Europe/Berlin')).toBe('2026-10-25T02:30:00+01:00')
    for (const zone of ['America/St_Johns', '-03:30']) {
      expect(localTimeOf(new Date('2026-01-01T00:00:00Z'), zone)).toBe('2025-12-31T20:30:00-03:30')
    }
  })

  it('names the same instant on the same local date, in every zone', () => {
    const instants = fc.date({ min: new Date('2000-01-01'), max: new Date('2040-01-01'), noInvalidDate: true })
    fc.assert(
      fc.property(fc.constantFrom(...ZONES), instants, (zone, date) => {
        const instant = new Date(Math.floor(date.getTime() / 1000) * 1000)
        const local = localTimeOf(instant, zone)
        expect(Date.parse(local)).toBe(instant.getTime())
        expect(local.slice(0, 10)).toBe(localDateOf(instant, zone))
      }),
    )
  })
})

describe('localDateOf', () => {
  it.each([
    // Eucla is 8:45 ahead: midnight is 15:15 UTC.
    ['2026-05-10T15:14:59Z', 'Australia/Eucla', '2026-05-10', '2026-05-10T15:15:00Z', '2026-05-11'],
    // Kathmandu is 5:45 ahead: midnight is 18:15 UTC.
    ['2026-05-10T18:14:59Z', 'Asia/Kathmandu', '2026-05-10', '2026-05-10T18:15:00Z', '2026-05-11'],
    // Monrovia was 0:44:30 behind until 1972: midnight was 00:44:30 UTC.
    ['1971-05-10T00:44:29Z', 'Africa/Monrovia', '1971-05-09', '1971-05-10T00:44:30Z', '1971-05-10'],
    ['2025-12-31T23:59:59Z', 'UTC', '2025-12-31', '2026-01-01T00:00:00Z', '2026-01-01'],
  ])('%s in %s is still %s, and %s is %s', (last, zone, date, first, next) => {
    expect(localDateOf(new Date(last), zone)).toBe(date)
    expect(localDateOf(new Date(first), zone)).toBe(next)
  })

  it('throws for a time zone that does not exist', () => {
    expect(() => localDateOf(new Date(0), 'Europe/Atlantis')).toThrow(RangeError)
  })
})

describe('startOfLocalDay', () => {
  it.each([
    // Winter in Berlin is UTC+1, summer UTC+2.
    ['Europe/Berlin', '2026-01-15', '2026-01-14T23:00:00Z'],
    ['Europe/Berlin', '2026-07-15', '2026-07-14T22:00:00Z'],
    // Havana went back from 01:00 (UTC-4) to 00:00 (UTC-5) on 1 November: the first midnight is 04:00 UTC, the second 05:00.
    ['America/Havana', '2026-11-01', '2026-11-01T04:00:00Z'],
    // Havana went forward from 00:00 (UTC-5) to 01:00 on 8 March: the change, 05:00 UTC.
    ['America/Havana', '2026-03-08', '2026-03-08T05:00:00Z'],
    // Santiago goes forward from 24:00 (UTC-4) to 01:00 on 6 September: the change, 04:00 UTC.
    ['America/Santiago', '2026-09-06', '2026-09-06T04:00:00Z'],
    // Santiago goes back from 24:00 (UTC-3) to 23:00 (UTC-4) on 4 April: midnight is only reached at 04:00 UTC.
    ['America/Santiago', '2026-04-05', '2026-04-05T04:00:00Z'],
    // Cairo goes forward from 00:00 (UTC+2) to 01:00 on 24 April: the change, 22:00 UTC.
    ['Africa/Cairo', '2026-04-24', '2026-04-23T22:00:00Z'],
    // Beirut goes forward from 00:00 (UTC+2) to 01:00 on 29 March: the change, 22:00 UTC.
    ['Asia/Beirut', '2026-03-29', '2026-03-28T22:00:00Z'],
    // Apia went from UTC-10 to UTC+14 at the end of the 29th, 10:00 UTC: the 30th never came.
    ['Pacific/Apia', '2011-12-29', '2011-12-29T10:00:00Z'],
    ['Pacific/Apia', '2011-12-30', '2011-12-30T10:00:00Z'],
    ['Pacific/Apia', '2011-12-31', '2011-12-30T10:00:00Z'],
    ['Pacific/Apia', '2012-01-01', '2011-12-31T10:00:00Z'],
    // St John's went back from 00:01 (UTC-2:30) to 23:01 (UTC-3:30): Sunday is first shown at 02:30 UTC.
    ['America/St_Johns', '2010-11-07', '2010-11-07T02:30:00Z'],
    // Monrovia went forward from 00:00:00 (UTC-0:44:30) to 00:44:30, the time of UTC: the change, to the second.
    ['Africa/Monrovia', '1972-01-07', '1972-01-07T00:44:30Z'],
  ])('%s %s starts at %s', (zone, date, startsAt) => {
    expect(startOfLocalDay(date, zone)).toEqual(new Date(startsAt))
  })
})

/** `localDayAt` without its cached day. */
function uncachedDayAt(instant: Date, timeZone: string) {
  localDayAt(new Date(instant.getTime() - 400 * DAY_MS), timeZone)
  return localDayAt(instant, timeZone)
}

describe('localDayAt', () => {
  it.each([
    ['the night clocks go forward', '2026-03-29T12:00:00Z', '2026-03-28T23:00:00Z', '2026-03-29T22:00:00Z', 23],
    ['the night clocks go back', '2026-10-25T12:00:00Z', '2026-10-24T22:00:00Z', '2026-10-25T23:00:00Z', 25],
    ['any other day', '2026-05-10T12:00:00Z', '2026-05-09T22:00:00Z', '2026-05-10T22:00:00Z', 24],
  ])('in Berlin, %s: %s is in the day from %s to %s', (_, instant, startsAt, endsAt, hours) => {
    const day = localDayAt(new Date(instant), 'Europe/Berlin')
    expect(day).toEqual({
      date: instant.slice(0, 10),
      dayOfWeek: 0,
      startsAt: new Date(startsAt),
      endsAt: new Date(endsAt),
    })
    expect((day.endsAt.getTime() - day.startsAt.getTime()) / HOUR_MS).toBe(hours)
  })

  it('handles the half-hour clock change of Lord Howe', () => {
    // +11 in summer, +10:30 in winter: back on 5 April, forward on 4 October.
    const hours = (date: string) => {
      const day = localDayAt(new Date(`${date}T02:00:00Z`), 'Australia/Lord_Howe')
      expect(day.date).toBe(date)
      return (day.endsAt.getTime() - day.startsAt.getTime()) / HOUR_MS
    }
    expect(['2026-04-04', '2026-04-05', '2026-10-04', '2026-10-05'].map(hours)).toEqual([24, 24.5, 23.5, 24])
  })

  it('skips a date that the zone skipped', () => {
    const thursday = localDayAt(new Date('2011-12-30T09:59:59Z'), 'Pacific/Apia')
    expect(thursday).toMatchObject({ date: '2011-12-29', dayOfWeek: 4 })
    const saturday = localDayAt(thursday.endsAt, 'Pacific/Apia')
    expect(saturday).toMatchObject({ date: '2011-12-31', dayOfWeek: 6, startsAt: thursday.endsAt })
    expect(saturday.endsAt.getTime() - saturday.startsAt.getTime()).toBe(DAY_MS)
  })

  it('does not end a day when clocks are set back across its midnight', () => {
    // 02:30 UTC is Sunday 00:00, 02:31 UTC was Saturday 23:01 again, 03:30 UTC Sunday 00:00 again.
    for (const instant of ['2010-11-07T02:30:00Z', '2010-11-07T02:45:00Z', '2010-11-07T03:30:00Z']) {
      expect(localDayAt(new Date(instant), 'America/St_Johns')).toEqual({
        date: '2010-11-07',
        dayOfWeek: 0,
        startsAt: new Date('2010-11-07T02:30:00Z'),
        endsAt: new Date('2010-11-08T03:30:00Z'),
      })
    }
    expect(localDayAt(new Date('2010-11-07T02:29:59Z'), 'America/St_Johns').date).toBe('2010-11-06')
  })

  it('numbers the days of the week from Sunday, 0', () => {
    const days = Array.from(
      { length: 8 },
      (_, n) => localDayAt(new Date(Date.UTC(2026, 0, 4 + n, 12)), 'UTC').dayOfWeek,
    )
    expect(days).toEqual([0, 1, 2, 3, 4, 5, 6, 0])
  })

  it('covers every instant with exactly one day', () => {
    fc.assert(
      fc.property(zoneAndInstant, ({ timeZone, instant }) => {
        const day = uncachedDayAt(instant, timeZone)
        const last = new Date(day.endsAt.getTime() - 1)
        expect(day.startsAt <= instant && instant < day.endsAt).toBe(true)
        for (const within of [day.startsAt, instant, last]) {
          expect(uncachedDayAt(within, timeZone)).toEqual(day)
          expect(localDayAt(last, timeZone)).toEqual(day)
        }
        const next = localDayAt(day.endsAt, timeZone)
        expect(next.startsAt).toEqual(day.endsAt)
        expect(next.date > day.date).toBe(true)
      }),
      { numRuns: 500 },
    )
  })
})

describe('localWeekAt', () => {
  const hoursOf = (week: { startsAt: Date; endsAt: Date }[]) =>
    week.map((day) => (day.endsAt.getTime() - day.startsAt.getTime()) / HOUR_MS)

  it.each([
    // Sunday, 29 March has 23 hours, Sunday, 25 October has 25.
    ['2026-03-25T12:00:00Z', '2026-03-22T23:00:00Z', '2026-03-29T22:00:00Z', 23],
    ['2026-10-21T12:00:00Z', '2026-10-18T22:00:00Z', '2026-10-25T23:00:00Z', 25],
    ['2026-05-13T12:00:00Z', '2026-05-10T22:00:00Z', '2026-05-17T22:00:00Z', 24],
  ])('in Berlin at %s runs from %s to %s, with a Sunday of %i hours', (instant, startsAt, endsAt, sunday) => {
    const week = localWeekAt(new Date(instant), 'Europe/Berlin')
    expect([week[0]?.startsAt, week[6]?.endsAt]).toEqual([new Date(startsAt), new Date(endsAt)])
    expect(hoursOf(week)).toEqual([24, 24, 24, 24, 24, 24, sunday])
  })

  it('changes at midnight from Sunday to Monday', () => {
    // Midnight in Berlin is 22:00 UTC in May.
    const weekOf = (instant: string) => localWeekAt(new Date(instant), 'Europe/Berlin').map(({ date }) => date)
    const [before, after] = [weekOf('2026-05-17T21:59:59.999Z'), weekOf('2026-05-17T22:00:00.000Z')]
    expect([before[0], before[6]]).toEqual(['2026-05-11', '2026-05-17'])
    expect([after[0], after[6]]).toEqual(['2026-05-18', '2026-05-24'])
    // The same instant is Sunday in one place and Monday in another.
    expect(localWeekAt(new Date('2026-05-17T22:00:00Z'), 'America/Havana')[6]?.date).toBe('2026-05-17')
  })

  it('numbers its days from Monday, 1, to Sunday, 0', () => {
    const week = localWeekAt(new Date('2026-05-13T12:00:00Z'), 'UTC')
    expect(week.map(({ dayOfWeek }) => dayOfWeek)).toEqual([1, 2, 3, 4, 5, 6, 0])
  })

  it('contains the date that Apia skipped as an empty day', () => {
    // From either side: Thursday, 29 and Saturday, 31 December.
    for (const instant of ['2011-12-30T09:59:59Z', '2011-12-30T10:00:00Z']) {
      const week = localWeekAt(new Date(instant), 'Pacific/Apia')
      expect(week.map(({ date }) => date.slice(5)).join(' ')).toBe('12-26 12-27 12-28 12-29 12-30 12-31 01-01')
      expect(hoursOf(week)).toEqual([24, 24, 24, 24, 0, 24, 24])
    }
  })

  it('has seven consecutive days from Monday and contains the day of the instant', () => {
    fc.assert(
      fc.property(zoneAndInstant, ({ timeZone, instant }) => {
        const week = localWeekAt(instant, timeZone)
        expect(week).toHaveLength(7)
        const monday = Date.parse(week[0]?.date ?? '')
        expect(new Date(monday).getUTCDay()).toBe(1)
        for (const [n, day] of week.entries()) {
          expect(Date.parse(day.date)).toBe(monday + n * DAY_MS)
          expect(day.dayOfWeek).toBe((n + 1) % 7)
          if (n > 0) expect(day.startsAt).toEqual(week[n - 1]?.endsAt)
          // A skipped date contains no instant.
          if (day.startsAt < day.endsAt) expect(localDayAt(day.startsAt, timeZone)).toEqual(day)
          else expect(`${timeZone} ${day.date}`).toBe('Pacific/Apia 2011-12-30')
        }
        expect(week.filter((day) => day.startsAt <= instant && instant < day.endsAt)).toEqual([
          localDayAt(instant, timeZone),
        ])
      }),
      { numRuns: 500 },
    )
  })
})

describe('splitByDay', () => {
  it('splits a session from 23:50 to 00:10 into ten minutes per day', () => {
    // Berlin in May is UTC+2: 21:50 UTC is 23:50.
    expect(split('2026-05-11T21:50:00Z', '2026-05-11T22:10:00Z', 'Europe/Berlin')).toEqual([
      { date: '2026-05-11', seconds: 600 },
      { date: '2026-05-12', seconds: 600 },
    ])
  })

  it('does not split a session inside one day', () => {
    expect(split('2026-05-11T07:00:00Z', '2026-05-11T08:00:01Z', 'Europe/Berlin')).toEqual([
      { date: '2026-05-11', seconds: 3601 },
    ])
  })

  it('returns no empty part when a session ends or starts at midnight', () => {
    expect(split('2026-05-11T21:00:00Z', '2026-05-11T22:00:00Z', 'Europe/Berlin')).toEqual([
      { date: '2026-05-11', seconds: 3600 },
    ])
    expect(split('2026-05-11T22:00:00Z', '2026-05-11T23:00:00Z', 'Europe/Berlin')).toEqual([
      { date: '2026-05-12', seconds: 3600 },
    ])
  })

  it('returns no parts for an empty session and for an end before the start', () => {
    expect(split('2026-05-11T22:00:00Z', '2026-05-11T22:00:00Z', 'Europe/Berlin')).toEqual([])
    expect(split('2026-05-11T22:00:01Z', '2026-05-11T22:00:00Z', 'Europe/Berlin')).toEqual([])
  })

  it('does not count a skipped hour and counts a repeated hour twice', () => {
    // From Saturday 23:00 to Sunday 05:00 on the wall: 1 + 4 hours in March, 1 + 6 hours in October.
    expect(split('2026-03-28T22:00:00Z', '2026-03-29T03:00:00Z', 'Europe/Berlin')).toEqual([
      { date: '2026-03-28', seconds: 3600 },
      { date: '2026-03-29', seconds: 4 * 3600 },
    ])
    expect(split('2026-10-24T21:00:00Z', '2026-10-25T04:00:00Z', 'Europe/Berlin')).toEqual([
      { date: '2026-10-24', seconds: 3600 },
      { date: '2026-10-25', seconds: 6 * 3600 },
    ])
  })

  it('counts the repeated first hour of Havana to the new day', () => {
    // From 23:30 (03:30 UTC) over 00:00, 01:00 = 00:00 again, to 00:30 (05:30 UTC): half an hour, then an hour and a half.
    expect(split('2026-11-01T03:30:00Z', '2026-11-01T05:30:00Z', 'America/Havana')).toEqual([
      { date: '2026-10-31', seconds: 1800 },
      { date: '2026-11-01', seconds: 5400 },
    ])
  })

  it('counts the repeated last hour of Santiago to the old day', () => {
    // From 23:30 (02:30 UTC) over 24:00 = 23:00 again (03:00 UTC) to 00:30 (04:30 UTC): an hour and a half, then half an hour.
    expect(split('2026-04-05T02:30:00Z', '2026-04-05T04:30:00Z', 'America/Santiago')).toEqual([
      { date: '2026-04-04', seconds: 5400 },
      { date: '2026-04-05', seconds: 1800 },
    ])
  })

  it('splits at the clock change when it skips midnight', () => {
    // Santiago, from 23:30 (03:30 UTC) to 01:30 (04:30 UTC), with nothing between 24:00 and 01:00.
    expect(split('2026-09-06T03:30:00Z', '2026-09-06T04:30:00Z', 'America/Santiago')).toEqual([
      { date: '2026-09-05', seconds: 1800 },
      { date: '2026-09-06', seconds: 1800 },
    ])
  })

  it('returns no part for a skipped date', () => {
    // Apia, from the 29th 23:00 (09:00 UTC) to the 31st 02:00 (12:00 UTC).
    expect(split('2011-12-30T09:00:00Z', '2011-12-30T12:00:00Z', 'Pacific/Apia')).toEqual([
      { date: '2011-12-29', seconds: 3600 },
      { date: '2011-12-31', seconds: 7200 },
    ])
  })

  it('uses the time zone of the start when the person has travelled', () => {
    // A flight from Berlin, begun at 20:00 and ended 14 hours later: 10:00 on the next day in Berlin, which is 01:00 at the
    // destination, Los Angeles. Berlin gives 4 + 10 hours; Los Angeles would give 13 + 1.
    const [startedAt, endedAt] = ['2026-05-11T18:00:00Z', '2026-05-12T08:00:00Z'] as const
    expect(split(startedAt, endedAt, 'Europe/Berlin')).toEqual([
      { date: '2026-05-11', seconds: 4 * 3600 },
      { date: '2026-05-12', seconds: 10 * 3600 },
    ])
    expect(split(startedAt, endedAt, 'America/Los_Angeles')).toEqual([
      { date: '2026-05-11', seconds: 13 * 3600 },
      { date: '2026-05-12', seconds: 3600 },
    ])
  })

  it('equals counting second by second', () => {
    fc.assert(
      fc.property(zoneAndInstant, fc.integer({ min: 0, max: 3000 }), ({ timeZone, instant }, seconds) => {
        const endedAt = new Date(instant.getTime() + seconds * 1000)
        const parts = splitByDay({ startedAt: instant, endedAt, timeZone })
        expect(parts).toEqual(countedDates({ startedAt: instant, endedAt, timeZone, stepMs: 1000 }))
      }),
      { numRuns: 60 },
    )
  })

  it('equals counting minute by minute over several days', () => {
    fc.assert(
      fc.property(zoneAndInstant, fc.integer({ min: 0, max: 4 * 24 * 60 }), ({ timeZone, instant }, minutes) => {
        const startedAt = new Date(Math.floor(instant.getTime() / MINUTE_MS) * MINUTE_MS)
        const endedAt = new Date(startedAt.getTime() + minutes * MINUTE_MS)
        const parts = splitByDay({ startedAt, endedAt, timeZone })
        expect(parts).toEqual(countedDates({ startedAt, endedAt, timeZone, stepMs: MINUTE_MS }))
      }),
      { numRuns: 60 },
    )
  })

  it('returns parts of consecutive dates that add up to the length', () => {
    fc.assert(
      fc.property(session(10 * 24 * 3600), ({ startedAt, endedAt, timeZone }) => {
        const parts = splitByDay({ startedAt, endedAt, timeZone })
        expect(parts.reduce((sum, part) => sum + part.seconds, 0)).toBe(
          (endedAt.getTime() - startedAt.getTime()) / 1000,
        )
        expect(parts.every((part) => Number.isInteger(part.seconds) && part.seconds > 0)).toBe(true)
        for (const [n, part] of parts.entries()) {
          const previous = parts[n - 1]
          if (!previous) continue
          expect(part.date > previous.date).toBe(true)
          // Only Apia's 30 December 2011 may be missing between two parts.
          const skipped = datesBetween(previous.date, part.date)
          expect(skipped.filter((date) => `${timeZone} ${date}` !== 'Pacific/Apia 2011-12-30')).toEqual([])
        }
      }),
      { numRuns: 300 },
    )
  })

  it('counts each second to the part of its local date', () => {
    fc.assert(
      fc.property(
        session(3 * 24 * 3600),
        fc.double({ min: 0, max: 1, noNaN: true, maxExcluded: true }),
        (whole, where) => {
          const length = (whole.endedAt.getTime() - whole.startedAt.getTime()) / 1000
          fc.pre(length > 0)
          const second = Math.floor(where * length)
          let last = 0
          const part = splitByDay(whole).find(({ seconds }) => {
            last += seconds
            return second < last
          })
          expect(part?.date).toBe(dateAt(whole.startedAt.getTime() + second * 1000, whole.timeZone))
        },
      ),
      { numRuns: 500 },
    )
  })

  it('returns the same totals when a session is stopped and started again at any instant', () => {
    fc.assert(
      fc.property(session(3 * 24 * 3600), fc.double({ min: 0, max: 1, noNaN: true }), (whole, where) => {
        const length = (whole.endedAt.getTime() - whole.startedAt.getTime()) / 1000
        const cut = new Date(whole.startedAt.getTime() + Math.floor(where * length) * 1000)
        const inTwo = [...splitByDay({ ...whole, endedAt: cut }), ...splitByDay({ ...whole, startedAt: cut })]
        expect(totals(inTwo)).toEqual(totals(splitByDay(whole)))
      }),
      { numRuns: 300 },
    )
  })

  it('returns at most two parts for 16 hours', () => {
    fc.assert(
      fc.property(session(16 * 3600), (whole) => {
        expect(splitByDay(whole).length).toBeLessThanOrEqual(2)
      }),
      { numRuns: 500 },
    )
  })
})

function split(startedAt: string, endedAt: string, timeZone: string) {
  return splitByDay({ startedAt: new Date(startedAt), endedAt: new Date(endedAt), timeZone })
}

function totals(parts: { date: string; seconds: number }[]): Record<string, number> {
  const sums: Record<string, number> = {}
  for (const { date, seconds } of parts) sums[date] = (sums[date] ?? 0) + seconds
  return sums
}

/** The model: looks up the date of every step and counts, without computing where a day starts. */
function countedDates(session: { startedAt: Date; endedAt: Date; timeZone: string; stepMs: number }) {
  const parts: { date: string; seconds: number }[] = []
  for (let at = session.startedAt.getTime(); at < session.endedAt.getTime(); at += session.stepMs) {
    const date = dateAt(at, session.timeZone)
    const last = parts.at(-1)
    if (last?.date === date) last.seconds += session.stepMs / 1000
    else parts.push({ date, seconds: session.stepMs / 1000 })
  }
  return parts
}

function datesBetween(date: string, later: string): string[] {
  const dates: string[] = []
  for (let at = Date.parse(date) + DAY_MS; at < Date.parse(later); at += DAY_MS) {
    dates.push(new Date(at).toISOString().slice(0, 10))
  }
  return dates
}

/** Clock changes of the zones, to within half a day: the local time at 12:00 UTC differs from the day before. */
const changes: { timeZone: string; aroundMs: number }[] = ZONES.flatMap((timeZone) => {
  const localTimeAtNoon = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const found: { timeZone: string; aroundMs: number }[] = []
  for (let at = Date.UTC(2010, 0, 1, 12); at < Date.UTC(2032, 0, 1); at += DAY_MS) {
    if (localTimeAtNoon.format(at) !== localTimeAtNoon.format(at + DAY_MS))
      found.push({ timeZone, aroundMs: at + DAY_MS / 2 })
  }
  return found
})
// Apia moved by a whole day, which does not change the local time at noon.
changes.push({ timeZone: 'Pacific/Apia', aroundMs: Date.parse('2011-12-30T10:00:00Z') })

/** A whole second: half of them anywhere in 22 years, half within 20 hours of a clock change. */
const zoneAndInstant = fc.oneof(
  fc
    .tuple(
      fc.constantFrom(...ZONES),
      fc.integer({ min: Date.UTC(2010, 0, 1) / 1000, max: Date.UTC(2032, 0, 1) / 1000 }),
    )
    .map(([timeZone, second]) => ({ timeZone: timeZone as string, instant: new Date(second * 1000) })),
  fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: -20 * 3600, max: 20 * 3600 }))
    .map(([change, second]) => ({ timeZone: change.timeZone, instant: new Date(change.aroundMs + second * 1000) })),
)

function session(maxSeconds: number) {
  return fc.tuple(zoneAndInstant, fc.integer({ min: 0, max: maxSeconds })).map(([{ timeZone, instant }, seconds]) => ({
    timeZone,
    startedAt: instant,
    endedAt: new Date(instant.getTime() + seconds * 1000),
  }))
}
