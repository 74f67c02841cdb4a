import { describe, expect, it } from 'vitest'
import { LANGUAGES } from '../languages.ts'
import { WEEK_FROM_MONDAY } from './week-of-goals.ts'
import { weekdayLetter, weekdayName, weekdayShortName } from './weekday-names.ts'

describe('names of weekdays', () => {
  it('are short in the order of the screens', () => {
    const shortNames = LANGUAGES.map((language) =>
      WEEK_FROM_MONDAY.map((dayOfWeek) => weekdayShortName(dayOfWeek, language)).join(' '),
    )
    expect(shortNames).toEqual([
      'Mo Tu We Th Fr Sa Su',
      'Mo Di Mi Do Fr Sa So',
      'lu ma me je ve sa di',
      'lu ma mi ju vi sá do',
    ])
  })

  it('are English without a language', () => {
    expect([weekdayName(0), weekdayShortName(0), weekdayLetter(0)]).toEqual(['Sunday', 'Su', 'S'])
  })

  it.each(LANGUAGES)('number each day as Date.getUTCDay does, in %s', (language) => {
    const format = (weekday: 'long' | 'narrow') => new Intl.DateTimeFormat(language, { weekday, timeZone: 'UTC' })
    for (const dayOfWeek of WEEK_FROM_MONDAY) {
      // 4 January 2026 was a Sunday.
      const day = new Date(Date.UTC(2026, 0, 4 + dayOfWeek))
      const name = weekdayName(dayOfWeek, language)
      expect(name.toLowerCase()).toBe(format('long').format(day).toLowerCase())
      expect(name.toLowerCase().startsWith(weekdayShortName(dayOfWeek, language).toLowerCase())).toBe(true)
      expect(weekdayLetter(dayOfWeek, language)).toBe(format('narrow').format(day))
    }
  })
})
