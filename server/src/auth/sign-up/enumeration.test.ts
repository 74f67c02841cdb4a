import { expect, vi } from 'vitest'
import { statement } from '../../db/db.ts'
import { confirmation, newestLinkToken } from '../../testing/auth-client.ts'
import { makeUser, PASSWORD } from '../../testing/make.ts'
import { test as base } from '../../testing/test.ts'

const test = base.extend('service', ({ authApp }) => {
  /** Response and work of a request, without the values that differ every time. */
  async function seen(path: string, payload: object) {
    const { passwords, db } = authApp.auth
    const hash = vi.spyOn(passwords, 'hash')
    const verify = vi.spyOn(passwords, 'verify')
    const [before] = await db.query<Record<string, number>>(countRows)
    authApp.statements.length = 0
    const answer = await authApp.app.inject({ method: 'POST', url: `/auth/v1${path}`, payload })
    const statements = [...authApp.statements]
    const hashes = [hash.mock.calls.length, verify.mock.calls.length]
    vi.restoreAllMocks()
    const [after] = await db.query<Record<string, number>>(countRows)
    const written = Object.entries(after ?? {}).map(([name, count]) => [name, count - (before?.[name] ?? 0)])
    const { 'content-length': length, 'content-type': type } = answer.headers
    return { status: answer.statusCode, length, type, body: plain(answer.json()), statements, hashes, written }
  }
  /** Two addresses of the same length; only the first has an account. */
  async function pair(name: string) {
    const known = `known.${name}@fjordlab.example`
    await makeUser(authApp, { email: known })
    return { known, unknown: known.replace('known', 'nobdy') }
  }
  const same = (outcome: Awaited<ReturnType<typeof seen>>) =>
    JSON.parse(JSON.stringify(outcome).replaceAll('nobdy', 'known'))
  return { seen, pair, same }
})

const countRows = statement(
  'test.count-rows',
  `select (select count(*) from auth.outbox)::int as emails, (select count(*) from auth.audit_log)::int as entries,
    (select count(*) from auth.users)::int as users, (select count(*) from auth.pending_signups)::int as waiting`,
)

/** The members of a body. Ids and times differ every time, so only their type is compared. */
function plain(body: object) {
  return Object.entries(body).map(([name, value]) => [name, /^id$|_at$/.test(name) ? typeof value : value])
}

test('threat 11: a sign-up has the same response, writes and hashes for known and unknown addresses', async ({
  service,
}) => {
  const { known, unknown } = await service.pair('sign-up')
  const payload = { password: PASSWORD, data: { theme: 'dark' } }
  const outcome = await service.seen('/signup', { ...payload, email: known })
  expect(service.same(await service.seen('/signup', { ...payload, email: unknown }))).toEqual(outcome)
  expect(outcome).toMatchObject({
    status: 200,
    hashes: [1, 0],
    statements: ['auth.provider-of-domain', 'auth.lock-address', 'auth.sign-up-invite', 'auth.sign-up'],
  })
  expect(outcome.written).toEqual([
    ['emails', 1],
    ['entries', 1],
    ['users', 0],
    ['waiting', 1],
  ])
})

test('threat 11: a weak password has the same error for known and unknown addresses', async ({ service }) => {
  const { known, unknown } = await service.pair('weak')
  const outcome = await service.seen('/signup', { email: known, password: 'password1' })
  expect(service.same(await service.seen('/signup', { email: unknown, password: 'password1' }))).toEqual(outcome)
  expect(outcome).toMatchObject({ status: 422, hashes: [0, 0], statements: ['auth.provider-of-domain'] })
})

test('threat 11: a sign-in has the same response and hashes for known and unknown addresses', async ({ service }) => {
  const { known, unknown } = await service.pair('sign-in')
  const path = '/token?grant_type=password'
  const outcome = await service.seen(path, { email: known, password: 'not the password' })
  expect(service.same(await service.seen(path, { email: unknown, password: 'not the password' }))).toEqual(outcome)
  expect(outcome).toMatchObject({
    status: 400,
    hashes: [0, 2],
    statements: ['auth.provider-of-domain', 'auth.find-account', 'auth.count-guess', 'auth.log-failed-login'],
  })
})

test.for([
  ['/recover', {}],
  ['/resend', { type: 'signup' }],
] as const)(
  'threat 11: %s has the same response and statements for known and unknown addresses',
  async ([path, payload], { service }) => {
    const { known, unknown } = await service.pair(path.slice(1))
    const { written, ...outcome } = await service.seen(path, { ...payload, email: known })
    const { written: other, ...answer } = await service.seen(path, { ...payload, email: unknown })
    expect(service.same({ ...answer, written: [] })).toEqual({ ...outcome, written: [] })
    expect(outcome).toMatchObject({ status: 200, body: [], hashes: [0, 0] })
    // No email goes to an unknown address: one row less, in the same statement.
    expect([Object.fromEntries(written).emails, Object.fromEntries(other).emails]).toEqual([1, 0])
  },
)

test('threat 98: a sign-up followed by a sign-in does not reveal whether an address has an account', async ({
  authApp,
  service,
}) => {
  const { known, unknown } = await service.pair('own-sign-up')
  const own = 'the password of the asker'
  for (const email of [known, unknown]) {
    await authApp.app.inject({ method: 'POST', url: '/auth/v1/signup', payload: { email, password: own } })
  }
  const path = '/token?grant_type=password'
  for (const password of [own, 'not the password']) {
    const outcome = await service.seen(path, { email: known, password })
    expect(service.same(await service.seen(path, { email: unknown, password }))).toEqual(outcome)
    expect(outcome.status).toBe(400)
  }
  expect((await service.seen(path, { email: known, password: own })).body).toContainEqual([
    'code',
    'email_not_confirmed',
  ])
})

test('threat 98: a sign-in after the owner confirms does not reveal that an account was created', async ({
  authApp,
}) => {
  const email = 'late.owner@fjordlab.example'
  const own = 'the password of the asker'
  const post = async (url: string, payload: object, remoteAddress: string) =>
    (await authApp.app.inject({ method: 'POST', url: `/auth/v1${url}`, payload, remoteAddress })).json()
  await post('/signup', { email, password: own }, '192.0.2.1')
  await post('/signup', { email, password: PASSWORD }, '198.51.100.1')
  const link = confirmation(await newestLinkToken(authApp, email), PASSWORD)
  expect(await post('/verify', link, '198.51.100.1')).toMatchObject({ user: { email } })
  const answer = await post('/token?grant_type=password', { email, password: own }, '192.0.2.1')
  expect(answer.code).toBe('email_not_confirmed')
})

test('threat 98: the sign-up of a stranger does not reset the failed attempts of the address', async ({ authApp }) => {
  const { email } = await makeUser(authApp)
  const own = 'the password of the asker'
  const signIn = async (password: string) => {
    const payload = { email, password }
    return (await authApp.app.inject({ method: 'POST', url: '/auth/v1/token?grant_type=password', payload })).statusCode
  }
  await authApp.app.inject({ method: 'POST', url: '/auth/v1/signup', payload: { email, password: own } })
  for (const _ of Array(5)) expect(await signIn('not the password')).toBe(400)
  expect(await signIn(own)).toBe(400)
  expect(await signIn('not the password')).toBe(400)
  expect(await signIn('not the password')).toBe(429)
})
