import { usernameKey } from '../account/username.ts'

/** One word of a search query. */
export interface SearchWord {
  /** The word in the form of usernameKey(), for comparison. */
  key: string
  /** One or two letters. It matches only the beginning of a word, since it would match almost every name inside one. */
  isShort: boolean
}

/** Separators of words: white space, and characters that cannot be typed or stored. */
const SEPARATORS = /[\s\p{Cc}\p{Cs}]+/u

const SHORT_LETTERS = 2

/** The words of a query, deduplicated. The longest and so most selective word is first, short ones are last. */
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
