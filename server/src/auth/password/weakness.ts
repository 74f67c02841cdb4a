/** The reason why a password is easy to guess. */
export type Weakness = 'common' | 'few-characters' | 'repeated' | 'names' | 'sequence'

/** The characters that must remain without names, and without sequences. */
const MIN_OWN_CHARACTERS = 4

/** Shorter sequences and names occur inside ordinary words. */
const MIN_SEQUENCE_LENGTH = 4
const MIN_NAME_LENGTH = 4

/** Words of this product. An attacker of this server would try them. */
const PRODUCT_WORDS = ['deeb', 'focus', 'earplug', 'session', 'goal', 'colleague']

/** The alphabet, the digits, and the rows and columns of English, German and French keyboards, in both directions. */
const SEQUENCES = [
  'abcdefghijklmnopqrstuvwxyz',
  '01234567890',
  ...['qwertyuiop', 'asdfghjkl', 'zxcvbnm', '!@#$%^&*()_+'],
  ...['qwertzuiopü', 'asdfghjklöä', 'yxcvbnm', '!"§$%&/()='],
  ...['azertyuiop', 'qsdfghjklm', 'wxcvbn'],
  ...['1qaz2wsx3edc4rfv5tgb6yhn7ujm', '1qay2wsx3edc4rfv5tgb6zhn7ujm', '1aqw2zsx3edc4rfv5tgb6yhn7uj'],
].flatMap((row) => [row, [...row].reverse().join('')])

/**
 * Why `password` (in NFKC) is too weak for the account of `email`; null if it is not. `common` holds passwords in lower case.
 * There are no composition rules, as NIST 800-63B advises.
 */
export function weaknessOf(password: string, email: string, common: ReadonlySet<string>): Weakness | null {
  const text = password.toLowerCase()
  if (common.has(text)) return 'common'
  if (new Set(text).size <= 2) return 'few-characters'
  if (isRepeated([...text])) return 'repeated'
  const own = withoutNames(text, email)
  if ([...own].length < MIN_OWN_CHARACTERS) return 'names'
  return withoutSequences([...own]).length < MIN_OWN_CHARACTERS ? 'sequence' : null
}

/** Whether one block repeats, the last one complete or not: `otterotter`, `abcabcab`. */
function isRepeated(characters: string[]): boolean {
  const blocks = Array.from({ length: Math.floor(characters.length / 2) }, (_, index) => index + 1)
  return blocks.some((block) => characters.slice(block).every((character, at) => character === characters[at]))
}

function withoutNames(text: string, email: string): string {
  const [local = ''] = email.split('@')
  const names = [...PRODUCT_WORDS, email, local.replaceAll(/[^\p{L}\p{N}]/gu, ''), ...email.split(/[^\p{L}]+/u)]
  // Longer names first, since a shorter name may be part of a longer one.
  return names
    .filter((name) => name.length >= MIN_NAME_LENGTH)
    .sort((a, b) => b.length - a.length)
    .reduce((rest, name) => rest.replaceAll(name, ''), text)
}

/** The characters outside sequences of four or more. A repeated character is a sequence too. */
function withoutSequences(characters: string[]): string[] {
  const own: string[] = []
  for (let at = 0; at < characters.length; ) {
    const length = sequenceLengthAt(characters, at)
    if (length < MIN_SEQUENCE_LENGTH) own.push(...characters.slice(at, at + length))
    at += length
  }
  return own
}

/** The length of the longest sequence that starts at `at`, at least 1. */
function sequenceLengthAt(characters: string[], at: number): number {
  let length = 1
  while (at + length < characters.length && isSequence(characters.slice(at, at + length + 1))) length += 1
  return length
}

function isSequence(part: string[]): boolean {
  const text = part.join('')
  return part.every((character) => character === part[0]) || SEQUENCES.some((sequence) => sequence.includes(text))
}
