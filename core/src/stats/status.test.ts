import { describe, expect, it } from 'vitest'
import { dailyStatus, percentOf } from './status.ts'

describe('dailyStatus', () => {
  it.each([
    [0, 60, 'get deeb'],
    [1, 60, 'on track'],
    [59, 60, 'on track'],
    [60, 60, 'over performer'],
    [61, 60, 'over performer'],
    // The smallest goal is reached by the first minute.
    [0, 1, 'get deeb'],
    [1, 1, 'over performer'],
  ])('%i of %i minutes: %s', (minutes, goalMinutes, status) => {
    expect(dailyStatus(minutes, goalMinutes)).toBe(status)
  })

  it('changes from get deeb to over performer at the first minute when the goal is 0', () => {
    expect([0, 1, 2].map((minutes) => dailyStatus(minutes, 0))).toEqual([
      'get deeb',
      'over performer',
      'over performer',
    ])
  })
})

describe('percentOf', () => {
  it.each([
    [0, 60, 0],
    [30, 60, 50],
    // 100 * 1/3 = 33.3, 100 * 2/3 = 66.7, 100 * 1/8 = 12.5
    [20, 60, 33],
    [40, 60, 67],
    [1, 8, 13],
    [60, 60, 100],
    [600, 60, 1000],
  ])('%i of %i minutes: %i %%', (minutes, goalMinutes, percent) => {
    expect(percentOf(minutes, goalMinutes)).toBe(percent)
  })

  it('returns null when the goal is 0', () => {
    expect([0, 1].map((minutes) => percentOf(minutes, 0))).toEqual([null, null])
  })
})
