import { expect, test } from 'vitest'
import { comeBackAt } from './come-back.ts'

const at = (time: string) => `2026-06-15T${time}.000Z`

test.each([
  ['rounds down to 5 minutes', '10:47:29', '10:00:00', '10:45:00'],
  ['rounds up to 5 minutes', '10:42:30', '10:00:00', '10:45:00'],
  ['is there up to the second before', '10:45:00', '10:44:59', '10:45:00'],
  ['is gone at the end', '10:45:00', '10:45:00', null],
  ['is gone at the rounded end, so that nobody looks late', '10:47:00', '10:45:00', null],
  ['is gone at the end before the rounded one', '10:43:00', '10:43:00', null],
])('comeBackAt %s', (_, until, now, shown) => {
  expect(comeBackAt({ until: at(until) }, new Date(at(now)))?.toISOString() ?? null).toBe(shown && at(shown))
})

test.each([null, undefined])('comeBackAt is null for %s', (until) => {
  expect(comeBackAt({ until }, new Date(at('10:00:00')))).toBeNull()
})
