import { expect, test } from 'vitest'
import { newerPresence, presenceOf } from './presence.ts'

const off = (version: number) => presenceOf(null, version)
const on = (version: number) => presenceOf({ startedAt: '2026-06-15T09:00:00.000Z' }, version)

test('presence has a start only in deeb mode', () => {
  expect(on(3)).toEqual({ inDeebMode: true, since: '2026-06-15T09:00:00.000Z', version: 3 })
  expect(off(4)).toEqual({ inDeebMode: false, since: null, version: 4 })
})

test('newerPresence returns the higher version in either order', () => {
  expect(newerPresence(on(5), off(4))).toEqual(on(5))
  expect(newerPresence(off(4), on(5))).toEqual(on(5))
})
