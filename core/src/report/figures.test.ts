import { describe, expect, test } from 'vitest'
import { dateAfter } from '../focus/split-by-day.ts'
import { type CountedWeek, companyAverageOf, reportOf } from './figures.ts'

const MONDAY = '2026-03-02'
const monday = (n: number) => dateAfter(MONDAY, 7 * n)

/** `count` weeks of a company with 100 accounts, in which each of `people` has 9 hours, and 4 of 10 reach their goal. */
function weeks(count: number, people: number, more: Partial<CountedWeek> = {}): CountedWeek[] {
  return Array.from({ length: count }, () => ({
    ...{ week: '', members: 100, people, minutes: 540 * people, goals: 0.4 * people, blur: 4 },
    times: [50, 200, 300, 100, 200, 100, 50].map((share) => share * people),
    days: [200, 250, 200, 150, 150, 50].map((share) => share * people),
    ...more,
  }))
}

const report = (some: CountedWeek[], members = 100, hasGoals = true) =>
  reportOf(
    some.map((week, n) => ({ ...week, week: monday(n) })),
    members,
    hasGoals,
  )

describe('the weeks that are averaged', () => {
  test('are the last 4 where the margin of the average week is at most a fifth, else up to 13', () => {
    // 4 weeks of 40 people: 1.645 · 4 · √(2/4) = 4.65 people, √(2792² + (540 · 4.65)²) / 40 = 93.9 minutes.
    expect(report(weeks(20, 40))).toMatchObject({
      ...{ from: monday(16), to: dateAfter(monday(19), 6), weeks: 4, trend: 'same' },
      ...{ people: { value: 40, margin: 5 }, averageWeekMinutes: { value: 540, margin: 95 } },
    })
    // With 34 people it would be 110 minutes of 540. 13 weeks: 2.58 people, 61.3 minutes.
    expect(report(weeks(20, 34))).toMatchObject({
      ...{ from: monday(7), to: dateAfter(monday(19), 6), weeks: 13, trend: 'same' },
      ...{ people: { value: 34, margin: 3 }, averageWeekMinutes: { value: 540, margin: 65 } },
    })
    expect(report(weeks(6, 34))).toMatchObject({ from: MONDAY, weeks: 6, trend: null })
  })

  test('may be fewer than 4, with a wider margin', () => {
    expect(report(weeks(1, 100))).toMatchObject({ weeks: 1, people: { value: 100, margin: 10 } })
  })

  test('have the margin of the blur that they were counted with', () => {
    expect(report(weeks(4, 100, { blur: 8 }))).toMatchObject({ weeks: 4, people: { margin: 10 } })
    const mixed = [...weeks(2, 100, { blur: 8 }), ...weeks(2, 100)]
    // 1.645 · √(2 · (8² + 8² + 4² + 4²)) / 4 = 7.36.
    expect(report(mixed)?.people.margin).toBe(8)
  })
})

describe('a figure is shown only if its margin is at most half of it', () => {
  test('the average week of 13 weeks: 8 people are enough, 7 are not', () => {
    // √((2.58 / 8)² + (1548 / 4320)²) = 48 %. With 7 people 55 %, with 10 people of 4 hours 69 %.
    expect(report(weeks(13, 8))).toMatchObject({ weeks: 13 })
    expect(report(weeks(13, 7))).toBe(null)
    expect(report(weeks(13, 10, { minutes: 2400 }))).toBe(null)
  })

  test('there is none without a week, with nobody or with negative sums', () => {
    expect(report([])).toBe(null)
    expect(report(weeks(13, 0))).toBe(null)
    expect(report(weeks(13, -20))).toBe(null)
    expect(report(weeks(13, 40, { minutes: -9000 }))).toBe(null)
  })

  test('each point of the line too', () => {
    const line = report([...weeks(4, 3), ...weeks(13, 40)])?.peopleByWeek
    expect(line).toHaveLength(13)
    expect(line?.[0]).toEqual({ week: monday(4), value: 12, margin: 5 })
    expect(line?.at(-1)).toEqual({ week: monday(16), value: 40, margin: 5 })
    expect(report([...weeks(4, 3), ...weeks(9, 40)])?.peopleByWeek[0]?.week).toBe(monday(4))
  })
})

test('people are at most as many as there are', () => {
  expect(report(weeks(4, 130))).toMatchObject({ people: { value: 100 }, averageWeekMinutes: { value: 705 } })
  expect(report(weeks(4, 90), 80)?.people.value).toBe(80)
})

describe('goals', () => {
  test('are shown to a tenth where their margin is at most 15 points', () => {
    expect(report(weeks(4, 40))?.goalTenths).toBe(4)
    // √(1 + 0.4²) · 4.65 / 33 = 15.2 points, with 4 weeks.
    expect(report(weeks(4, 33, { minutes: 33 * 900 }))).toMatchObject({ weeks: 4, goalTenths: null })
  })

  test('are not shown where they are smaller than twice their margin, were not counted or are off', () => {
    expect(report(weeks(4, 40, { goals: 8 }))?.goalTenths).toBe(null)
    expect(report([...weeks(3, 40), ...weeks(1, 40, { goals: null })])?.goalTenths).toBe(null)
    expect(report(weeks(4, 40), 100, false)?.goalTenths).toBe(null)
  })

  test('are at most all', () => {
    expect(report(weeks(4, 80, { goals: 90 }))?.goalTenths).toBe(10)
  })
})

describe('bars', () => {
  test('are shares of the last 4 weeks where the margin is at most 6 points: with 78 people', () => {
    const older = weeks(9, 78, { days: [0, 0, 0, 0, 0, 78_000] })
    expect(report([...older, ...weeks(4, 78)])).toMatchObject({
      ...{ weeks: 4, barWeeks: 4 },
      times: [5, 20, 30, 10, 20, 10, 5],
      days: [20, 25, 20, 15, 15, 5],
    })
    // 77 people: of 13 weeks.
    expect(report([...older, ...weeks(4, 77)])).toMatchObject({ weeks: 4, barWeeks: 13, days: [6, 8, 6, 5, 5, 71] })
  })

  test('are shares of up to 13 weeks else: with 44 people', () => {
    expect(report(weeks(13, 44))?.times).toEqual([5, 20, 30, 10, 20, 10, 5])
    expect(report(weeks(13, 43))).toMatchObject({ times: null, days: null })
    expect(report(weeks(12, 44))).toMatchObject({ times: null, days: null })
  })

  test('count as 0 where they are negative', () => {
    expect(report(weeks(4, 80, { times: [-4000, 60_000, 20_000, -9000, 0, 0, 0] }))?.times).toEqual([
      ...[0, 75, 25, 0, 0, 0, 0],
    ])
    expect(report(weeks(4, 80, { times: Array(7).fill(-1) }))?.times).toBe(null)
  })
})

test('the trend needs more than 1.645 · 4 = 6.6 people between the last 4 weeks and the 4 before', () => {
  const trend = (before: number, after: number) => report([...weeks(4, before), ...weeks(4, after)])?.trend
  expect([trend(40, 47), trend(40, 46), trend(40, 34), trend(40, 33)]).toEqual(['more', 'same', 'same', 'fewer'])
  expect(report(weeks(7, 40))?.trend).toBe(null)
})

test('the average of the company is to 5 minutes, and only where the report has one', () => {
  expect(companyAverageOf(weeks(4, 40, { minutes: 40 * 543 }))).toEqual({ minutes: 545, margin: 95 })
  expect(companyAverageOf(weeks(13, 7))).toBe(null)
  expect(companyAverageOf([])).toBe(null)
})
