import { usernameKey } from '../account/username.ts'

/** One typed word as it is compared, which is in the form of usernameKey(). */
export interface SearchWord {
  key: string
  /** One or two letters: looked for at the beginnings of words only, for in their middle everybody has them. */
  isShort: boolean
}

/** What separates typed words: white space, and what cannot be typed or stored. */
const SEPARATORS = /[\s\p{Cc}\p{Cs}]+/u

const SHORT_LETTERS = 2

/** The different words of what was typed, the longest first, which says most; short ones come last in any case. */
export function searchWords(query: string): SearchWord[] {
  const typed = query
    .normalize('NFC')
    .split(SEPARATORS)
    .filter((word) => word !== '')
  const words = new Map(
    typed.map((word) => [usernameKey(word), { key: usernameKey(word), isShort: [...word].length <= SHORT_LETTERS }]),
  )
  return [...words.values()].sort((a, b) => Number(a.isShort) - Number(b.isShort) || b.key.length - a.key.length)
}
