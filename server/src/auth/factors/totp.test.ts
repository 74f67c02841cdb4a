import { describe, expect, test } from 'vitest'
import { seal, unseal } from './seal.ts'
import { acceptedStep, base32, totpCode, totpStep, totpUri } from './totp.ts'

const SECRET = Buffer.from('12345678901234567890')

describe('a code', () => {
  // RFC 6238, appendix B: its eight digits end in our six.
  test.each([
    [59, '287082'],
    [1_111_111_109, '081804'],
    [1_111_111_111, '050471'],
    [1_234_567_890, '005924'],
    [2_000_000_000, '279037'],
    [20_000_000_000, '353130'],
  ])('at %d seconds is %s', (seconds, code) => {
    expect(totpCode(SECRET, totpStep(new Date(seconds * 1000)))).toBe(code)
  })

  test('counts one step before and after its own, each step once', () => {
    const now = new Date(1_234_567_890_000)
    const present = totpStep(now)
    const accepted = [-2, -1, 0, 1, 2].map((by) => acceptedStep(SECRET, totpCode(SECRET, present + by), null, now))
    expect(accepted).toEqual([null, present - 1, present, present + 1, null])
    const code = totpCode(SECRET, present)
    expect(acceptedStep(SECRET, code, present - 1, now)).toBe(present)
    expect(acceptedStep(SECRET, code, present, now)).toBeNull()
    expect(acceptedStep(SECRET, totpCode(SECRET, present - 1), present, now)).toBeNull()
  })

  test('may be typed with the gap that apps show, and nothing else', () => {
    const now = new Date(1_234_567_890_000)
    expect(acceptedStep(SECRET, ' 005 924', null, now)).not.toBeNull()
    for (const typed of ['', '5924', '0005924', '00592４', '00592x', '-05924']) {
      expect(acceptedStep(SECRET, typed, null, now)).toBeNull()
    }
  })
})

test('a secret is spelled as RFC 4648 has it', () => {
  const spelled = ['', 'f', 'fo', 'foo', 'foob', 'fooba', 'foobar'].map((text) => base32(Buffer.from(text)))
  expect(spelled).toEqual(['', 'MY', 'MZXQ', 'MZXW6', 'MZXW6YQ', 'MZXW6YTB', 'MZXW6YTBOI'])
})

test('the address for apps escapes what it is given', () => {
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

describe('a sealed secret', () => {
  const [key, other] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)] as const

  test('opens with any of the keys, at its place', () => {
    const sealed = seal(key, SECRET, 'here')
    expect(unseal([key], sealed, 'here')).toEqual(SECRET)
    expect(unseal([other, key], sealed, 'here')).toEqual(SECRET)
    expect(seal(key, SECRET, 'here')).not.toEqual(sealed)
    expect(sealed.includes(SECRET)).toBe(false)
  })

  test('does not open elsewhere, with another key, or changed in one bit', () => {
    const sealed = seal(key, SECRET, 'here')
    expect(() => unseal([key], sealed, 'there')).toThrow('does not open')
    expect(() => unseal([other], sealed, 'here')).toThrow('does not open')
    for (const at of sealed.keys()) {
      const changed = Buffer.from(sealed.with(at, sealed.readUInt8(at) ^ 1))
      expect(() => unseal([key], changed, 'here')).toThrow('does not open')
    }
  })
})
