import { describe, expect, it } from 'vitest'
import {
  everyDay,
  goalMinutesOn,
  HOME_DEFAULT_GOAL_MINUTES,
  MAX_GOAL_MINUTES,
  nearestOnWheels,
  WEEK_FROM_MONDAY,
} from './week-of-goals.ts'

describe('the week', () => {
  it('runs from Monday to Sunday', () => {
    expect(WEEK_FROM_MONDAY).toEqual([1, 2, 3, 4, 5, 6, 0])
  })
})

describe('goalMinutesOn', () => {
  const goals = [
    { dayOfWeek: 1, goalMinutes: 480 },
    { dayOfWeek: 0, goalMinutes: 0 },
  ]

  it('returns the saved goal of the day', () => {
    expect(goalMinutesOn(goals, 1, HOME_DEFAULT_GOAL_MINUTES)).toBe(480)
  })

  it('returns a saved goal of 0', () => {
    expect(goalMinutesOn(goals, 0, HOME_DEFAULT_GOAL_MINUTES)).toBe(0)
  })

  it('returns the fallback for a day without a goal', () => {
    expect(goalMinutesOn(goals, 2, HOME_DEFAULT_GOAL_MINUTES)).toBe(60)
    expect(goalMinutesOn([], 1, 240)).toBe(240)
  })
})

describe('everyDay', () => {
  it('returns the same goal for each of the seven days', () => {
    const goals = everyDay(60)
    expect(goals.map(({ dayOfWeek }) => dayOfWeek).sort()).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(goals.every(({ goalMinutes }) => goalMinutes === 60)).toBe(true)
  })
})

describe('nearestOnWheels', () => {
  it.each([
    [0, 0, 0],
    [2, 0, 0],
    [3, 0, 5],
    [57, 0, 55],
    // Rounds up to the next hour, not to minute 60.
    [58, 1, 0],
    [478, 8, 0],
    [480, 8, 0],
    [1435, 23, 55],
    [1438, 23, 55],
    [1440, 23, 55],
  ])('%i minutes: %i h %i m', (goalMinutes, hours, minutes) => {
    expect(nearestOnWheels(goalMinutes)).toEqual({ hours, minutes })
  })

  it('returns the nearest position of the wheels for every goal', () => {
    const positions = Array.from({ length: 24 * 12 }, (_, step) => step * 5)
    for (let goal = 0; goal <= MAX_GOAL_MINUTES; goal++) {
      const { hours, minutes } = nearestOnWheels(goal)
      expect(hours >= 0 && hours <= 23 && minutes >= 0 && minutes <= 55 && minutes % 5 === 0).toBe(true)
      const nearest = Math.min(...positions.map((position) => Math.abs(position - goal)))
      expect(Math.abs(hours * 60 + minutes - goal)).toBe(nearest)
    }
  })
})
