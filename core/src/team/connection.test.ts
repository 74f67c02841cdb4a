import { expect, test } from 'vitest'
import { presenceOf } from '../presence/presence.ts'
import { inDeebModeFirst } from './connection.ts'

const now = new Date('2026-06-15T09:10:00.000Z')
const off = presenceOf(null, now)
const on = presenceOf({ startedAt: '2026-06-15T09:00:00.000Z' }, now)

test('inDeebModeFirst is a stable sort by deeb mode', () => {
  const team = [off, on, off, on].map((presence, id) => ({ id, presence }))
  expect(inDeebModeFirst(team).map(({ id }) => id)).toEqual([1, 3, 0, 2])
})
