import * as texts from '@deeb/texts/status'
import { localTimeOf } from '../focus/split-by-day.ts'
import type { Language } from '../languages.ts'

/** The words of a person who has not chosen their own. */
export function defaultWords(language: Language): string {
  return texts.inDeebMode({}, { locale: language })
}

/**
 * The text of a status, such as "in deeb mode until ~10:45", in the language of the person. `until` is the end of the target in the
 * person's time zone.
 */
export function statusText(words: string | null, until: Date | null, timeZone: string, language: Language): string {
  const start = words ?? defaultWords(language)
  if (until === null) return start
  const time = localTimeOf(until, timeZone).slice(11, 16)
  return texts.withEnd({ words: start, time }, { locale: language })
}
