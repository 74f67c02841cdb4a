import { describe, expect, test } from 'vitest'
import { seal, unseal } from './seal.ts'
import { acceptedStep, base32, totpCode, totpStep, totpUri } from './totp.ts'

const SECRET = Buffer.from('12345678901234567890')

describe('a code', () => {
  // RFC 6238, appendix B. Our six digits are the last of its eight.
  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('is valid at %d seconds: %s', (seconds, code) => {
    expect(totpCode(SECRET, totpStep(new Date(seconds * 1000)))).toBe(code)
  })

  test('is valid one step before and after its own, each step once (replay attack)', () => {
    const now = new Date(1_234_567_890_000)
    const present = totpStep(now)
    const accepted = [-2, -1, 0, 1, 2].map((by) => acceptedStep(SECRET, totpCode(SECRET, present + by), null, now))
    expect(accepted).toEqual([null, present - 1, present, present + 1, null])
    const code = totpCode(SECRET, present)
    expect(acceptedStep(SECRET, code, present - 1, now)).toBe(present)
    expect(acceptedStep(SECRET, code, present, now)).toBeNull()
    expect(acceptedStep(SECRET, totpCode(SECRET, present - 1), present, now)).toBeNull()
  })

  test('may contain spaces and invisible characters, and digits of any script', () => {
    const now = new Date(1_234_567_890_000)
    for (const typed of [' 005 924', '005924\u200b', '\u2068005\u202f924\u2069', '００５９２４', '٠٠٥٩٢٤']) {
      expect(acceptedStep(SECRET, typed, null, now)).not.toBeNull()
    }
    for (const typed of ['', '5924', '0005924', '00592x', '-05924']) {
      expect(acceptedStep(SECRET, typed, null, now)).toBeNull()
    }
  })
})

test('base32 follows RFC 4648', () => {
  const spelled = ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'].map((text) => base32(Buffer.from(text)))
  expect(spelled).toEqual(['', 'MY', 'MZXQ', 'MZXW6', 'MZXW6YQ', 'MZXW6YTB', 'MZXW6YTBOI'])
})

test('the otpauth URI escapes issuer and email', () => {
  const uri = totpUri(SECRET, { issuer: 'a:b & c', email: 'x+y?z@fjordlab.example' })
  const { protocol, searchParams, pathname } = new URL(uri)
  expect([protocol, decodeURIComponent(pathname)]).toEqual(['otpauth:', '/a:b & c:x+y?z@fjordlab.example'])
  expect(Object.fromEntries(searchParams)).toEqual({
    secret: base32(SECRET),
    issuer: 'a:b & c',
    algorithm: 'SHA1',
    digits: '6',
    period: '30',
  })
})

describe('an encrypted secret', () => {
  const [key, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)] as const

  test('decrypts with any of the keys, in its context', () => {
    const sealed = seal(key, SECRET, 'here')
    expect(unseal([key], sealed, 'here')).toEqual(SECRET)
    expect(unseal([other, key], sealed, 'here')).toEqual(SECRET)
    expect(seal(key, SECRET, 'here')).not.toEqual(sealed)
    expect(sealed.includes(SECRET)).toBe(false)
  })

  test('does not decrypt in another context, with another key, or changed in one bit', () => {
    const sealed = seal(key, SECRET, 'here')
    expect(() => unseal([key], sealed, 'there')).toThrow('cannot be decrypted')
    expect(() => unseal([other], sealed, 'here')).toThrow('cannot be decrypted')
    for (const at of sealed.keys()) {
      const changed = Buffer.from(sealed.with(at, sealed.readUInt8(at) ^ 1))
      expect(() => unseal([key], changed, 'here')).toThrow('cannot be decrypted')
    }
  })
})
