import { expect, test } from 'vitest'
import { aBrowser, browserWith } from '../testing/push-service.ts'
import { encryptFor, isPublicKey } from './encrypt.ts'

const bytes = (text: string) => Buffer.from(text, 'base64url')
const keysOf = ({ keys }: ReturnType<typeof aBrowser>) => ({
  p256dh: bytes(keys.p256dh),
  authSecret: bytes(keys.auth),
})

test('the browser of the tests decrypts the example of RFC 8291', () => {
  const browser = browserWith(bytes('q1dXpw3UpT5VOmu_cf_v6ih07Aems3njxI-JWgLcM94'), bytes('BTBZMqHH6r4Tts7J_aSIgg'))
  const body =
    'DGv6ra1nlYgDCS1FRnbzlwAAEABBBP4z9KsN6nGRTbVYI_c7VJSPQTBtkgcy27mlmlMoZIIgDll6e3vCYLocInmYWAmS6TlzAC8wEqKK6PBru3jl7A_yl95bQpu6cVPTpK4Mqgkf1CXztLVBSt2Ks3oZwbuwXPXLWyouBWLVWGNWQexSgSxsj_Qulcy4a-fN'
  expect(browser.decrypt(bytes(body))).toBe('When I grow up, I want to be a watermelon')
})

test('a message is decrypted by its browser and by no other', () => {
  const [browser, other] = [aBrowser(), aBrowser()]
  const body = encryptFor(keysOf(browser), { name: 'Ann Meyer' })
  expect(JSON.parse(browser.decrypt(body))).toEqual({ name: 'Ann Meyer' })
  expect(() => other.decrypt(body)).toThrow()
  expect(encryptFor(keysOf(browser), { name: 'Ann Meyer' })).not.toEqual(body)
})

test('threat 131: the length of a message does not tell whom it names', () => {
  const browser = aBrowser()
  const lengths = ['Bo', 'Ann Meyer', 'x'.repeat(200)].map((name) => encryptFor(keysOf(browser), { name }).length)
  expect(new Set(lengths).size).toBe(1)
})

test('only points of the curve are public keys', () => {
  expect(isPublicKey(bytes(aBrowser().keys.p256dh))).toBe(true)
  expect(isPublicKey(Buffer.alloc(65, 4))).toBe(false)
  expect(isPublicKey(Buffer.alloc(65))).toBe(false)
})
