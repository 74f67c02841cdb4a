import { describe, expect, it } from 'vitest'
import { AVERAGE_USER_THIS_WEEK_MINUTES, AVERAGE_USER_WEEK_MINUTES, averageWeekMinutes } from './averages.ts'

describe('averageWeekMinutes', () => {
  it.each([
    [1, 1, 1],
    [600, 2, 300],
    // 100 / 3 = 33.3, 200 / 3 = 66.7, 25 / 2 = 12.5
    [100, 3, 33],
    [200, 3, 67],
    [25, 2, 13],
    [520 * 2400, 520, 2400],
  ])('%i minutes in %i weeks: %i', (totalMinutes, count, average) => {
    expect(averageWeekMinutes({ totalMinutes, count })).toBe(average)
  })

  it('returns null when there are no weeks', () => {
    expect(averageWeekMinutes({ totalMinutes: 0, count: 0 })).toBeNull()
  })
})

describe('the average user', () => {
  it('has the example values of the specification', () => {
    expect([AVERAGE_USER_THIS_WEEK_MINUTES, AVERAGE_USER_WEEK_MINUTES]).toEqual([1200, 1400])
  })
})
