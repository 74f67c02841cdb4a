/*
 * Names of the days of the week, by their number in the database: 0 = Sunday to 6 = Saturday. By default in the language of the page.
 * A module of its own: the first paint needs goals, but no names.
 */
import * as texts from '@deeb/texts/weekdays'
import type { Language } from '../languages.ts'

const NAMES = [texts.sunday, texts.monday, texts.tuesday, texts.wednesday, texts.thursday, texts.friday, texts.saturday]

const SHORT_NAMES = [
  texts.sundayShort,
  texts.mondayShort,
  texts.tuesdayShort,
  texts.wednesdayShort,
  texts.thursdayShort,
  texts.fridayShort,
  texts.saturdayShort,
]

const LETTERS = [
  texts.sundayLetter,
  texts.mondayLetter,
  texts.tuesdayLetter,
  texts.wednesdayLetter,
  texts.thursdayLetter,
  texts.fridayLetter,
  texts.saturdayLetter,
]

/** `Monday`: with a capital in every language, for labels. */
export function weekdayName(dayOfWeek: number, language?: Language): string {
  return nameIn(NAMES, dayOfWeek, language)
}

/** `Mo` */
export function weekdayShortName(dayOfWeek: number, language?: Language): string {
  return nameIn(SHORT_NAMES, dayOfWeek, language)
}

/** `M`: for the bars of a chart. */
export function weekdayLetter(dayOfWeek: number, language?: Language): string {
  return nameIn(LETTERS, dayOfWeek, language)
}

function nameIn(names: (typeof texts.monday)[], dayOfWeek: number, language: Language | undefined): string {
  return names[dayOfWeek]?.({}, language && { locale: language }) ?? ''
}
