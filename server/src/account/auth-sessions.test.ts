import { endAuthSession, endOtherAuthSessions, prove, readAuthSessions } from '@deeb/core/account/api'
import { readHome } from '@deeb/core/home/api'
import { expect } from 'vitest'
import { statement } from '../db/db.ts'
import { createAuthClient, createBrowser, type TestBrowser } from '../testing/auth-client.ts'
import { openStream } from '../testing/live.ts'
import { authSessionOf, type MadeUser, makeUser, PASSWORD } from '../testing/make.ts'
import { test as base } from '../testing/test.ts'

const test = base.extend('account', ({ app, clock }) => {
  /** Signs a user in once more: in a tab of `browser`, else in an app. */
  async function signInAgain({ userId, email }: MadeUser, browser?: TestBrowser): Promise<MadeUser> {
    clock.advance({ minutes: 1 })
    const client = createAuthClient(app.app, browser)
    const { data, error } = await client.signInWithPassword({ email, password: PASSWORD })
    if (error) throw error
    const { access_token: accessToken, refresh_token: refreshToken } = data.session
    return { userId, email, accessToken, refreshToken }
  }
  const list = async (user: MadeUser) => (await app.call(readAuthSessions, {}, user)).body.sessions
  const end = async (user: MadeUser, of: MadeUser) => {
    const { status, body, error } = await app.call(endAuthSession, { id: authSessionOf(of) }, user)
    return status === 200 ? body.ended : [status, error.code]
  }
  const endOthers = async (user: MadeUser) => {
    const { status, body, error } = await app.call(endOtherAuthSessions, {}, user)
    return status === 200 ? body.ended : [status, error.code]
  }
  const isSignedIn = async (user: MadeUser) => (await app.call(readHome, { timeZone: 'UTC' }, user)).status === 200
  /** The same user in an auth session that is no longer bound: the requests of these tests send no cookie. */
  async function unbound(user: MadeUser): Promise<MadeUser> {
    const id = authSessionOf(user)
    await app.db.query(statement('test.unbind', 'update auth.sessions set binding = null where id = :id'), { id })
    return user
  }
  return { signInAgain, list, end, endOthers, isSignedIn, unbound }
})

test('readAuthSessions has one entry per browser, and one per app', async ({ app, clock, account }) => {
  const phone = await makeUser(app)
  const browser = createBrowser()
  await account.signInAgain(phone, browser)
  const tab = await account.signInAgain(phone, browser)
  const other = await account.signInAgain(phone, createBrowser())
  expect(await account.list(phone)).toMatchObject([
    { id: authSessionOf(phone), isThis: true, isBrowser: false, method: 'password', address: '127.0.0.1' },
    { id: authSessionOf(other), isThis: false, isBrowser: true, lastUsedAt: clock.now().toISOString() },
    { id: authSessionOf(tab), isThis: false, isBrowser: true },
  ])
})

test('readAuthSessions tells method and program of a sign-in, and leaves out expired ones', async ({
  app,
  clock,
  account,
}) => {
  const user = await makeUser(app)
  const other = await account.signInAgain(user)
  const describe = statement(
    'test.describe-session',
    `update auth.sessions set user_agent = 'Netscape', amr = '[{"method": "totp"}, {"method": "passkey"}]' where id = :id`,
  )
  await app.db.query(describe, { id: authSessionOf(other) })
  expect((await account.list(user))[1]).toMatchObject({
    id: authSessionOf(other),
    agent: 'Netscape',
    method: 'passkey',
  })
  const age = statement('test.age', `update auth.sessions set not_after = :now where id = :id`)
  await app.db.query(age, { id: authSessionOf(other), now: clock.now() })
  expect((await account.list(user)).map(({ id }) => id)).toEqual([authSessionOf(user)])
  expect(await account.end(user, other)).toEqual([404, 'session_not_found'])
})

test('endAuthSession ends all auth sessions of that browser, its streams and its tokens immediately', async ({
  app,
  account,
}) => {
  const user = await makeUser(app)
  const browser = createBrowser()
  await account.signInAgain(user, browser)
  const tab = await account.signInAgain(user, browser)
  const phone = await account.signInAgain(user)
  const [stream, appStream] = [await openStream(app, tab, { cookie: browser.cookie }), await openStream(app, phone)]
  expect(await account.end(user, tab)).toBe(2)
  await stream.until(({ hasEnded }) => hasEnded)
  const again = await openStream(app, tab, { cookie: browser.cookie })
  expect([again.status, appStream.hasEnded]).toEqual([401, false])
  const refresh = await createAuthClient(app.app, browser).refreshSession({ refresh_token: tab.refreshToken })
  expect(refresh.error?.code).toBe('refresh_token_not_found')
  expect(await account.end(user, phone)).toBe(1)
  await appStream.until(({ hasEnded }) => hasEnded)
  expect(await account.isSignedIn(user)).toBe(true)
})

test('endAuthSession needs a recent re-authentication for another browser, and none for this one', async ({
  app,
  clock,
  account,
}) => {
  const user = await makeUser(app)
  const other = await account.signInAgain(user)
  clock.advance({ minutes: 15 })
  expect(await account.end(user, other)).toEqual([403, 'proof_needed'])
  expect([await account.isSignedIn(other), await account.endOthers(user)]).toEqual([true, [403, 'proof_needed']])
  await app.call(prove, { password: PASSWORD }, user)
  expect(await account.end(user, other)).toBe(1)
  clock.advance({ minutes: 15 })
  expect(await account.end(user, user)).toBe(1)
  expect(await account.isSignedIn(user)).toBe(false)
})

test('endOtherAuthSessions ends every auth session but its own, other ones of the same browser too', async ({
  app,
  account,
}) => {
  const browser = createBrowser()
  const first = await makeUser(app)
  const tab = await account.signInAgain(first, browser)
  const user = await account.unbound(await account.signInAgain(first, browser))
  const stream = await openStream(app, tab, { cookie: browser.cookie })
  expect(await account.endOthers(user)).toBe(2)
  await stream.until(({ hasEnded }) => hasEnded)
  expect([await account.isSignedIn(first), await account.isSignedIn(user)]).toEqual([false, true])
  expect((await account.list(user)).map(({ id }) => id)).toEqual([authSessionOf(user)])
  const audited = statement(
    'test.audited-logouts',
    `select detail, ip from auth.audit_log where user_id = :userId and action = 'logout'`,
  )
  expect(await app.db.query(audited, { userId: user.userId })).toEqual([
    { detail: { scope: 'others' }, ip: '127.0.0.1' },
  ])
})

test('threat 75: an auth session of another user is neither listed nor ended', async ({ people, account }) => {
  const [ann, eve] = await people(2)
  expect((await account.list(eve)).map(({ id }) => id)).toEqual([authSessionOf(eve)])
  expect(await account.end(eve, ann)).toEqual([404, 'session_not_found'])
  expect(await account.endOthers(eve)).toBe(0)
  expect(await account.isSignedIn(ann)).toBe(true)
})
