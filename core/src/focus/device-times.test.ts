import { expect, test } from 'vitest'
import { instantOf } from './device-times.ts'

const now = new Date('2026-06-15T12:00:00.700Z')
const instantOfSwitch = (actedAt: string, sentAt: string) => instantOf({ actedAt, sentAt }, now)

test('a switch without device times counts as now, in whole seconds', () => {
  expect(instantOf(undefined, now)).toEqual(new Date('2026-06-15T12:00:00Z'))
})

test.each([
  ['correct', '2026-06-15T10:00:00.000Z', '2026-06-15T12:00:00.000Z'],
  ['ten minutes ahead', '2026-06-15T10:10:00.000Z', '2026-06-15T12:10:00.000Z'],
  ['years behind', '1999-01-01T00:00:00.000Z', '1999-01-01T02:00:00.000Z'],
])('a switch of two hours ago is computed correctly from a device clock that is %s', (_, actedAt, sentAt) => {
  expect(instantOfSwitch(actedAt, sentAt)).toEqual(new Date('2026-06-15T10:00:00Z'))
})

test.each([
  ['just now', '2026-06-15T12:00:00.000Z', '2026-06-15T12:00:00.000Z', '2026-06-15T12:00:00Z'],
  ['two minutes ahead', '2026-06-15T12:02:00.000Z', '2026-06-15T12:00:00.000Z', '2026-06-15T12:00:00Z'],
  ['seven days ago', '2026-06-08T12:00:00.000Z', '2026-06-15T12:00:00.000Z', '2026-06-08T12:00:00Z'],
])('a switch %s is accepted', (_, actedAt, sentAt, at) => {
  expect(instantOfSwitch(actedAt, sentAt)).toEqual(new Date(at))
})

test('a switch more than two minutes ahead or seven days ago is refused', () => {
  expect(instantOfSwitch('2026-06-15T12:02:00.001Z', '2026-06-15T12:00:00.000Z')).toBe('ahead_of_time')
  expect(instantOfSwitch('2026-06-08T11:59:59.999Z', '2026-06-15T12:00:00.000Z')).toBe('too_late')
})
