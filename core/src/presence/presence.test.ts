import { expect, test } from 'vitest'
import { presenceOf } from './presence.ts'

const startedAt = '2026-06-15T09:00:00.000Z'
const now = new Date('2026-06-15T09:10:00.000Z')

test('presence has a start only in deeb mode, and an end only with a target that is ahead', () => {
  const on = { inDeebMode: true, since: startedAt, until: null, version: now.getTime() }
  expect(presenceOf({ startedAt }, now)).toEqual(on)
  expect(presenceOf(null, now)).toMatchObject({ inDeebMode: false, since: null, until: null })
  const until = '2026-06-15T09:50:00.000Z'
  const session = { startedAt, targetMinutes: 50 }
  expect(presenceOf(session, now)).toEqual({ ...on, until })
  // Not to the minute.
  for (const targetMinutes of [48, 52]) expect(presenceOf({ startedAt, targetMinutes }, now)).toEqual({ ...on, until })
  expect(presenceOf(session, new Date(until))).toMatchObject({ until: null })
})
