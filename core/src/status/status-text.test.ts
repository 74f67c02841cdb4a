import { expect, test } from 'vitest'
import { statusText } from './status-text.ts'

test('the text of a status names the end of the target in the time zone of the session', () => {
  const until = new Date('2026-06-15T08:45:00Z')
  expect(statusText(null, until, 'Europe/Berlin')).toBe('in deeb mode until ~10:45')
  expect(statusText('writing', until, 'Asia/Kathmandu')).toBe('writing until ~14:30')
})

test('the text of a status without a target is the words alone', () => {
  expect(statusText(null, null, 'UTC')).toBe('in deeb mode')
})

test('the text of a status is right in the hour that a clock change repeats', () => {
  expect(statusText(null, new Date('2026-10-25T01:30:00Z'), 'Europe/Berlin')).toBe('in deeb mode until ~02:30')
})
