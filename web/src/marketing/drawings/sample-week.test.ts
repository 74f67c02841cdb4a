import { expect, test } from 'vitest'
import { SAMPLE_WEEK } from './sample-week.ts'

test('the sample week has the texts that the app computes', () => {
  const { status, percent, rings } = SAMPLE_WEEK
  expect([status, percent]).toEqual(['on track', '72%'])
  expect(rings.map(({ name, time, note }) => [name, time, note])).toEqual([
    ['your average/week', { hours: 22, minutes: null }, undefined],
    ['this week total', { hours: 28, minutes: null }, '125% of avg. week'],
    ['avg user week', { hours: 23, minutes: null }, undefined],
    ['me vs avg user', { hours: 28, minutes: null }, '144% of avg. user'],
  ])
})

test('the sample week has five workdays of eight hours, is on Thursday, and exceeds its goal on Wednesday', () => {
  expect(SAMPLE_WEEK.bars.map(({ letter, value, goal, today }) => [letter, value, goal, today])).toEqual([
    ['M', 380, 480, false],
    ['T', 480, 480, false],
    ['W', 560, 480, false],
    ['T', 305, 480, true],
    ['F', 0, 480, false],
    ['S', 0, 0, false],
    ['S', 0, 0, false],
  ])
  expect(SAMPLE_WEEK.bars[2]?.label).toBe('Wednesday 9h 20m of 8h 0m')
})
