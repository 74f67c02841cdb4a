/** The limit of a username in code points. */
export const MAX_USERNAME_CHARACTERS = 40
/** Limit of the typed text in UTF-16 units, with room for combining characters. Checked before any Unicode work. */
export const MAX_TYPED_LENGTH = 200

/** The message for a username that `normalizeUsername` refuses. */
export const INVALID_USERNAME = `Use 1 to ${MAX_USERNAME_CHARACTERS} visible characters.`

/**
 * Characters that a username must not contain. Control characters break logs and layouts; PostgreSQL cannot store NUL and lone
 * surrogates.
 *
 * The others are invisible: with zero-width characters, soft hyphens, bidi controls, fillers or the blank braille cell a name
 * could look like another name (spoofing), reversed or empty. Look-alike letters of two scripts are not detected.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u

/**
 * Joiners and variation selectors after a character that takes them. Persian, Hindi, many emoji, and variants of Han and Mongolian
 * letters need them; `usernameKey` removes them, so they cannot make two names that look the same.
 */
const JOINER =
  /(?<=[\p{L}\p{M}\p{N}\p{P}\p{S}])(?:\u200C|\u200D|\uFE0F)|(?<=[\p{L}\p{N}\p{P}\p{S}])[\uFE00-\uFE0E]|(?<=\p{sc=Han})[\u{E0100}-\u{E01EF}]|(?<=\p{sc=Mong})[\u180B-\u180D\u180F]/gu

/** White space and what copied text often has at its ends: zero-width spaces, and bidi marks, embeddings and isolates. */
const AROUND = '[\\s\\u061C\\u200B\\u200E\\u200F\\u202A-\\u202C\\u2060\\u2066-\\u2069]+'
const PASTED_AROUND = new RegExp(`^${AROUND}|${AROUND}$`, 'gu')

/** A letter, digit, punctuation mark, symbol or emoji. An accent alone would be drawn onto the text before the name. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

/**
 * Normalizes a username to the form that is saved: NFC, without what was pasted around it, 1 to 40 code points. Null if it is too
 * long, looks empty or contains an invisible character.
 */
export function normalizeUsername(text: string): string | null {
  if (text.length > MAX_TYPED_LENGTH) return null
  const username = text.normalize('NFC').replaceAll(PASTED_AROUND, '')
  if (INVISIBLE.test(username.replaceAll(JOINER, '')) || !VISIBLE.test(username)) return null
  return [...username].length <= MAX_USERNAME_CHARACTERS ? username : null
}

/**
 * The case-insensitive form of a username, for comparison only. The server stores it in its own column with a unique index.
 * SQL's `lower(username)` depends on the locale of the database, and under "C" it covers A to Z only.
 *
 * Upper case unifies the two forms of the Greek s, and "ß" with "ss". Lower case before that unifies "ẞ" and the Kelvin sign.
 * Both can produce text that is not NFC.
 */
export function usernameKey(username: string): string {
  return username.replaceAll(JOINER, '').toLowerCase().toUpperCase().normalize('NFC')
}
