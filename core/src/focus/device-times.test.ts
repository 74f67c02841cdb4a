import { expect, test } from 'vitest'
import { instantOf } from './device-times.ts'

const now = new Date('2026-06-15T12:00:00.700Z')
const acted = (actedAt: string, sentAt: string) => instantOf({ actedAt, sentAt }, now)

test('without times it happens now, in whole seconds', () => {
  expect(instantOf(undefined, now)).toEqual(new Date('2026-06-15T12:00:00Z'))
})

test.each([
  ['right', '2026-06-15T10:00:00.000Z', '2026-06-15T12:00:00.000Z'],
  ['ten minutes ahead', '2026-06-15T10:10:00.000Z', '2026-06-15T12:10:00.000Z'],
  ['of another year', '1999-01-01T00:00:00.000Z', '1999-01-01T02:00:00.000Z'],
])('two hours ago is two hours ago by a clock that is %s', (_, actedAt, sentAt) => {
  expect(acted(actedAt, sentAt)).toEqual(new Date('2026-06-15T10:00:00Z'))
})

test.each([
  ['just now', '2026-06-15T12:00:00.000Z', '2026-06-15T12:00:00.000Z', '2026-06-15T12:00:00Z'],
  ['two minutes ahead', '2026-06-15T12:02:00.000Z', '2026-06-15T12:00:00.000Z', '2026-06-15T12:00:00Z'],
  ['seven days ago', '2026-06-08T12:00:00.000Z', '2026-06-15T12:00:00.000Z', '2026-06-08T12:00:00Z'],
])('%s is taken', (_, actedAt, sentAt, at) => {
  expect(acted(actedAt, sentAt)).toEqual(new Date(at))
})

test('what is further ahead or longer ago is not', () => {
  expect(acted('2026-06-15T12:02:00.001Z', '2026-06-15T12:00:00.000Z')).toBe('ahead_of_time')
  expect(acted('2026-06-08T11:59:59.999Z', '2026-06-15T12:00:00.000Z')).toBe('too_late')
})
