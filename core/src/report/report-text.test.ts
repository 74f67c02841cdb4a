import { describe, expect, it } from 'vitest'
import { LANGUAGES, type Language } from '../languages.ts'
import { blurText, dayBars, daysText, mondayText, periodText, timeBars, timesText } from './report-text.ts'

it.each([
  ['the busiest time', [4, 17, 24, 12, 19, 16, 8], 'Most focus time is between 10:00 and 12:00.'],
  ['none of two', [0, 30, 30, 10, 20, 10, 0], null],
  ['no time of the day where most is before it', [40, 9, 8, 10, 11, 12, 1], null],
  ['no time of the day where most is after it', [1, 9, 8, 10, 11, 12, 40], null],
  ['no time of the day that is as busy as the evening', [1, 9, 8, 10, 11, 40, 40], null],
])('timesText names %s', (_, times, text) => {
  expect(timesText(times, 'en-GB')).toBe(text)
})

describe('daysText', () => {
  it.each([
    ['a day', [18, 26, 20, 17, 14, 5], 'Most focus time is on Tuesdays.'],
    ['the weekend', [10, 10, 10, 10, 10, 50], 'Most focus time is on weekends.'],
    ['none of two', [25, 25, 20, 15, 10, 5], null],
  ])('names %s', (_, days, text) => {
    expect(daysText(days)).toBe(text)
  })
})

it('names the seven bars of the day, with the hours between them', () => {
  const bars = timeBars([4, 17, 24, 12, 19, 16, 8], 'en-GB')
  expect(bars.map(({ name, tick }) => [name, tick])).toEqual([
    ['Before 08:00', ''],
    ['08:00 to 10:00', '08:00'],
    ['10:00 to 12:00', '10:00'],
    ['12:00 to 14:00', '12:00'],
    ['14:00 to 16:00', '14:00'],
    ['16:00 to 18:00', '16:00'],
    ['After 18:00', '18:00'],
  ])
  expect(timeBars([40, 9, 8, 10, 11, 12, 1], 'en-GB').some(({ isMost }) => isMost)).toBe(false)
  expect(bars.filter(({ isMost }) => isMost)).toEqual([
    { name: '10:00 to 12:00', tick: '10:00', percent: 24, isMost: true },
  ])
})

it('writes the hours as the region of the reader does', () => {
  const bars = timeBars([4, 17, 24, 12, 19, 16, 8], 'en-US')
  expect(bars.map(({ tick }) => tick.replaceAll(/\s/g, ' '))).toEqual([
    '',
    '8 AM',
    '10 AM',
    '12 PM',
    '2 PM',
    '4 PM',
    '6 PM',
  ])
  expect(timesText([4, 17, 24, 12, 19, 16, 8], 'en-US')).toMatch(/between 10:00\sAM and 12:00\sPM\.$/)
})

it('names the five days and the weekend', () => {
  const bars = dayBars([18, 26, 20, 17, 14, 5])
  expect(bars.map(({ tick }) => tick)).toEqual(['Mo', 'Tu', 'We', 'Th', 'Fr', 'Sa, Su'])
  expect(bars[1]).toEqual({ name: 'Tuesday', tick: 'Tu', percent: 26, isMost: true })
})

it.each([
  ['2026-10-05', '2026-11-01', '5 Oct to 1 Nov'],
  ['2025-12-08', '2026-01-04', '8 Dec 2025 to 4 Jan 2026'],
])('writes %s to %s as %s', (from, to, text) => {
  expect(periodText(from, to, 'en')).toBe(text)
})

it.each([
  [4, 'about four people, or about 40 hours'],
  [10, 'about ten people, or about 100 hours'],
  [50, 'about 50 people, or about 500 hours'],
])('writes a blur of %i as %s', (blur, text) => {
  expect(blurText(blur)).toBe(text)
})

it('writes a Monday without a time zone', () => {
  expect(mondayText('2026-10-05', 'en')).toBe('Monday, 5 October')
})

const DATES: Record<Language, [period: string, monday: string]> = {
  en: ['1 Oct to 4 Jan', 'Monday, 1 June'],
  de: ['1. Okt. bis 4. Jan.', 'Montag, 1. Juni'],
  fr: ['du 1er oct. au 4 janv.', 'lundi 1er juin'],
  es: ['del 1 oct al 4 ene', 'lunes 1 de junio'],
  it: ['1º ott – 4 gen', 'lunedì 1º giugno'],
}

it.each(LANGUAGES)('writes dates in the language "%s"', (language) => {
  const withoutYears = periodText('2025-10-01', '2026-01-04', language).replaceAll(/ \d{4}/g, '')
  expect([withoutYears, mondayText('2026-06-01', language)]).toEqual(DATES[language])
})
