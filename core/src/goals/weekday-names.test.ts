import { describe, expect, it } from 'vitest'
import { LANGUAGES, type Language } from '../languages.ts'
import { WEEK_FROM_MONDAY } from './week-of-goals.ts'
import { weekdayLetter, weekdayName, weekdayShortName } from './weekday-names.ts'

const SHORT_NAMES: Record<Language, string> = {
  en: 'Mo Tu We Th Fr Sa Su',
  de: 'Mo Di Mi Do Fr Sa So',
  fr: 'Lu Ma Me Je Ve Sa Di',
  es: 'lu ma mi ju vi sá do',
  it: 'Lu Ma Me Gi Ve Sa Do',
}

describe('names of weekdays', () => {
  it.each(LANGUAGES)('are short in the order of the screens, in %s', (language) => {
    const shortNames = WEEK_FROM_MONDAY.map((dayOfWeek) => weekdayShortName(dayOfWeek, language))
    expect(shortNames.join(' ')).toBe(SHORT_NAMES[language])
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
