import { expect, test } from 'vitest'
import { digitsOf } from './code.ts'

test.each([
  ['a zero-width space behind it', '123456\u200b'],
  ['a narrow no-break space', '123\u202f456'],
  ['bidi isolates around it', '\u2068123456\u2069'],
  ['a non-breaking hyphen', '123\u2011456'],
  ['a full stop', '123456.'],
  ['full width', '１２３４５６'],
  ['Arabic', '١٢٣٤٥٦'],
  ['Persian', '۱۲۳۴۵۶'],
  ['Devanagari', '१२३४५६'],
  // Five runs of ten without a gap.
  ['mathematical digits of three styles', '𝟏𝟐𝟛𝟜𝟻𝟼'],
])('reads the digits of a code with %s', (_, typed) => {
  expect(digitsOf(typed)).toBe('123456')
})

test('every digit of Unicode has its value', () => {
  const digits = Array.from({ length: 0x110000 }, (_, codePoint) => codePoint)
    .filter((codePoint) => codePoint < 0xd800 || codePoint > 0xdfff)
    .map((codePoint) => String.fromCodePoint(codePoint))
    .filter((character) => /\p{Nd}/u.test(character))
  expect(digitsOf(digits.join(''))).toBe('0123456789'.repeat(digits.length / 10))
})
