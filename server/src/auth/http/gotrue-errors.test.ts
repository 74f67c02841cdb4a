import type { InjectOptions } from 'fastify'
import { describe, expect } from 'vitest'
import { APPS } from '../../testing/apps.ts'
import { createAuthClient } from '../../testing/auth-client.ts'
import { makeUser, PASSWORD } from '../../testing/make.ts'
import { test as base } from '../../testing/test.ts'

const test = base.extend('settings', { scope: 'file' }, APPS).extend('service', ({ authApp }) => {
  /**
   * Sends a request unchanged from an address of its own. Expects the shape of errors and the headers of every
   * response.
   */
  async function send(request: InjectOptions) {
    callers += 1
    const remoteAddress = `10.0.${callers >> 8}.${callers & 255}`
    const answer = await authApp.app.inject({
      method: 'POST',
      remoteAddress,
      ...request,
      url: `/auth/v1${request.url}`,
    })
    expect(answer.headers).toMatchObject({ 'x-supabase-api-version': '2024-01-01', vary: 'Origin' })
    if (answer.statusCode < 400) return answer
    const { code, message } = answer.json()
    expect(answer.json()).toMatchObject({ code, error_code: code, message, msg: message })
    expect(answer.headers).toMatchObject({
      'content-type': expect.stringContaining('json'),
      'cache-control': 'no-store',
    })
    return answer
  }
  async function refused(request: InjectOptions) {
    const answer = await send(request)
    return [answer.statusCode, answer.json().code]
  }
  async function unreachableRefreshToken() {
    authApp.outage.isOn = false
    const { refreshToken } = await makeUser(authApp)
    authApp.outage.isOn = true
    return refreshToken
  }
  return { send, refused, unreachableRefreshToken }
})

test.afterEach(({ authApp }) => {
  authApp.outage.isOn = false
})

let callers = 0

const POSTS = [
  '/signup',
  '/verify',
  '/token?grant_type=password',
  '/token?grant_type=refresh_token',
  '/resend',
  '/recover',
]
const JSON_TYPE = { 'content-type': 'application/json;charset=UTF-8' }

describe.each(POSTS)('POST %s', (url) => {
  test('rejects a body that is not JSON', async ({ service }) => {
    for (const payload of ['{"email":', 'email=a', '{} {}']) {
      expect(await service.refused({ url, headers: JSON_TYPE, payload })).toEqual([400, 'bad_json'])
    }
  })

  test('rejects JSON of another shape', async ({ service }) => {
    const wrong = ['[]', 'null', '7', '"x"', '{"email":7,"password":[],"refresh_token":{},"token_hash":7}', '']
    for (const payload of wrong) {
      expect((await service.send({ url, headers: JSON_TYPE, payload })).statusCode).toBeGreaterThanOrEqual(400)
      expect((await service.send({ url, headers: JSON_TYPE, payload })).statusCode).toBeLessThan(500)
    }
  })

  test('rejects another content type', async ({ service }) => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const headers = { 'content-type': type }
      expect(await service.refused({ url, headers, payload: '{}' })).toEqual([415, 'json_required'])
    }
  })

  test('rejects a body over 16 KiB, and one of a megabyte', async ({ service }) => {
    for (const length of [16 * 1024 + 1, 1024 * 1024]) {
      const payload = JSON.stringify({ email: 'x'.repeat(length) })
      expect(await service.refused({ url, headers: JSON_TYPE, payload })).toEqual([413, 'body_too_large'])
    }
  })

  test('answers with a 503 and Retry-After without the database', async ({ authApp, service }) => {
    authApp.outage.isOn = true
    const payload = {
      email: 'ann@fjordlab.example',
      password: PASSWORD,
      type: 'signup',
      token_hash: 'x',
      refresh_token: (await service.unreachableRefreshToken()) ?? '',
    }
    const answer = await service.send({ url, payload })
    expect([answer.statusCode, answer.json().code]).toEqual([503, 'unexpected_failure'])
    expect(answer.headers['retry-after']).toBe('5')
    expect(answer.body).not.toContain('ECONNREFUSED')
  })
})

test('the other routes answer with a 503 too without the database', async ({ authApp, service }) => {
  const { accessToken } = await makeUser(authApp)
  const headers = { authorization: `Bearer ${accessToken}` }
  authApp.outage.isOn = true
  expect(await service.refused({ method: 'GET', url: '/user', headers })).toEqual([503, 'unexpected_failure'])
  expect(await service.refused({ url: '/logout?scope=local', headers })).toEqual([503, 'unexpected_failure'])
  expect(await service.refused({ method: 'GET', url: '/health' })).toEqual([503, 'unexpected_failure'])
  const product = await authApp.app.inject({ url: '/whoami', headers })
  expect([product.statusCode, product.json().code]).toEqual([503, 'unavailable'])
})

test('unknown members are ignored', async ({ service }) => {
  const payload = {
    email: 'extra@fjordlab.example',
    password: PASSWORD,
    gotrue_meta_security: { captcha_token: 'x' },
    code_challenge: null,
    code_challenge_method: null,
    channel: 'sms',
    id: 'x',
    role: 'admin',
    app_metadata: { admin: true },
  }
  const answer = await service.send({ url: '/signup', payload })
  expect(answer.json()).toMatchObject({ role: 'authenticated', app_metadata: { provider: 'email' } })
})

test('an unknown path is a JSON 404 for every method', async ({ service }) => {
  for (const method of ['GET', 'POST', 'PUT', 'DELETE'] as const) {
    for (const url of ['/nothing', '/', '', '/admin/users', '/user/']) {
      expect(await service.refused({ method, url })).toEqual([404, 'not_found'])
    }
  }
  expect(await service.refused({ method: 'GET', url: '/signup' })).toEqual([404, 'not_found'])
})

test('an unsupported feature has an error code that auth-js knows', async ({ authApp, service }) => {
  const device = createAuthClient(authApp.app)
  const { email } = await makeUser(authApp)
  await device.signInWithPassword({ email, password: PASSWORD })
  const identity = (await device.getUserIdentities()).data?.identities[0]
  if (!identity) throw new Error('There is no identity.')
  const { error: otp } = await device.signInWithOtp({ email })
  expect([otp?.status, otp?.code]).toEqual([422, 'otp_disabled'])
  const { error: unlinking } = await device.unlinkIdentity({ ...identity, identity_id: identity.id })
  expect([unlinking?.status, unlinking?.code]).toEqual([404, 'identity_not_found'])
  expect(await service.refused({ url: '/magiclink', payload: { email } })).toEqual([422, 'otp_disabled'])
  expect(await service.refused({ url: '/token?grant_type=web3', payload: {} })).toEqual([422, 'web3_provider_disabled'])
  expect(await service.refused({ method: 'GET', url: '/authorize?provider=x' })).toEqual([400, 'validation_failed'])
})

test('settings list the supported features', async ({ service }) => {
  const { body, headers } = await service.send({ method: 'GET', url: '/settings' })
  expect(JSON.parse(body)).toEqual({
    external: { email: true, phone: false },
    disable_signup: false,
    mailer_autoconfirm: false,
    phone_autoconfirm: false,
    password_min_length: 8,
    passkeys_enabled: true,
    sso_enabled: false,
    sso: null,
    app_scheme: { android: 'com.example.deeb', ios: 'com.example.deeb' },
  })
  expect(headers['cache-control']).toBe('no-store')
  expect((await service.send({ method: 'GET', url: '/health' })).statusCode).toBe(200)
})

test('the public keys are cacheable for ten minutes and contain nothing private', async ({ service }) => {
  const answer = await service.send({ method: 'GET', url: '/.well-known/jwks.json' })
  expect(answer.headers['cache-control']).toBe('public, max-age=600')
  const keys: unknown = answer.json().keys
  expect(keys).toEqual([
    {
      kty: 'EC',
      crv: 'P-256',
      x: expect.stringMatching(/^[\w-]{43}$/),
      y: expect.stringMatching(/^[\w-]{43}$/),
      kid: expect.any(String),
      alg: 'ES256',
      use: 'sig',
    },
  ])
})

describe('from another origin', () => {
  test.for(['http://localhost:3000', 'https://localhost', 'capacitor://localhost'])(
    '%s can read responses',
    async (origin, { service }) => {
      const preflight = await service.send({
        method: 'OPTIONS',
        url: '/token',
        headers: { origin, 'access-control-request-method': 'POST', 'access-control-request-headers': 'content-type' },
      })
      expect(preflight.statusCode).toBe(204)
      expect(preflight.headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-headers': 'authorization, content-type, x-client-info, x-supabase-api-version, apikey',
        'access-control-allow-methods': 'GET, POST, PUT, PATCH, DELETE',
      })
      for (const url of ['/token?grant_type=password', '/nothing']) {
        const answer = await service.send({ url, headers: { origin }, payload: {} })
        expect(answer.headers).toMatchObject({
          'access-control-allow-origin': origin,
          'access-control-expose-headers': 'x-supabase-api-version, retry-after, x-deeb-oldest-client',
        })
        expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
      }
    },
  )

  test.for(['https://evil.example', 'null', 'http://localhost:3000.evil.example', 'http://localhost'])(
    '%s cannot read responses',
    async (origin, { service }) => {
      for (const method of ['OPTIONS', 'POST'] as const) {
        const answer = await service.send({ method, url: '/token?grant_type=password', headers: { origin } })
        expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([])
      }
    },
  )
})
