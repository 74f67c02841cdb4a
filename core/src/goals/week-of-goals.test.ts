import { describe, expect, it } from 'vitest'
import { everyDay, goalMinutesOn, HOME_DEFAULT_GOAL_MINUTES, WEEK_FROM_MONDAY } from './week-of-goals.ts'

describe('the week', () => {
  it('runs from Monday to Sunday', () => {
    expect(WEEK_FROM_MONDAY.map(({ shortName }) => shortName).join(' ')).toBe('Mo Tu We Th Fr Sa Su')
  })

  it('gives each name the number the calendar gives the day', () => {
    // 4 January 2026 was a Sunday.
    const nameOn = new Intl.DateTimeFormat('en', { weekday: 'long', timeZone: 'UTC' })
    for (const { dayOfWeek, name, shortName } of WEEK_FROM_MONDAY) {
      expect(name).toBe(nameOn.format(new Date(Date.UTC(2026, 0, 4 + dayOfWeek))))
      expect(name.startsWith(shortName)).toBe(true)
    }
  })
})

describe('goalMinutesOn', () => {
  const goals = [
    { dayOfWeek: 1, goalMinutes: 480 },
    { dayOfWeek: 0, goalMinutes: 0 },
  ]

  it('is the saved goal of the day', () => {
    expect(goalMinutesOn(goals, 1, HOME_DEFAULT_GOAL_MINUTES)).toBe(480)
  })

  it('takes a saved goal of 0 for a goal', () => {
    expect(goalMinutesOn(goals, 0, HOME_DEFAULT_GOAL_MINUTES)).toBe(0)
  })

  it('falls back for a day without one', () => {
    expect(goalMinutesOn(goals, 2, HOME_DEFAULT_GOAL_MINUTES)).toBe(60)
    expect(goalMinutesOn([], 1, 240)).toBe(240)
  })
})

describe('everyDay', () => {
  it('gives all seven days the same goal, each once', () => {
    const goals = everyDay(60)
    expect(goals.map(({ dayOfWeek }) => dayOfWeek).sort()).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect(goals.every(({ goalMinutes }) => goalMinutes === 60)).toBe(true)
  })
})
