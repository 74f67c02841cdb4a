import { expect, test } from 'vitest'
import { SAMPLE_WEEK } from './sample-week.ts'

test('the sample week has the texts that the app computes', () => {
  const { status, percent, rings } = SAMPLE_WEEK
  expect([status, percent]).toEqual(['on track', '73%'])
  expect(rings.map(({ name, time, note }) => [name, time, note])).toEqual([
    ['your average/week', { hours: 22, minutes: null }, undefined],
    ['this week total', { hours: 29, minutes: null }, '132% of avg. week'],
    ['avg user week', { hours: 23, minutes: null }, undefined],
    ['me vs avg user', { hours: 29, minutes: null }, '126% of avg. user'],
  ])
})

test('each percentage of the sample week is that of the hours shown', () => {
  const { bars, percent, rings } = SAMPLE_WEEK
  const [average, week, user, compared] = rings.map(({ time, note = '' }) => ({
    hours: time.hours,
    percent: Number.parseInt(note, 10),
  }))
  const hours = week?.hours ?? 0
  const percentOf = (all = 0) => Math.round((100 * hours) / all)
  expect(compared?.hours).toBe(hours)
  expect([week?.percent, compared?.percent]).toEqual([percentOf(average?.hours), percentOf(user?.hours)])
  const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0)
  expect(Math.floor(sum(bars.map(({ value }) => value)) / 60)).toBe(hours)
  expect(Number.parseInt(percent, 10)).toBe(percentOf(sum(bars.map(({ goal }) => goal)) / 60))
})

test('the sample week has five workdays of eight hours, is on Thursday, and exceeds its goal on Wednesday', () => {
  expect(SAMPLE_WEEK.bars.map(({ letter, value, goal, today }) => [letter, value, goal, today])).toEqual([
    ['M', 380, 480, false],
    ['T', 480, 480, false],
    ['W', 560, 480, false],
    ['T', 340, 480, true],
    ['F', 0, 480, false],
    ['S', 0, 0, false],
    ['S', 0, 0, false],
  ])
  expect(SAMPLE_WEEK.bars[2]?.label).toBe('Wednesday 9h 20m of 8h 0m')
})
