/** What makes a password easy to guess. */
export type Weakness = 'common' | 'few-characters' | 'repeated' | 'names' | 'row'

/** So much of a password must be its own. */
const FEWEST_OWN_CHARACTERS = 4

/** Shorter rows and names occur inside of ordinary words. */
const SHORTEST_ROW = 4
const SHORTEST_NAME = 4

/** What somebody who guesses at this very server tries. */
const PRODUCT_WORDS = ['deeb', 'focus', 'earplug', 'session', 'goal', 'colleague']

/** The alphabet, the digits, and keyboards of English, German and French: along a row, and down one column after another. */
const ROWS = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  ...['qwertyuiop', 'asdfghjkl', 'zxcvbnm', '!@#$%^&*()_+'],
  ...['qwertzuiopü', 'asdfghjklöä', 'yxcvbnm', '!"§$%&/()='],
  ...['azertyuiop', 'qsdfghjklm', 'wxcvbn'],
  ...['1qaz2wsx3edc4rfv5tgb6yhn7ujm', '1qay2wsx3edc4rfv5tgb6zhn7ujm', '1aqw2zsx3edc4rfv5tgb6yhn7uj'],
].flatMap((row) => [row, [...row].reverse().join('')])

/**
 * Why `password`, in NFKC, should not protect the account of `email`; null for one that may. `common` holds passwords in
 * small letters. A rule of composition is not among these: NIST 800-63B advises against them.
 */
export function weaknessOf(password: string, email: string, common: ReadonlySet<string>): Weakness | null {
  const text = password.toLowerCase()
  if (common.has(text)) return 'common'
  if (new Set(text).size <= 2) return 'few-characters'
  if (isRepeated([...text])) return 'repeated'
  const own = withoutNames(text, email)
  if ([...own].length < FEWEST_OWN_CHARACTERS) return 'names'
  return withoutRows([...own]).length < FEWEST_OWN_CHARACTERS ? 'row' : null
}

/** One block again and again, the last one cut off or not: `abcabcab` as well as `otterotter`. */
function isRepeated(characters: string[]): boolean {
  const blocks = Array.from({ length: Math.floor(characters.length / 2) }, (_, index) => index + 1)
  return blocks.some((block) => characters.slice(block).every((character, at) => character === characters[at]))
}

function withoutNames(text: string, email: string): string {
  const [local = ''] = email.split('@')
  const names = [...PRODUCT_WORDS, email, local.replaceAll(/[^\p{L}\p{N}]/gu, ''), ...email.split(/[^\p{L}]+/u)]
  // Longer names first: a shorter one would leave the rest of them.
  return names
    .filter((name) => name.length >= SHORTEST_NAME)
    .sort((a, b) => b.length - a.length)
    .reduce((rest, name) => rest.replaceAll(name, ''), text)
}

/** What is left after each row of four or more is taken out. The same character again and again is a row too. */
function withoutRows(characters: string[]): string[] {
  const own: string[] = []
  for (let at = 0; at < characters.length; ) {
    const length = rowAt(characters, at)
    if (length < SHORTEST_ROW) own.push(...characters.slice(at, at + length))
    at += length
  }
  return own
}

/** How many characters from `at` on follow each other in one row. */
function rowAt(characters: string[], at: number): number {
  let length = 1
  while (at + length < characters.length && isRow(characters.slice(at, at + length + 1))) length += 1
  return length
}

function isRow(part: string[]): boolean {
  const text = part.join('')
  return part.every((character) => character === part[0]) || ROWS.some((row) => row.includes(text))
}
