import { expect, test } from 'vitest'
import { offeredTargets, shortestTarget, targetEnd } from './target.ts'

const minutes = (count: number) => count * 60

test('the end of a target counts from the start of the session', () => {
  const startedAt = '2026-06-15T09:00:00.000Z'
  expect(targetEnd({ startedAt, targetMinutes: 50 })).toEqual(new Date('2026-06-15T09:50:00.000Z'))
  expect(targetEnd({ startedAt })).toBeNull()
})

test.each([
  ['the usual ones', [], 0, [25, 50, 90]],
  ['the last choice first', [90], 0, [90, 25, 50]],
  ['own ones first', [35, 120], 0, [35, 120, 25, 50, 90]],
  ['each once', [50, 50], 0, [50, 25, 90]],
  ['none that is reached', [35], minutes(35), [50, 90]],
  ['one up to its last second', [], minutes(25) - 1, [25, 50, 90]],
  ['none after all are reached', [35], minutes(90), []],
])('offeredTargets has %s', (_, first, elapsedSeconds, offered) => {
  expect(offeredTargets(first, elapsedSeconds)).toEqual(offered)
})

test.each([
  [0, 5],
  [minutes(5) - 1, 5],
  [minutes(5), 10],
  [minutes(52), 55],
  [minutes(480) - 1, 480],
  [minutes(480), null],
])('the shortest own length after %s seconds is %s', (elapsedSeconds, shortest) => {
  expect(shortestTarget(elapsedSeconds)).toBe(shortest)
})
