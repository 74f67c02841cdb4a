import { expect, test } from 'vitest'
import { newerPresence, presenceOf } from './presence.ts'

const off = (version: number) => presenceOf(null, version)
const on = (version: number) => presenceOf({ startedAt: '2026-06-15T09:00:00.000Z' }, version)

test('presence has a start only in deeb mode, and an end only with a target', () => {
  const startedAt = '2026-06-15T09:00:00.000Z'
  expect(on(3)).toEqual({ inDeebMode: true, since: startedAt, until: null, version: 3 })
  expect(off(4)).toEqual({ inDeebMode: false, since: null, until: null, version: 4 })
  const until = '2026-06-15T09:50:00.000Z'
  expect(presenceOf({ startedAt, targetMinutes: 50 }, 5)).toEqual({
    inDeebMode: true,
    since: startedAt,
    until,
    version: 5,
  })
})

test('newerPresence returns the higher version in either order', () => {
  expect(newerPresence(on(5), off(4))).toEqual(on(5))
  expect(newerPresence(off(4), on(5))).toEqual(on(5))
})
