import * as texts from '@deeb/texts/status'
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
  const format = { hour: '2-digit', minute: '2-digit', hourCycle: 'h23', timeZone } as const
  const time = new Intl.DateTimeFormat(language, format).format(until)
  return texts.withEnd({ words: start, time }, { locale: language })
}
