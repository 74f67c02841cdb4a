import { expect, test } from 'vitest'
import { visibleFrom } from './circle.ts'

const at = (iso: string) => new Date(iso)
const CREATED = at('2026-06-15T09:00:00.000Z')

test('visibleFrom is immediate in the first 24 hours of a circle, then 24 hours after joining', () => {
  expect(visibleFrom(CREATED, CREATED)).toEqual(CREATED)
  expect(visibleFrom(CREATED, at('2026-06-16T08:59:59.999Z'))).toEqual(at('2026-06-16T08:59:59.999Z'))
  expect(visibleFrom(CREATED, at('2026-06-16T09:00:00.000Z'))).toEqual(at('2026-06-17T09:00:00.000Z'))
})
