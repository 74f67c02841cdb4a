import { expect, test } from 'vitest'
import { presenceOf } from '../presence/presence.ts'
import { inDeebModeFirst } from './connection.ts'

const now = new Date('2026-06-15T09:10:00.000Z')
const off = (version: number) => presenceOf(null, version, now)
const on = (version: number) => presenceOf({ startedAt: '2026-06-15T09:00:00.000Z' }, version, now)

test('inDeebModeFirst is a stable sort by deeb mode', () => {
  const team = [off(1), on(2), off(3), on(4)].map((presence) => ({ presence }))
  expect(inDeebModeFirst(team).map(({ presence }) => presence.version)).toEqual([2, 4, 1, 3])
})
