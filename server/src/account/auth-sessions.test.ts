import { endAuthSession, endOtherAuthSessions, prove, readAuthSessions } from '@deeb/core/account/api'
import { readHome } from '@deeb/core/home/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { statement } from '../db/db.ts'
import { createAuthClient, createBrowser, type TestBrowser } from '../testing/auth-client.ts'
import { openStream } from '../testing/live.ts'
import { authSessionOf, type MadeUser, makeUser, PASSWORD } from '../testing/make.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'

let testApp: TestApp
beforeAll(async () => {
  testApp = await startTestApp()
})
afterAll(() => testApp.close())

/** Signs a user in once more: in a tab of `browser`, else in an app. */
async function signInAgain({ userId, email }: MadeUser, browser?: TestBrowser): Promise<MadeUser> {
  testApp.clock.advance({ minutes: 1 })
  const client = createAuthClient(testApp.app, browser)
  const { data, error } = await client.signInWithPassword({ email, password: PASSWORD })
  if (error) throw error
  const { access_token: accessToken, refresh_token: refreshToken } = data.session
  return { userId, email, accessToken, refreshToken }
}

const list = async (user: MadeUser) => (await testApp.call(readAuthSessions, {}, user)).body.sessions
const end = async (user: MadeUser, of: MadeUser) => {
  const { status, body, error } = await testApp.call(endAuthSession, { id: authSessionOf(of) }, user)
  return status === 200 ? body.ended : [status, error.code]
}
const endOthers = async (user: MadeUser) => {
  const { status, body, error } = await testApp.call(endOtherAuthSessions, {}, user)
  return status === 200 ? body.ended : [status, error.code]
}
const isSignedIn = async (user: MadeUser) => (await testApp.call(readHome, { timeZone: 'UTC' }, user)).status === 200

/** The same user in an auth session that is no longer bound: the requests of these tests send no cookie. */
async function unbound(user: MadeUser): Promise<MadeUser> {
  const id = authSessionOf(user)
  await testApp.db.query(statement('test.unbind', 'update auth.sessions set binding = null where id = :id'), { id })
  return user
}

test('readAuthSessions has one entry per browser, and one per app', async () => {
  const app = await makeUser(testApp)
  const browser = createBrowser()
  await signInAgain(app, browser)
  const tab = await signInAgain(app, browser)
  const other = await signInAgain(app, createBrowser())
  expect(await list(app)).toMatchObject([
    { id: authSessionOf(app), isThis: true, isBrowser: false, method: 'password', address: '127.0.0.1' },
    { id: authSessionOf(other), isThis: false, isBrowser: true, lastUsedAt: testApp.clock.now().toISOString() },
    { id: authSessionOf(tab), isThis: false, isBrowser: true },
  ])
})

test('readAuthSessions tells method and program of a sign-in, and leaves out expired ones', async () => {
  const user = await makeUser(testApp)
  const other = await signInAgain(user)
  const describe = statement(
    'test.describe-session',
    `update auth.sessions set user_agent = 'Netscape', amr = '[{"method": "totp"}, {"method": "passkey"}]' where id = :id`,
  )
  await testApp.db.query(describe, { id: authSessionOf(other) })
  expect((await list(user))[1]).toMatchObject({ id: authSessionOf(other), agent: 'Netscape', method: 'passkey' })
  const age = statement('test.age', `update auth.sessions set not_after = :now where id = :id`)
  await testApp.db.query(age, { id: authSessionOf(other), now: testApp.clock.now() })
  expect((await list(user)).map(({ id }) => id)).toEqual([authSessionOf(user)])
  expect(await end(user, other)).toEqual([404, 'session_not_found'])
})

test('endAuthSession ends all auth sessions of that browser, its streams and its tokens immediately', async () => {
  const user = await makeUser(testApp)
  const browser = createBrowser()
  await signInAgain(user, browser)
  const tab = await signInAgain(user, browser)
  const app = await signInAgain(user)
  const [stream, appStream] = [
    await openStream(testApp, tab, { cookie: browser.cookie }),
    await openStream(testApp, app),
  ]
  expect(await end(user, tab)).toBe(2)
  await stream.until(({ hasEnded }) => hasEnded)
  const again = await openStream(testApp, tab, { cookie: browser.cookie })
  expect([again.status, appStream.hasEnded]).toEqual([401, false])
  const refresh = await createAuthClient(testApp.app, browser).refreshSession({ refresh_token: tab.refreshToken })
  expect(refresh.error?.code).toBe('refresh_token_not_found')
  expect(await end(user, app)).toBe(1)
  await appStream.until(({ hasEnded }) => hasEnded)
  expect(await isSignedIn(user)).toBe(true)
})

test('endAuthSession needs a recent re-authentication for another browser, and none for this one', async () => {
  const user = await makeUser(testApp)
  const other = await signInAgain(user)
  testApp.clock.advance({ minutes: 15 })
  expect(await end(user, other)).toEqual([403, 'proof_needed'])
  expect([await isSignedIn(other), await endOthers(user)]).toEqual([true, [403, 'proof_needed']])
  await testApp.call(prove, { password: PASSWORD }, user)
  expect(await end(user, other)).toBe(1)
  testApp.clock.advance({ minutes: 15 })
  expect(await end(user, user)).toBe(1)
  expect(await isSignedIn(user)).toBe(false)
})

test('endOtherAuthSessions ends every auth session but its own, other ones of the same browser too', async () => {
  const browser = createBrowser()
  const first = await makeUser(testApp)
  const tab = await signInAgain(first, browser)
  const user = await unbound(await signInAgain(first, browser))
  const stream = await openStream(testApp, tab, { cookie: browser.cookie })
  expect(await endOthers(user)).toBe(2)
  await stream.until(({ hasEnded }) => hasEnded)
  expect([await isSignedIn(first), await isSignedIn(user)]).toEqual([false, true])
  expect((await list(user)).map(({ id }) => id)).toEqual([authSessionOf(user)])
  const audited = statement(
    'test.audited-logouts',
    `select detail, ip from auth.audit_log where user_id = :userId and action = 'logout'`,
  )
  expect(await testApp.db.query(audited, { userId: user.userId })).toEqual([
    { detail: { scope: 'others' }, ip: '127.0.0.1' },
  ])
})

test('threat 75: an auth session of another user is neither listed nor ended', async () => {
  const [ann, eve] = [await makeUser(testApp), await makeUser(testApp)]
  expect((await list(eve)).map(({ id }) => id)).toEqual([authSessionOf(eve)])
  expect(await end(eve, ann)).toEqual([404, 'session_not_found'])
  expect(await endOthers(eve)).toBe(0)
  expect(await isSignedIn(ann)).toBe(true)
})
