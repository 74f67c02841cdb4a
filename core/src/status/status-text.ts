/** The words of a person who has not chosen their own. */
export const DEFAULT_WORDS = 'in deeb mode'

export const MAX_WORDS_CHARACTERS = 60

/** The text of a status, such as "in deeb mode until ~10:45". `until` is the end of the target in the person's time zone. */
export function statusText(words: string | null, until: Date | null, timeZone: string): string {
  const start = words ?? DEFAULT_WORDS
  if (until === null) return start
  const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit', timeZone }).format(until)
  return `${start} until ~${time}`
}
