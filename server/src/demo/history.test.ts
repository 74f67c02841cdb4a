import { expect, test } from 'vitest'
import { generateHistory } from './history.ts'
import { createRandom } from './random.ts'

// Around midnight in Berlin, up to some weeks after clock changes.
test.each([
  '2026-11-21T22:30:00Z',
  '2026-10-30T22:45:00Z',
  '2026-10-25T23:30:00Z',
  '2026-04-10T21:30:00Z',
  '2026-03-29T22:30:00Z',
])('sessions until %s are in order, do not overlap and are in the past', (instant) => {
  const now = new Date(instant)
  for (let seed = 1; seed <= 60; seed++) {
    const sessions = generateHistory(createRandom(seed), { weeks: 12, timeZone: 'Europe/Berlin', now })
    expect(sessions.length).toBeGreaterThan(60)
    const instants = sessions.flatMap(({ startedAt, endedAt }) => [startedAt, endedAt])
    expect(instants).toEqual(instants.toSorted((a, b) => a.getTime() - b.getTime()))
    expect(instants.every((instant) => instant < now)).toBe(true)
  }
})
