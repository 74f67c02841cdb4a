import { describe, expect, it } from 'vitest'
import { wholeMinutes } from './week.ts'
import { barLabel, paleMinutes, sumOfDays, weeklyStatus } from './week-figures.ts'

describe('sumOfDays', () => {
  it('adds up whole minutes, so that half minutes do not add up to one', () => {
    const days = [90, 90, 3600].map((seconds) => ({ minutes: wholeMinutes(seconds), goalMinutes: 240 }))
    // 1 + 1 + 60, although 90 + 90 seconds are three minutes.
    expect(sumOfDays(days)).toEqual({ minutes: 62, goalMinutes: 720 })
  })

  it('returns 0 for no days', () => {
    expect(sumOfDays([])).toEqual({ minutes: 0, goalMinutes: 0 })
  })
})

describe('weeklyStatus', () => {
  it.each([
    [0, 1680, 'get deeb'],
    // A week needs an hour, even if its goal is smaller.
    [59, 1680, 'get deeb'],
    [59, 30, 'get deeb'],
    [60, 1680, 'on track'],
    [60, 60, 'over performer'],
    [1679, 1680, 'on track'],
    [1680, 1680, 'over performer'],
    [59, 0, 'get deeb'],
    [60, 0, 'over performer'],
  ])('%i of %i minutes: %s', (minutes, goalMinutes, status) => {
    expect(weeklyStatus(minutes, goalMinutes)).toBe(status)
  })
})

describe('barLabel', () => {
  it.each([
    [430, 360, 'Tuesday 7h 10m of 6h 0m'],
    [0, 0, 'Tuesday 0h 0m of 0h 0m'],
  ])('%i of %i minutes: %s', (minutes, goalMinutes, label) => {
    expect(barLabel('Tuesday', { minutes, goalMinutes })).toBe(label)
  })

  it('adds the time of last week', () => {
    const label = 'Tuesday 0h 0m of 6h 0m, last week 5h 20m'
    expect(barLabel('Tuesday', { minutes: 0, goalMinutes: 360 }, 320)).toBe(label)
  })
})

describe('paleMinutes', () => {
  it.each([
    ['a coming day', { minutes: 0, isOver: false }, 45, 300],
    ['a coming day of a week without a minute', { minutes: 0, isOver: false }, 0, 300],
    ['a past day of a week without a minute', { minutes: 0, isOver: true }, 0, 300],
    ['a past day without a minute', { minutes: 0, isOver: true }, 45, 0],
    ['a day with a minute', { minutes: 1, isOver: false }, 1, 0],
  ])('of %s', (_, day, weekMinutes, minutes) => {
    expect(paleMinutes(day, { weekMinutes, lastWeekMinutes: 300 })).toBe(minutes)
  })
})
