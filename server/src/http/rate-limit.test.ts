// Runs in npm run test:all.
import { randomUUID } from 'node:crypto'
import { updateUsername } from '@deeb/core/account/api'
import { startFocus, stopFocus } from '@deeb/core/focus/api'
import { readHome } from '@deeb/core/home/api'
import { LIVE_PATH } from '@deeb/core/live-events'
import { searchColleagues } from '@deeb/core/team/api'
import type { InjectOptions } from 'fastify'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { DatabaseOutage, statement } from '../db/db.ts'
import { createRateLimitStore, type RateLimitStore } from '../limits/rate-limit-store.ts'
import { APPS } from '../testing/apps.ts'
import { type MadeUser, makeUser, PASSWORD } from '../testing/make.ts'
import { type AnnsData, setScene } from '../testing/roles.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import { type Row, WHO_MAY_WHAT } from '../testing/who-may-what.ts'
import { withoutLimits } from '../testing/without-limits.ts'

/**
 * Public files, and routes for the administrator: they cost the server next to nothing. What displays read is limited per sign and
 * per unknown secret (signs.test.ts).
 */
const UNLIMITED =
  /^(GET \/(?!api|auth|scim)|GET \/api\/(openapi|sign($|\/))|POST \/sign$|GET \/auth\/v1\/(\.well-known|settings|health|\*)|\w+ \/auth\/v1\/(otp|magiclink|authorize|callback|backchannel-logout))/

function requestOf(route: string, row: Row, data: AnnsData, now: Date): InjectOptions {
  const [method, path = ''] = route.split(' ')
  const input = row.input?.(data, now) ?? {}
  const fields = new URLSearchParams(input as Record<string, string>).toString()
  const url = row.url?.(data) ?? path
  return {
    method: method as NonNullable<InjectOptions['method']>,
    url: method === 'GET' ? `${url}?${fields}` : url,
    headers: { 'content-type': row.isForm ? 'application/x-www-form-urlencoded' : 'application/json' },
    ...(method !== 'GET' && { payload: row.isForm ? fields : JSON.stringify(input) }),
  }
}

describe('every route', () => {
  const LIMITED = Object.entries(WHO_MAY_WHAT).filter(([route]) => !UNLIMITED.test(route))

  let isUsedUp = false
  const limitStore = createRateLimitStore()
  const usedUp: RateLimitStore = {
    ...limitStore,
    take: (...args) => (isUsedUp ? 7 : limitStore.take(...args)),
  }
  let testApp: TestApp
  let scene: Awaited<ReturnType<typeof setScene>>
  beforeAll(async () => {
    testApp = await startTestApp(APPS, undefined, { limitStore: usedUp, callLimitStore: usedUp })
    // One for all routes: a refused request changes nothing.
    scene = await setScene(testApp, 'oneself')
    isUsedUp = true
  })
  afterAll(() => testApp.close())

  test.each(LIMITED)('threat 87: %s has a rate limit', async (route, row: Row) => {
    const { data, token } = scene
    const request = requestOf(route, row, data, testApp.clock.now())
    const authorization = `Bearer ${token}`
    const answer = await testApp.app.inject({ ...request, headers: { ...request.headers, authorization } })
    expect(answer.headers['retry-after']).toBe('7')
    if (row.isForm) expect(answer.headers.location).toBe(`${request.url}#not-now`)
    else if (row.isForDirectory) expect([answer.statusCode, answer.json().status]).toEqual([429, '429'])
    else expect([answer.statusCode, answer.json().code]).toEqual([429, expect.stringMatching(/^(too_many|over_)/)])
  })
})

describe('a request of a stranger', () => {
  /** In requests of the cheapest route, so that a busy machine does not matter: on a free one about a millisecond. */
  const MAX_CPU = 30
  const CHEAPEST: InjectOptions = { url: '/favicon.ico' }
  const LARGE = 15_000
  /** In a round. */
  const REQUESTS = 6
  let testApp: TestApp
  let data: AnnsData
  beforeAll(async () => {
    const [limitStore, callLimitStore] = [withoutLimits(), withoutLimits()]
    testApp = await startTestApp(APPS, undefined, { limitStore, callLimitStore })
    data = (await setScene(testApp, 'oneself')).data
  })
  afterAll(() => testApp.close())

  /** The CPU time of one request, in ms: the least of a few rounds. */
  async function cpuMs(request: InjectOptions, headers: Record<string, string> = {}): Promise<number> {
    const ask = () => {
      const all = { 'accept-encoding': 'br', ...request.headers, ...headers }
      return testApp.app.inject({ ...request, headers: all, remoteAddress: '203.0.113.7' })
    }
    let least = Number.POSITIVE_INFINITY
    for (let round = 0; round < 4; round++) {
      const before = process.cpuUsage()
      for (let n = 0; n < REQUESTS; n++) await ask()
      const { user, system } = process.cpuUsage(before)
      least = Math.min(least, (user + system) / REQUESTS / 1000)
    }
    return least
  }

  test('threat 229: costs less than 30 of the cheapest where it has no limit', { timeout: 120_000 }, async () => {
    async function expensiveOf(routes: [string, Row][]): Promise<[string, Row][]> {
      const costs = new Map<string, number>()
      const cheapest = [await cpuMs(CHEAPEST)]
      for (const [route, row] of routes) {
        costs.set(route, await cpuMs(requestOf(route, row, data, testApp.clock.now())))
        if (costs.size % 10 === 0) cheapest.push(await cpuMs(CHEAPEST))
      }
      const max = MAX_CPU * Math.max(...cheapest)
      return routes.filter(([route]) => (costs.get(route) ?? 0) > max)
    }
    // Other work on the machine can make one attempt expensive, a costly route makes all of them so.
    let expensive = Object.entries(WHO_MAY_WHAT).filter(([route]) => UNLIMITED.test(route))
    const names = async () => {
      expensive = await expensiveOf(expensive)
      return expensive.map(([route]) => route)
    }
    await expect.poll(names, { timeout: 60_000 }).toEqual([])
  })

  test.each([
    ['accept-language', 'a,'.repeat(LARGE / 2)],
    ['accept-language', 'de,'.repeat(LARGE / 3)],
    ['cookie', 'a=b; '.repeat(LARGE / 5)],
    ['accept-encoding', 'br,'.repeat(LARGE / 3)],
    ['if-none-match', '"x",'.repeat(LARGE / 4)],
    ['user-agent', '\u{e9}'.repeat(LARGE)],
    ['authorization', `Bearer ${'a.'.repeat(LARGE / 2)}`],
    ['x-forwarded-for', '10.0.0.1,'.repeat(LARGE / 9)],
  ])('threat 230: costs hardly more with a long %s', { timeout: 120_000 }, async (name, value) => {
    const requests: InjectOptions[] = [
      { url: '/app' },
      { url: '/nothing-here' },
      { url: '/api/home' },
      {
        method: 'POST',
        url: '/sign',
        payload: 'token=x',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
      },
      { method: 'POST', url: '/auth/v1/recover', payload: { email: 'nobody@nowhere.example' } },
    ]
    for (const request of requests) {
      // Other work on the machine can make one attempt expensive, a costly header makes all of them so.
      const timesCheapest = async () => {
        const [plain, long] = [await cpuMs(request), await cpuMs(request, { [name]: value })]
        return (long - plain) / Math.max(await cpuMs(CHEAPEST), await cpuMs(CHEAPEST))
      }
      await expect.poll(timesCheapest, { timeout: 20_000 }).toBeLessThan(MAX_CPU)
    }
  })
})

describe('the limits of one account', () => {
  let testApp: TestApp
  let ann: MadeUser
  beforeAll(async () => {
    testApp = await startTestApp()
    ann = await makeUser(testApp)
  })
  afterAll(() => testApp.close())

  test('threat 87: allows 120 writes a minute per account, all kinds together', async () => {
    const sessionId = uuidv7()
    for (let n = 0; n < 60; n++) {
      expect((await testApp.call(startFocus, { sessionId, timeZone: 'UTC' }, ann)).status).toBe(200)
      expect((await testApp.call(updateUsername, { username: `ann ${n}` }, ann)).status).toBe(200)
    }
    const refused = await testApp.call(stopFocus, { sessionId }, ann)
    expect([refused.status, refused.error.code]).toEqual([429, 'too_many_attempts'])

    const ben = await makeUser(testApp)
    expect((await testApp.call(updateUsername, { username: 'ben' }, ben)).status).toBe(200)
    expect((await testApp.call(readHome, { timeZone: 'UTC' }, ann)).status).toBe(200)
    testApp.clock.advance({ seconds: 1 })
    expect((await testApp.call(stopFocus, { sessionId }, ann)).status).toBe(200)
  })

  test('threat 87: refuses before the body is read', async () => {
    const cleo = await makeUser(testApp)
    const headers = { authorization: `Bearer ${cleo.accessToken}`, 'content-type': 'application/json' }
    const send = () => testApp.app.inject({ method: 'PUT', url: '/api/goals', headers, payload: '{' })
    for (let n = 0; n < 120; n++) expect((await send()).statusCode).toBe(400)
    expect((await send()).statusCode).toBe(429)
  })

  test('threat 87: answers 120 of 300 concurrent searches', async () => {
    const dan = await makeUser(testApp)
    const answers = await Promise.all(
      Array.from({ length: 300 }, () => testApp.call(searchColleagues, { query: 'a' }, dan)),
    )
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(120)
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(180)
  })

  test.each([
    ['refunds the token of a request while the database is gone', new DatabaseOutage(new Error('gone')), 200],
    ['threat 231: takes the token of a request that fails otherwise', new Error('a bug'), 429],
  ])('%s', async (_name, error, status) => {
    const eva = await makeUser(testApp)
    await testApp.call(readHome, { timeZone: 'UTC' }, eva)
    const query = vi.spyOn(testApp.db, 'query').mockRejectedValue(error)
    const username = randomUUID()
    for (let n = 0; n < 120; n++) expect((await testApp.call(updateUsername, { username }, eva)).status).toBe(503)
    query.mockRestore()
    expect((await testApp.call(updateUsername, { username }, eva)).status).toBe(status)
  })

  test('threat 87: opens at most 120 live streams a minute', async () => {
    const fay = await makeUser(testApp)
    const headers = { authorization: `Bearer ${fay.accessToken}` }
    const origin = await testApp.app.listen({ host: '127.0.0.1', port: 0 })
    const statuses: number[] = []
    for (let n = 0; n < 121; n++) {
      const opened = await fetch(origin + LIVE_PATH, { headers })
      statuses.push(opened.status)
      await opened.body?.cancel()
    }
    expect(statuses.slice(-2)).toEqual([200, 429])
  })
})

describe('signed-in requests of the account service', () => {
  let testApp: TestApp
  beforeAll(async () => {
    testApp = await startTestApp({ PUBLIC_URL: 'http://127.0.0.1:3000' })
  })
  afterAll(() => testApp.close())

  const user = (authorization: string, more: Record<string, string> = {}, remoteAddress = '192.0.2.1') =>
    testApp.app.inject({ url: '/auth/v1/user', headers: { authorization, ...more }, remoteAddress })

  test('threat 87: a copied token without its cookie does not use up the limit of the owner', async () => {
    const { email } = await makeUser(testApp)
    const signedIn = await testApp.app.inject({
      ...{ method: 'POST', url: '/auth/v1/token?grant_type=password', payload: { email, password: PASSWORD } },
      headers: { origin: 'http://127.0.0.1:3000' },
    })
    const bearer = `Bearer ${signedIn.json().access_token}`
    const cookie = String(signedIn.headers['set-cookie']).split(';')[0] ?? ''
    const thief = async () => (await user(bearer, {}, '198.51.100.9')).statusCode
    for (let n = 0; n < 300; n++) expect(await thief()).toBe(403)
    expect(await thief()).toBe(429)
    for (let n = 0; n < 60; n++) expect((await user(bearer, { cookie })).statusCode).toBe(200)
    expect((await user(bearer, { cookie })).json().code).toBe('over_request_rate_limit')
  })

  test('threat 87: sign-ins with the right password are 60 an hour from one network, then count as failed ones', async () => {
    const { email } = await makeUser(testApp)
    const signIn = async (remoteAddress = '192.0.2.7') => {
      const url = '/auth/v1/token?grant_type=password'
      const payload = { email, password: PASSWORD }
      return (await testApp.app.inject({ method: 'POST', url, payload, remoteAddress })).statusCode
    }
    for (let n = 0; n < 60; n++) expect(await signIn()).toBe(200)
    expect(await signIn()).toBe(429)
    // Somebody who knows the password does not keep the owner out.
    expect(await signIn('198.51.100.7')).toBe(200)
    testApp.clock.advance({ minutes: 1 })
    expect(await signIn()).toBe(200)
  })

  test('threat 87: a stolen password without the second factor does not use up the limit of the owner', async () => {
    const owner = await makeUser(testApp)
    const thief = await testApp.app.inject({
      ...{ method: 'POST', url: '/auth/v1/token?grant_type=password' },
      payload: { email: owner.email, password: PASSWORD },
    })
    const factor = statement(
      'test.factor',
      `insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
      values (gen_random_uuid(), :userId, 'totp', 'verified', now(), now()) returning id`,
    )
    await testApp.db.query(factor, { userId: owner.userId })
    for (let n = 0; n < 60; n++) await user(`Bearer ${thief.json().access_token}`)
    expect((await user(`Bearer ${thief.json().access_token}`)).statusCode).toBe(429)
    expect((await user(`Bearer ${owner.accessToken}`)).statusCode).toBe(200)
  })

  test('threat 87: past the limit a link is not opened as for a visitor', async () => {
    const { accessToken } = await makeUser(testApp)
    const headers = { authorization: `Bearer ${accessToken}` }
    for (let n = 0; n < 60; n++) expect((await user(headers.authorization)).statusCode).toBe(200)
    const payload = { type: 'recovery', token_hash: 'x' }
    const answer = await testApp.app.inject({ method: 'POST', url: '/auth/v1/verify', headers, payload })
    expect(answer.json().code).toBe('over_request_rate_limit')
  })
})

describe('input of a stranger', () => {
  let testApp: TestApp
  beforeAll(async () => {
    testApp = await startTestApp()
  })
  afterAll(() => testApp.close())

  const post = async (url: string, payload: object, remoteAddress = '192.0.2.88') =>
    (await testApp.app.inject({ method: 'POST', url, payload, remoteAddress })).statusCode

  test.each([
    ['/auth/v1/signup', { email: 'nobody', password: 'seven quiet otters' }, 200],
    ['/auth/v1/recover', { email: 'nobody' }, 10],
    ['/auth/v1/resend', { email: 'nobody', type: 'signup' }, 10],
    ['/auth/v1/verify', { type: 'recovery' }, 30],
    ['/api/leads', { email: 'nobody', source: 'coming_soon_page' }, 100],
    ['/api/clicks', { nothing: true }, 600],
  ])('threat 88: %s counts what it refuses', async (url, payload, burst) => {
    const remoteAddress = `192.0.2.${burst % 251}`
    // Recover and resend share their limit.
    testApp.clock.advance({ hours: 1 })
    const statuses: number[] = []
    for (let n = 0; n <= burst; n++) statuses.push(await post(url, payload, remoteAddress))
    expect([...new Set(statuses.slice(0, burst))]).toEqual([400])
    expect(statuses.at(-1)).toBe(429)
  })

  const LONG_PASSWORD = '\u0301'.repeat(7_000)
  const LONG_EMAIL = `a@${letters(5_200)}.com`

  test.each([
    ['/auth/v1/signup', { email: 'ann@fjordlab.example' }],
    ['/auth/v1/token?grant_type=password', { email: 'ann@fjordlab.example' }],
  ])('threat 88: %s does not normalize a password of 15 kB', async (url, payload) => {
    const normalizing = vi.spyOn(String.prototype, 'normalize')
    const answer = await testApp.app.inject({
      ...{ method: 'POST', url, payload: { ...payload, password: LONG_PASSWORD }, remoteAddress: '192.0.2.89' },
    })
    const longest = Math.max(0, ...normalizing.mock.contexts.map((text) => String(text).length))
    normalizing.mockRestore()
    const { message } = answer.json()
    expect(message).toMatch(/Use at most 128 characters|Invalid login credentials/)
    expect(longest).toBeLessThan(1025)
  })

  test.each([
    ['/auth/v1/signup', { password: PASSWORD }],
    ['/auth/v1/token?grant_type=password', { password: PASSWORD }],
    ['/auth/v1/recover', {}],
    ['/auth/v1/resend', { type: 'signup' }],
    ['/api/leads', { source: 'coming_soon_page' }],
  ])('threat 88: %s does not parse an email of 15 kB', async (url, payload) => {
    const parsing = vi.spyOn(globalThis, 'URL')
    expect(await post(url, { ...payload, email: LONG_EMAIL }, '192.0.2.89')).toBe(400)
    const longest = Math.max(0, ...parsing.mock.calls.map(([text]) => String(text).length))
    parsing.mockRestore()
    expect(longest).toBeLessThan(1025)
  })

  test('threat 88: a current password of 15 kB is wrong without Unicode work', async () => {
    const { accessToken } = await makeUser(testApp)
    const normalizing = vi.spyOn(String.prototype, 'normalize')
    const answer = await testApp.app.inject({
      ...{ method: 'PUT', url: '/auth/v1/user', headers: { authorization: `Bearer ${accessToken}` } },
      payload: { password: 'nine loud herons', current_password: LONG_PASSWORD },
    })
    expect(answer.json().code).toBe('current_password_invalid')
    expect(normalizing.mock.contexts.filter((text) => String(text).length > 1024)).toEqual([])
    normalizing.mockRestore()
  })
})

/** Distinct letters: Punycode takes quadratic time for them. */
function letters(count: number): string {
  return String.fromCodePoint(...Array.from({ length: count }, (_, n) => 0x4e00 + n))
}
