import { describe, expect } from 'vitest'
import { statement } from '../../db/db.ts'
import { createAuthClient, createBrowser, type TestBrowser } from '../../testing/auth-client.ts'
import { makeUser, PASSWORD } from '../../testing/make.ts'
import { test as base } from '../../testing/test.ts'

const test = base.extend('service', ({ authApp }) => {
  /** Signs in on a tab of `browser`, as the user with this address or as a new user. */
  async function signIn(browser: TestBrowser, known?: string) {
    const email = known ?? (await makeUser(authApp)).email
    const tab = createAuthClient(authApp.app, browser)
    const { data } = await tab.signInWithPassword({ email, password: PASSWORD })
    if (!data.session) throw new Error('Signing in failed.')
    return { email, tab, userId: data.session.user.id, tokens: data.session as Tokens }
  }
  const whoami = async ({ access_token }: Tokens, cookie?: string) => {
    const headers = { authorization: `Bearer ${access_token}`, ...(cookie && { cookie }) }
    return (await authApp.app.inject({ url: '/whoami', headers })).statusCode
  }
  async function send(method: 'GET' | 'POST', url: string, headers: Record<string, string>, payload?: object) {
    const answer = await authApp.app.inject({ method, url: `/auth/v1${url}`, headers, ...(payload && { payload }) })
    return {
      status: answer.statusCode,
      code: answer.body && answer.json().code,
      setCookie: answer.headers['set-cookie'],
    }
  }
  const audited = (userId: string) =>
    authApp.auth.db.query(
      statement(
        'test.mismatches',
        "select 1 from auth.audit_log where user_id = :userId and action = 'binding_mismatch'",
      ),
      { userId },
    )
  return { signIn, whoami, send, audited }
})

interface Tokens {
  access_token: string
  refresh_token: string
}

const STRANGE = `deeb=${'A'.repeat(43)}`

test('auth-js signs in, calls, refreshes and signs out in a browser', async ({ service }) => {
  const browser = createBrowser()
  const { tab, tokens } = await service.signIn(browser)
  expect(browser.given).toEqual([
    expect.stringMatching(/^deeb=[\w-]{43}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Strict$/),
  ])
  expect(await service.whoami(tokens, browser.cookie)).toBe(200)
  expect((await tab.getUser()).error).toBeNull()
  expect((await tab.refreshSession()).error).toBeNull()
  expect((await tab.signOut({ scope: 'local' })).error).toBeNull()
  expect(await service.whoami(tokens, browser.cookie)).toBe(401)
  // A late response to a sign-out must not delete the cookie of the next sign-in.
  expect(browser.given).toHaveLength(1)
})

test('over https the cookie is for this host only', async ({ startAuthApp }) => {
  const secure = await startAuthApp({ PUBLIC_URL: 'https://deeb.example.com' })
  const { email } = await makeUser(secure)
  const answer = await secure.app.inject({
    method: 'POST',
    url: '/auth/v1/token?grant_type=password',
    headers: { origin: 'https://deeb.example.com' },
    payload: { email, password: PASSWORD },
  })
  expect(answer.headers['set-cookie']).toMatch(
    /^__Host-deeb=[\w-]{43}; Path=\/; Max-Age=7776000; HttpOnly; SameSite=Strict; Secure$/,
  )
})

test('the database stores only a hash of the cookie', async ({ authApp, service }) => {
  const browser = createBrowser()
  const { userId } = await service.signIn(browser)
  const rows = await authApp.auth.db.query<{ session: string }>(
    statement('test.session-text', 'select sessions::text as session from auth.sessions where user_id = :userId'),
    { userId },
  )
  const value = browser.cookie.slice('deeb='.length)
  const spellings = [value, Buffer.from(value).toString('hex'), Buffer.from(value, 'base64url').toString('hex')]
  for (const spelling of spellings) expect(JSON.stringify(rows)).not.toContain(spelling)
})

describe('threat 17: a refresh token stolen from local storage', () => {
  test.for([
    ['without the cookie', ''],
    ['with another cookie', STRANGE],
    ['with an invalid cookie', 'deeb=x'],
  ] as const)('%s revokes the auth session and writes an audit event', async ([_, cookie], { service }) => {
    const browser = createBrowser()
    const { tokens, userId } = await service.signIn(browser)
    expect(await service.whoami(tokens, browser.cookie)).toBe(200)
    const payload = { refresh_token: tokens.refresh_token }
    const answer = await service.send('POST', '/token?grant_type=refresh_token', { cookie }, payload)
    expect(answer).toMatchObject({ status: 400, code: 'refresh_token_not_found' })
    expect(await service.whoami(tokens, browser.cookie)).toBe(401)
    expect(await service.audited(userId)).toHaveLength(1)
    const owner = await service.send('POST', '/token?grant_type=refresh_token', { cookie: browser.cookie }, payload)
    expect(owner).toMatchObject({ status: 400, code: 'refresh_token_not_found' })
  })

  test('gets no cookie with a forged origin', async ({ service }) => {
    const { tokens } = await service.signIn(createBrowser())
    const headers = { origin: 'http://localhost:3000' }
    const answer = await service.send('POST', '/token?grant_type=refresh_token', headers, tokens)
    expect(answer).toMatchObject({ status: 400, setCookie: undefined })
  })

  test('reused two rotations later revokes the auth session, also with the cookie', async ({ service }) => {
    const browser = createBrowser()
    const { tab, tokens } = await service.signIn(browser)
    await tab.refreshSession()
    const { data } = await tab.refreshSession()
    const answer = await service.send('POST', '/token?grant_type=refresh_token', { cookie: browser.cookie }, tokens)
    expect(answer).toMatchObject({ status: 400, code: 'refresh_token_already_used' })
    expect(await service.whoami(data.session as Tokens, browser.cookie)).toBe(401)
  })
})

describe('threat 20: an access token stolen from local storage', () => {
  test('is rejected by all endpoints, and its owner stays signed in', async ({ service }) => {
    const browser = createBrowser()
    const { tokens } = await service.signIn(browser)
    const authorization = `Bearer ${tokens.access_token}`
    for (const cookie of ['', STRANGE, 'deeb=', `x${browser.cookie}`]) {
      expect(await service.whoami(tokens, cookie)).toBe(401)
      const user = await service.send('GET', '/user', { authorization, cookie })
      expect(user).toMatchObject({ status: 403, code: 'session_not_found' })
      const signOut = await service.send('POST', '/logout?scope=global', { authorization, cookie })
      expect(signOut).toMatchObject({ status: 403, code: 'session_not_found' })
    }
    expect(await service.whoami(tokens, `a=b; ${browser.cookie}; c=d`)).toBe(200)
    expect(await service.send('GET', '/user', { authorization, cookie: browser.cookie })).toMatchObject({ status: 200 })
  })
})

describe('an auth session that was not opened by one of our pages', () => {
  test.for([[{}], [{ origin: 'https://localhost' }], [{ origin: 'http://localhost' }], [{ origin: 'null' }]] as const)(
    'is not bound: %j',
    async ([headers], { authApp, service }) => {
      const { email } = await makeUser(authApp)
      const answer = await authApp.app.inject({
        method: 'POST',
        url: '/auth/v1/token?grant_type=password',
        headers: { ...headers, cookie: STRANGE },
        payload: { email, password: PASSWORD },
      })
      expect(answer.headers['set-cookie']).toBeUndefined()
      expect(await service.whoami(answer.json())).toBe(200)
      expect(await service.whoami(answer.json(), STRANGE)).toBe(200)
    },
  )
})

describe('one browser', () => {
  test('keeps its cookie when the same user signs in on a second tab, and both stay signed in', async ({ service }) => {
    const browser = createBrowser()
    const first = await service.signIn(browser)
    const cookie = browser.cookie
    const second = await service.signIn(browser, first.email)
    expect(browser.cookie).toBe(cookie)
    expect(browser.given).toHaveLength(2)
    expect([await service.whoami(first.tokens, cookie), await service.whoami(second.tokens, cookie)]).toEqual([
      200, 200,
    ])
  })

  test('gets a new cookie for another user, after a sign-out or not', async ({ service }) => {
    for (const signsOut of [true, false]) {
      const browser = createBrowser()
      const first = await service.signIn(browser)
      const cookie = browser.cookie
      if (signsOut) await first.tab.signOut({ scope: 'local' })
      const second = await service.signIn(browser)
      expect(browser.cookie).not.toBe(cookie)
      expect([
        await service.whoami(second.tokens, browser.cookie),
        await service.whoami(second.tokens, cookie),
      ]).toEqual([200, 401])
      expect(await service.whoami(first.tokens, browser.cookie)).toBe(401)
    }
  })

  test('gets a new cookie when the same user signs in after a sign-out', async ({ service }) => {
    const browser = createBrowser()
    const { tab, email } = await service.signIn(browser)
    const cookie = browser.cookie
    await tab.signOut({ scope: 'local' })
    const again = await service.signIn(browser, email)
    expect(browser.cookie).not.toBe(cookie)
    expect(await service.whoami(again.tokens, browser.cookie)).toBe(200)
  })

  test('replaces a planted cookie (session fixation)', async ({ service }) => {
    const browser = createBrowser()
    browser.cookie = STRANGE
    const { tokens } = await service.signIn(browser)
    expect(browser.cookie).not.toBe(STRANGE)
    expect(await service.whoami(tokens, STRANGE)).toBe(401)
  })
})
