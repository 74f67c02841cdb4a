import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { normalizeUsername, usernameKey } from './username.ts'

describe('normalizeUsername', () => {
  it.each([
    ['ann', 'ann'],
    ['  ann meyer\t', 'ann meyer'],
    ['Änne', 'Änne'],
    // An A and a combining diaeresis, as some keyboards send it, become one character.
    ['A\u0308nne', 'Änne'],
    ['山田　太郎', '山田　太郎'],
    ['سارة', 'سارة'],
    ['काव्या', 'काव्या'],
    ['7', '7'],
    ['_', '_'],
    ['🦊', '🦊'],
    ['👍🏽', '👍🏽'],
    // An emoji with a variation selector, one with joiners, and Persian with a non-joiner.
    ['❤\ufe0f', '❤\ufe0f'],
    ['👨\u200d👩\u200d👧', '👨\u200d👩\u200d👧'],
    ['می\u200cخواهم', 'می\u200cخواهم'],
    // Variants of Han letters, a standardized variant, an emoji as text, and a variant of a Mongolian letter.
    ['渡邉\u{e0102}', '渡邉\u{e0102}'],
    ['葛\u{e0100}城', '葛\u{e0100}城'],
    ['﨑\ufe00', '﨑\ufe00'.normalize('NFC')],
    ['❤\ufe0e', '❤\ufe0e'],
    ['ᠠ\u180b', 'ᠠ\u180b'],
    // Copied from pages and chats.
    ['ann\u200b', 'ann'],
    ['\u202aann\u202c', 'ann'],
    ['\u200e \u2068ann meyer\u2069 \u200f', 'ann meyer'],
    ['\ufeffann\u2060', 'ann'],
  ])('normalizes %j to %j', (text, username) => {
    expect(normalizeUsername(text)).toBe(username)
  })

  it.each([
    ['nothing', ''],
    ['spaces only', ' \u00a0\u3000\t\n'],
    ['a control character', 'an\u0007n'],
    ['a line feed inside', 'an\nn'],
    ['NUL', 'an\0n'],
    ['a C1 control', 'an\u0085n'],
    ['a line separator', 'an\u2028n'],
    ['a lone surrogate', 'an\ud83dn'],
    ['a zero-width space', 'an\u200bn'],
    ['a joiner with nothing before it', '\u200dann'],
    ['two joiners in a row', 'an\u200d\u200dn'],
    ['a byte order mark inside', 'an\ufeffn'],
    ['a soft hyphen', 'an\u00adn'],
    ['a word joiner', 'an\u2060n'],
    ['a right-to-left override', '\u202enna'],
    ['a bidi isolate', 'an\u2066n'],
    ['an Arabic letter mark', 'an\u061cn'],
    ['an annotation mark', 'an\ufff9n'],
    ['a tag character', 'an\u{e0061}n'],
    ['a Hangul filler alone', '\u3164'],
    ['a half-width Hangul filler', 'ann\uffa0'],
    ['a blank braille cell', '\u2800'],
    ['an accent alone', '\u0301'],
    ['an ideographic variation selector after a Latin letter', 'ann\u{e0100}'],
    ['two variation selectors of one letter', '葛\u{e0100}\u{e0101}'],
    ['two text selectors of one emoji', '❤\ufe0e\ufe0e'],
    ['nothing but what is pasted around a name', '\u200e\u200b'],
  ])('refuses %s', (_, text) => {
    expect(normalizeUsername(text)).toBeNull()
  })

  it('counts up to 40 code points after NFC and trimming', () => {
    expect(normalizeUsername('x'.repeat(40))).not.toBeNull()
    expect(normalizeUsername('x'.repeat(41))).toBeNull()
    expect(normalizeUsername(` ${'x'.repeat(40)} `)).not.toBeNull()
    // An emoji is two UTF-16 units and one character.
    expect(normalizeUsername('🦊'.repeat(40))).not.toBeNull()
    expect(normalizeUsername('🦊'.repeat(41))).toBeNull()
    expect(normalizeUsername('a\u0308'.repeat(40))).toBe('ä'.repeat(40))
  })

  it('threat 88: checks the length of the typed text first', () => {
    expect(normalizeUsername(`${' '.repeat(197)}ann`)).toBe('ann')
    expect(normalizeUsername(`${' '.repeat(198)}ann`)).toBeNull()
  })

  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 45 }), (text) => {
        const username = normalizeUsername(text)
        fc.pre(username !== null)
        expect(normalizeUsername(username)).toBe(username)
        expect(/\p{Cs}/u.test(username)).toBe(false)
      }),
    )
  })
})

describe('usernameKey', () => {
  it('removes joiners and variation selectors, so that two names cannot look the same', () => {
    expect(usernameKey('渡邉\u{e0102}')).toBe(usernameKey('渡邉'))
    expect(usernameKey('葛\u{e0100}城')).toBe(usernameKey('葛城'))
    expect(usernameKey('an\u200dn')).toBe(usernameKey('ann'))
    expect(usernameKey('❤\ufe0f')).toBe(usernameKey('❤'))
  })

  it.each([
    ['ann', 'ANN'],
    ['änne', 'ÄNNE'],
    ['straße', 'STRASSE'],
    ['straße', 'STRAẞE'],
    ['οδος', 'ΟΔΟΣ'],
    // The last letter of a word has another form in Greek.
    ['οδος', 'οδοσ'],
    ['ёлка', 'ЁЛКА'],
    // The Kelvin sign is a capital k.
    ['kim', '\u212aim'],
  ])('is the same for %s and %s', (one, other) => {
    expect(usernameKey(one)).toBe(usernameKey(other))
  })

  it.each([
    ['ann', 'anne'],
    ['anne', 'änne'],
    ['ann meyer', 'annmeyer'],
    ['елка', 'ёлка'],
  ])('differs for %s and %s', (one, other) => {
    expect(usernameKey(one)).not.toBe(usernameKey(other))
  })

  it('is the same for all case forms of every code point', () => {
    const letters = Array.from({ length: 0x110000 }, (_, code) => code)
      .filter((code) => code < 0xd800 || code > 0xdfff)
      .map((code) => String.fromCodePoint(code).normalize('NFC'))
    const hasCase = (letter: string) => letter.toUpperCase() !== letter || letter.toLowerCase() !== letter
    const broken = letters.filter(hasCase).filter((letter) => {
      const key = usernameKey(letter)
      const forms = [letter.toUpperCase(), letter.toLowerCase(), key].flatMap((form) => [form, form.normalize('NFC')])
      return forms.some((form) => usernameKey(form) !== key)
    })
    expect(broken).toEqual([])
    // All at one time, since one call for each of a million letters takes many seconds.
    const caseless = letters.filter((letter) => !hasCase(letter)).join(' ')
    expect(usernameKey(caseless) === caseless).toBe(true)
  })
})
