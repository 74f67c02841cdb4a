// Runs in npm run test:all.
import { describe, expect, vi } from 'vitest'
import { statement } from '../../db/db.ts'
import { createAuthClient } from '../../testing/auth-client.ts'
import { makeUser, PASSWORD } from '../../testing/make.ts'
import { test as base } from '../../testing/test.ts'
import { REAL_COST } from '../../testing/test-config.ts'
import { AuthError } from '../http/auth-error.ts'

const test = base.extend('settings', { scope: 'file' }, REAL_COST).extend('service', ({ authApp }) => {
  async function token(grant: 'password' | 'refresh_token', payload: object, remoteAddress = '198.51.100.1') {
    const url = `/auth/v1/token?grant_type=${grant}`
    const answer = await authApp.app.inject({ method: 'POST', url, remoteAddress, payload })
    const { code, refresh_token } = answer.json()
    return { status: answer.statusCode, code, refresh_token, retryAfter: answer.headers['retry-after'] }
  }
  /** A user whose access token has expired, so that a 4xx would end the auth session in the browser. */
  async function expired() {
    const { email } = await makeUser(authApp)
    const device = createAuthClient(authApp.app)
    const { session } = (await device.signInWithPassword({ email, password: PASSWORD })).data
    vi.useFakeTimers({ now: Date.now() + 3700 * 1000, toFake: ['Date'] })
    authApp.clock.pass(3700)
    return { device, session }
  }
  return { token, expired }
})

test.afterEach(({ authApp }) => {
  authApp.outage.isOn = false
  vi.useRealTimers()
})

describe('threat 27: denial of service by password hashing', () => {
  test('threat 27: 200 concurrent sign-ins get some 503s, and other requests are served in between', async ({
    authApp,
    service,
  }) => {
    const { accessToken, email } = await makeUser(authApp)
    const order: string[] = []
    const flood = Array.from({ length: 200 }, async (_, n) => {
      const payload = { email: `n${n}@fjordlab.example`, password: PASSWORD }
      const answer = await service.token('password', payload, `10.27.0.${n}`)
      if (answer.status === 400) order.push('hashed')
      return answer
    })
    const headers = { authorization: `Bearer ${accessToken}` }
    const bystander = await authApp.app.inject({ url: '/whoami', headers })
    order.push('served')
    const answers = await Promise.all(flood)

    expect(bystander.statusCode).toBe(200)
    // Long before the hashes were computed.
    expect(order.at(-1)).toBe('hashed')
    expect(order.indexOf('served')).toBeLessThan(60)
    const refused = answers.filter(({ status }) => status !== 400)
    expect(answers.length - refused.length).toBeGreaterThanOrEqual(66)
    for (const answer of refused) {
      expect(answer).toMatchObject({ status: 503, code: 'unexpected_failure', retryAfter: '5' })
    }
    expect((await service.token('password', { email, password: PASSWORD })).status).toBe(200)
  })

  test('threat 27: a 503 does not count as a failed attempt', async ({ authApp, service }) => {
    const { email } = await makeUser(authApp)
    const verify = vi.spyOn(authApp.auth.passwords, 'verify').mockRejectedValue(new AuthError('unexpected_failure'))
    for (let n = 0; n < 20; n++)
      expect((await service.token('password', { email, password: PASSWORD }, '10.27.1.1')).status).toBe(503)
    verify.mockRestore()
    expect((await service.token('password', { email, password: PASSWORD }, '10.27.1.1')).status).toBe(200)
  })

  test('threat 27: a password that is too long is not hashed', async ({ authApp, service }) => {
    const { email } = await makeUser(authApp)
    const slow = statement('test.set-cost', "update auth.users set encrypted_password = 'no hash' where email = :email")
    // A hash that cannot be verified proves that nothing verified it.
    await authApp.auth.db.query(slow, { email })
    expect(await service.token('password', { email, password: 'x'.repeat(129) })).toMatchObject({ status: 400 })
    expect((await service.token('password', { email, password: 'x'.repeat(16 * 1024) })).status).toBe(413)
  })
})

describe('threat 33: failures that sign nobody out', () => {
  test('threat 33: the auth session survives a lost database', async ({ authApp, service }) => {
    const { device, session } = await service.expired()
    authApp.outage.isOn = true
    const answer = await service.token('refresh_token', { refresh_token: session?.refresh_token })
    expect(answer).toMatchObject({ status: 503, code: 'unexpected_failure' })
    authApp.outage.isOn = false
    const { data, error } = await device.getSession()
    expect([error, data.session?.user.id]).toEqual([null, session?.user.id])
    expect(data.session?.refresh_token).not.toBe(session?.refresh_token)
  })

  test('threat 33: requests that fail without the database use up no limit', async ({ authApp, service }) => {
    const { email } = await makeUser(authApp)
    const signIn = async () => (await service.token('password', { email, password: PASSWORD }, '10.33.3.3')).status
    const ask = async (path: string, payload: object) => {
      const url = `/auth/v1/${path}`
      return (await authApp.app.inject({ method: 'POST', url, remoteAddress: '10.33.3.3', payload })).statusCode
    }
    const recover = () => ask('recover', { email })
    const resend = () => ask('resend', { type: 'signup', email })
    authApp.outage.isOn = true
    for (let n = 0; n < 30; n++) expect(await signIn()).toBe(503)
    for (let n = 0; n < 5; n++) expect([await recover(), await resend()]).toEqual([503, 503])
    authApp.outage.isOn = false
    expect([await signIn(), await recover(), await resend()]).toEqual([200, 200, 200])
  })

  test('threat 33: too many refreshes of one auth session are a 503, and other auth sessions are not affected', async ({
    authApp,
    service,
  }) => {
    const { session } = await service.expired()
    const { refreshToken } = await makeUser(authApp)
    const answers = []
    for (let n = 0; n < 11; n++)
      answers.push(await service.token('refresh_token', { refresh_token: session?.refresh_token }))
    expect(answers.map(({ status }) => status)).toEqual([...Array(10).fill(200), 503])
    expect(answers[10]).toMatchObject({ code: 'unexpected_failure', retryAfter: '6' })
    expect((await service.token('refresh_token', { refresh_token: refreshToken })).status).toBe(200)
    authApp.clock.pass(6)
    expect((await service.token('refresh_token', { refresh_token: session?.refresh_token })).status).toBe(200)
  })

  test('threat 33: forged tokens are limited per IP network, and valid ones are not', async ({ authApp, service }) => {
    const { refreshToken } = await makeUser(authApp)
    const bytes = Buffer.from(refreshToken, 'base64url')
    const forged = { refresh_token: Buffer.from(bytes.with(-1, (bytes.at(-1) ?? 0) ^ 1)).toString('base64url') }
    for (let n = 0; n < 150; n++) expect((await service.token('refresh_token', forged, '10.33.0.1')).status).toBe(400)
    expect(await service.token('refresh_token', forged, '10.33.0.1')).toMatchObject({ status: 503, retryAfter: '2' })
    expect((await service.token('refresh_token', forged, '10.33.0.2')).status).toBe(400)
    expect((await service.token('refresh_token', { refresh_token: refreshToken }, '10.33.0.1')).status).toBe(200)
  })
})

describe('threat 34: a device with a wrong clock', () => {
  test.for([-2, 2])('threat 34: %i hours off, it refreshes once an hour', async (hours, { authApp }) => {
    const { email } = await makeUser(authApp)
    vi.useFakeTimers({ now: authApp.clock.now().getTime() + hours * 3600 * 1000, toFake: ['Date'] })
    const pass = (seconds: number) => {
      vi.setSystemTime(Date.now() + seconds * 1000)
      authApp.clock.pass(seconds)
    }
    const device = createAuthClient(authApp.app)
    await device.signInWithPassword({ email, password: PASSWORD })
    const refreshed: boolean[] = []
    let last = (await device.getSession()).data.session?.refresh_token
    for (let n = 0; n < 24; n++) {
      pass(15 * 60)
      const { session } = (await device.getSession()).data
      refreshed.push(session?.refresh_token !== last)
      last = session?.refresh_token
      expect((await device.getUser()).error).toBeNull()
    }
    expect(refreshed).toEqual(Array.from({ length: 24 }, (_, n) => n % 4 === 3))
  })
})
