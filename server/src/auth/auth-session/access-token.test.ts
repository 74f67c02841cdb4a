import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { SignJWT } from 'jose'
import { expect, vi } from 'vitest'
import { deriveKeys } from '../../config/keys.ts'
import { createAuthClient } from '../../testing/auth-client.ts'
import { makeUser } from '../../testing/make.ts'
import { test as base } from '../../testing/test.ts'
import { type AccessClaims, createAccessTokens } from './access-token.ts'

const test = base
  .extend('user', { scope: 'file', auto: true }, ({ authApp }) => makeUser(authApp))
  .extend('service', ({ authApp, user }) => {
    /** The responses of the account service and the product to a token. */
    async function answersTo(authorization: string) {
      const ask = (url: string) => authApp.app.inject({ url, headers: { authorization } })
      const [account, product] = await Promise.all([ask('/auth/v1/user'), ask('/whoami')])
      return [account.statusCode, account.json().code, product.statusCode, product.json().code]
    }
    /** A token with the claims of a real one, changed or (undefined) removed, signed with our key or another. */
    function signed(changes: Record<string, unknown>, header = {}, key = authApp.auth.keys.signing.privateKey) {
      return new SignJWT({ ...part(user.accessToken, 1), ...changes })
        .setProtectedHeader({ ...part(user.accessToken, 0), alg: 'ES256', ...header })
        .sign(key)
    }
    return { answersTo, signed }
  })

const BAD = [403, 'bad_jwt', 401, 'not_signed_in']
const MISSING = [401, 'no_authorization', 401, 'not_signed_in']

function part(token: string, index: number): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[index] ?? '', 'base64url').toString())
}

const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')

test('a valid token is accepted, and Bearer is case-insensitive', async ({ authApp, user, service }) => {
  for (const scheme of ['Bearer', 'bearer', 'BEARER ']) {
    expect((await service.answersTo(`${scheme} ${user.accessToken}`)).filter((part) => part)).toEqual([200, 200])
  }
  const known = await authApp.app.inject({ url: '/whoami', headers: { authorization: `Bearer ${user.accessToken}` } })
  expect(known.json()).toMatchObject({ userId: user.userId })
})

test('a request without a token is rejected', async ({ user, service }) => {
  for (const authorization of ['', 'Bearer', 'Bearer ', `Basic ${user.accessToken}`, `Bearer ${user.accessToken} x`]) {
    expect(await service.answersTo(authorization)).toEqual(MISSING)
  }
})

test('threat 21: a token without a signature is rejected', async ({ user, service }) => {
  const [, claims, signature] = user.accessToken.split('.')
  for (const alg of ['none', 'None', 'NONE']) {
    const header = encode({ ...part(user.accessToken, 0), alg })
    expect(await service.answersTo(`Bearer ${header}.${claims}.`)).toEqual(BAD)
    expect(await service.answersTo(`Bearer ${header}.${claims}.${signature}`)).toEqual(BAD)
  }
})

test('threat 21: a token signed with the public key as an HMAC secret is rejected (algorithm confusion)', async ({
  authApp,
  user,
  service,
}) => {
  const [jwk] = authApp.auth.keys.jwks.keys
  const [publicKey] = authApp.auth.keys.publicKeys.values()
  const spki = publicKey?.export({ type: 'spki', format: 'pem' }).toString() ?? ''
  for (const secret of [spki, JSON.stringify(jwk)]) {
    const token = await new SignJWT(part(user.accessToken, 1))
      .setProtectedHeader({ ...part(user.accessToken, 0), alg: 'HS256' })
      .sign(Buffer.from(secret))
    expect(await service.answersTo(`Bearer ${token}`)).toEqual(BAD)
  }
})

test('threat 21: a token of another key is rejected, with its key id, with ours and without one', async ({
  service,
}) => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' })
  for (const header of [{ kid: 'foreign' }, {}, { kid: undefined }]) {
    expect(await service.answersTo(`Bearer ${await service.signed({}, header, privateKey)}`)).toEqual(BAD)
  }
  expect(await service.answersTo(`Bearer ${await service.signed({}, { kid: 'foreign' })}`)).toEqual(BAD)
  expect(await service.answersTo(`Bearer ${await service.signed({}, { kid: undefined })}`)).toEqual(BAD)
})

test('threat 21: a token of another deeb server is rejected', async ({ authApp, user, service }) => {
  const other = createAccessTokens(await deriveKeys(randomBytes(32)), authApp.config.publicUrl)
  const sameKeys = createAccessTokens(authApp.auth.keys, 'https://other.example')
  const claims: AccessClaims = {
    userId: user.userId,
    sessionId: String(part(user.accessToken, 1).session_id),
    email: user.email,
    appMetadata: {},
    userMetadata: {},
    aal: 'aal1',
    amr: [],
  }
  for (const tokens of [other, sameKeys]) {
    expect(await service.answersTo(`Bearer ${await tokens.sign(claims, authApp.clock.now())}`)).toEqual(BAD)
  }
})

test.for([
  ['issuer', { iss: 'https://evil.example/auth/v1' }],
  ['no issuer', { iss: undefined }],
  ['audience', { aud: 'anon' }],
  ['no audience', { aud: undefined }],
  ['no subject', { sub: undefined }],
  ['an empty subject', { sub: '' }],
  ['no session', { session_id: undefined }],
  ['no expiry', { exp: undefined }],
  ['an expiry that is no number', { exp: 'never' }],
  ['a time before which it does not count', { nbf: 99_999_999_999 }],
] as const)('threat 21: a token signed with our key but another %s is rejected', async ([_, changes], { service }) => {
  expect(await service.answersTo(`Bearer ${await service.signed(changes)}`)).toEqual(BAD)
})

test('a token changed in any part is rejected', async ({ user, service }) => {
  const [header = '', claims = '', signature = ''] = user.accessToken.split('.')
  const someoneElse = encode({ ...part(user.accessToken, 1), sub: crypto.randomUUID() })
  const flipped = Buffer.from(signature, 'base64url')
  flipped[10] = (flipped[10] ?? 0) ^ 1
  const changed = [
    `${header}.${someoneElse}.${signature}`,
    `${header}.${claims}.${flipped.toString('base64url')}`,
    `${header}.${claims}`,
    `${header}.${claims}.${signature}.${signature}`,
    `${user.accessToken}x`,
    '..',
    'x.y.z',
    'é',
  ]
  for (const token of changed) expect(await service.answersTo(`Bearer ${token}`)).toEqual(BAD)
})

test('threat 30: a token with the auth session of another user is rejected', async ({ authApp, service }) => {
  const other = await makeUser(authApp)
  const token = await service.signed({ sub: other.userId })
  expect(await service.answersTo(`Bearer ${token}`)).toEqual([403, 'session_not_found', 401, 'not_signed_in'])
})

test('threat 21: a token expires after an hour, also when it is cached', async ({ authApp, service }) => {
  const { accessToken } = await makeUser(authApp)
  authApp.clock.pass(3590)
  expect((await service.answersTo(`Bearer ${accessToken}`))[0]).toBe(200)
  authApp.clock.pass(11)
  expect(await service.answersTo(`Bearer ${accessToken}`)).toEqual(BAD)
  const fresh = await makeUser(authApp)
  authApp.clock.pass(3601)
  expect(await service.answersTo(`Bearer ${fresh.accessToken}`)).toEqual(BAD)
  expect((await createAuthClient(authApp.app).getUser(fresh.accessToken)).error?.code).toBe('bad_jwt')
})

test('a token is verified once, and the cache evicts it', async ({ authApp, service }) => {
  const subtle = vi.spyOn(crypto.subtle, 'verify')
  const tokens = createAccessTokens(authApp.auth.keys, authApp.config.publicUrl)
  const now = authApp.clock.now()
  const many = await Promise.all(
    Array.from({ length: 3 }, (_, n) =>
      service.signed({ exp: Math.floor(now.getTime() / 1000) + 60, session_id: `${n}` }),
    ),
  )
  for (const _ of [1, 2]) for (const token of many) expect(await tokens.verify(token, now)).not.toBeNull()
  expect(subtle).toHaveBeenCalledTimes(3)
  vi.restoreAllMocks()
})
