import { expect, test } from 'vitest'
import { newerPresence, presenceOf } from './presence.ts'

const startedAt = '2026-06-15T09:00:00.000Z'
const now = new Date('2026-06-15T09:10:00.000Z')
const off = (version: number) => presenceOf(null, version, now)
const on = (version: number) => presenceOf({ startedAt }, version, now)

test('presence has a start only in deeb mode, and an end only with a target that is ahead', () => {
  expect(on(3)).toEqual({ inDeebMode: true, since: startedAt, until: null, version: 3 })
  expect(off(4)).toEqual({ inDeebMode: false, since: null, until: null, version: 4 })
  const until = '2026-06-15T09:50:00.000Z'
  const session = { startedAt, targetMinutes: 50 }
  expect(presenceOf(session, 5, now)).toEqual({ ...on(5), until })
  expect(presenceOf(session, 5, new Date(until))).toEqual(on(5))
})

test('newerPresence returns the higher version in either order', () => {
  expect(newerPresence(on(5), off(4))).toEqual(on(5))
  expect(newerPresence(off(4), on(5))).toEqual(on(5))
})
