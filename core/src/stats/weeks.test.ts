import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { localWeekAt, localWeekFrom, mondayAt } from '../focus/split-by-day.ts'
import { LANGUAGES, type Language } from '../languages.ts'
import { comingMonday, earlierWeekIn, isWeek, mondayAfter, weekText } from './weeks.ts'

const ZONES = ['Europe/Berlin', 'Australia/Lord_Howe', 'America/Havana', 'Pacific/Apia', 'Asia/Kathmandu', 'UTC']

describe('mondayAfter', () => {
  it.each([
    ['over the night of a clock change', '2026-10-26', -1, '2026-10-19'],
    ['over the end of a year', '2026-01-05', -1, '2025-12-29'],
    ['over a leap day', '2028-03-06', -1, '2028-02-28'],
    ['forward', '2026-10-19', 2, '2026-11-02'],
  ])('counts weeks %s', (_, monday, weeks, result) => {
    expect(mondayAfter(monday, weeks)).toBe(result)
  })

  it('names adjacent weeks in every time zone: each begins where the previous one ends', () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...ZONES),
        fc.date({ min: new Date('2009-01-01'), max: new Date('2030-12-31'), noInvalidDate: true }),
        (timeZone, instant) => {
          const week = localWeekAt(instant, timeZone)
          const before = localWeekFrom(mondayAfter(mondayAt(instant, timeZone), -1), timeZone)
          expect(before.map(({ dayOfWeek }) => dayOfWeek)).toEqual([1, 2, 3, 4, 5, 6, 0])
          expect(before.at(-1)?.endsAt).toEqual(week[0]?.startsAt)
        },
      ),
    )
  })
})

describe('isWeek', () => {
  it.each(['2026-10-12', '1970-01-05', '2024-12-30', '2028-02-28'])('accepts the Monday %s', (text) => {
    expect(isWeek(text)).toBe(true)
  })

  it.each([
    ['a Tuesday', '2026-10-13'],
    ['a day that no month has', '2026-02-30'],
    ['a week before 1970', '1969-12-29'],
    ['an instant', '2026-10-12T00:00:00Z'],
    ['another format', '12 Oct 2026'],
    ['a year of five digits', '+12026-10-12'],
    ['a text around it', ' 2026-10-12'],
    ['nothing', ''],
  ])('refuses %s', (_, text) => {
    expect(isWeek(text)).toBe(false)
  })
})

describe('earlierWeekIn', () => {
  const history = { firstWeek: '2026-08-03', thisWeek: '2026-10-26' }

  it.each(['2026-08-03', '2026-10-12', '2026-10-19'])('returns %s, a week from the first to the last one', (text) => {
    expect(earlierWeekIn(text, history)).toBe(text)
  })

  it.each([
    ['the current week', '2026-10-26'],
    ['a future week', '2026-11-02'],
    ['a week before the first one', '2026-07-27'],
    ['no week', '2026-10-14'],
    ['no parameter', null],
  ])('returns null for %s', (_, text) => {
    expect(earlierWeekIn(text, history)).toBeNull()
  })

  it('returns null if there is no earlier week', () => {
    expect(earlierWeekIn('2026-10-19', { ...history, firstWeek: null })).toBeNull()
  })
})

describe('weekText', () => {
  it.each([
    ['2026-10-26', 'This week'],
    ['2026-10-19', 'Last week'],
    ['2026-10-12', '12 – 18 Oct'],
    ['2026-09-28', '28 Sep – 4 Oct'],
    // Its Sunday is in the year of the current week.
    ['2025-12-29', '29 Dec – 4 Jan'],
    ['2025-10-13', '13 – 19 Oct 2025'],
    ['2025-09-29', '29 Sep – 5 Oct 2025'],
    ['2024-12-30', '30 Dec 2024 – 5 Jan 2025'],
  ])('names the week of %s: %s', (monday, text) => {
    expect(weekText(monday, '2026-10-26')).toBe(text)
  })

  const names: Record<Language, string[]> = {
    en: ['1 – 7 Jun', '12 – 18 Oct', '28 Sep – 4 Oct', '13 – 19 Oct 2025'],
    de: ['1. – 7. Juni', '12. – 18. Okt.', '28. Sept. – 4. Okt.', '13. – 19. Okt. 2025'],
    fr: ['1er – 7 juin', '12 – 18 oct.', '28 sept. – 4 oct.', '13 – 19 oct. 2025'],
    es: ['1 – 7 jun', '12 – 18 oct', '28 sept – 4 oct', '13 – 19 oct 2025'],
    it: ['1º – 7 giu', '12 – 18 ott', '28 set – 4 ott', '13 – 19 ott 2025'],
  }

  it.each(LANGUAGES)('names weeks in the language %s', (language) => {
    const weeks = ['2026-06-01', '2026-10-12', '2026-09-28', '2025-10-13']
    expect(weeks.map((monday) => weekText(monday, '2026-10-26', language))).toEqual(names[language])
  })

  it('names weeks of the old year in the first week of a new one', () => {
    expect(weekText('2025-12-22', '2026-01-05')).toBe('22 – 28 Dec 2025')
    expect(weekText('2025-12-29', '2026-01-05')).toBe('Last week')
  })

  it('names weeks of the year in which the current week ends', () => {
    // The current week is from 29 December 2025 to 4 January 2026.
    expect(weekText('2025-12-15', '2025-12-29')).toBe('15 – 21 Dec 2025')
  })
})

it('comingMonday is the next Monday that is two days away everywhere', () => {
  expect(comingMonday(new Date('2026-06-15T00:00Z'))).toBe('2026-06-22')
  expect(comingMonday(new Date('2026-06-19T09:59Z'))).toBe('2026-06-22')
  // Saturday begins in Kiritimati.
  expect(comingMonday(new Date('2026-06-19T10:00Z'))).toBe('2026-06-29')
})
