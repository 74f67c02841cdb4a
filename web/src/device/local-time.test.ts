import { expect, test } from 'vitest'
import { timeAndZoneText, timeRangeText, timeText } from './local-time.ts'

/** The browser of the tests is American. */
const at = (hour: number, minute: number) => new Date(2026, 5, 15, hour, minute)

test.each([
  [16, 32, '4:32\u00a0PM'],
  [9, 5, '9:05\u00a0AM'],
  [0, 0, '12:00\u00a0AM'],
])('a time is written as in the region of the browser', (hour, minute, text) => {
  expect(timeText(at(hour, minute))).toBe(text)
  expect(timeAndZoneText(at(hour, minute))).toMatch(new RegExp(`^${text.replace('\u00a0', '\\s')}`))
})

test('a range has an en dash without spaces, also over midnight', () => {
  expect(timeRangeText(at(13, 37), at(15, 9))).toBe('1:37\u00a0PM–3:09\u00a0PM')
  expect(timeRangeText(at(23, 0), new Date(2026, 5, 16, 1, 0))).toBe('11:00\u00a0PM–1:00\u00a0AM')
})
