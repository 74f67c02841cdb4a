const MAX_CHARACTERS = 40
/** Of what is typed, in UTF-16 units: room for combining characters. Checked before any Unicode work. */
export const MAX_TYPED_LENGTH = 200

/** The message for a username that `normalizeUsername` refuses. */
export const INVALID_USERNAME = `Use 1 to ${MAX_CHARACTERS} visible characters.`

/**
 * Control characters break logs and layouts, NUL and lone surrogates cannot be stored in PostgreSQL. The rest cannot be
 * seen: zero-width characters, soft hyphens, bidi controls, fillers and the blank braille cell give "ann" a twin that looks
 * the same, turn a name round, or leave it looking empty. Letters of two scripts that look alike are not told apart here.
 */
const INVISIBLE = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}\u2800]/u

/**
 * Joiners and the emoji variation selector, right behind something visible: Persian and Hindi are written with them, and
 * many an emoji is glued with them. The key leaves them out, so that nobody's twin is made of them.
 */
const JOINER = /(?<=[\p{L}\p{M}\p{N}\p{P}\p{S}])(?:\u200C|\u200D|\uFE0F)/gu

/** A letter, figure, sign or emoji. An accent alone is drawn onto whatever stands before the name. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u

/**
 * The username as it is saved: NFC, trimmed, 1 to 40 characters counted in code points. Null when it is refused, which is
 * when it is too long, looks empty or holds a character that cannot be seen.
 */
export function normalizeUsername(text: string): string | null {
  if (text.length > MAX_TYPED_LENGTH) return null
  const username = text.normalize('NFC').trim()
  if (INVISIBLE.test(username.replaceAll(JOINER, '')) || !VISIBLE.test(username)) return null
  return [...username].length <= MAX_CHARACTERS ? username : null
}

/**
 * What two usernames have in common when they differ in letter case only. The server saves it beside the username, in a
 * column with a plain unique index, and this function is the only one that makes it. An index over SQL's `lower(username)`
 * would not do: what `lower` knows depends on the locale the database was made with, and under "C" it is A to Z only.
 *
 * The key is for comparing and never shown. Upper-casing takes the two forms of the Greek s together, and "ß" with "ss";
 * lower-casing first brings "ẞ" and the Kelvin sign along. Both can leave NFC.
 */
export function usernameKey(username: string): string {
  return username.replaceAll(JOINER, '').toLowerCase().toUpperCase().normalize('NFC')
}
