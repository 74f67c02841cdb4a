import { expect, vi } from 'vitest'
import { readConfig } from '../../config/config.ts'
import { statement } from '../../db/db.ts'
import { createAuthClient } from '../../testing/auth-client.ts'
import { makeUser, PASSWORD } from '../../testing/make.ts'
import { test as base } from '../../testing/test.ts'
import { REAL_COST } from '../../testing/test-config.ts'
import { createPasswords } from '../password/hashing.ts'

const test = base.extend('settings', { scope: 'file' }, REAL_COST).extend('service', ({ authApp }) => {
  const client = () => createAuthClient(authApp.app)
  const signIn = (email: string, password = PASSWORD) => client().signInWithPassword({ email, password })
  const auditOf = (userId: string) =>
    authApp.auth.db.query<{ action: string }>(
      statement('test.actions', 'select action from auth.audit_log where user_id = :userId order by id'),
      { userId },
    )
  /** Changes the hash of the account between the password check and the opening of the auth session. */
  function changeHashConcurrently(userId: string, hash: string): void {
    vi.spyOn(authApp.auth.passwords, 'verify').mockImplementationOnce(async () => {
      await authApp.auth.db.query(setHash, { userId, hash })
      return true
    })
  }
  return { client, signIn, auditOf, changeHashConcurrently }
})

test('the right password opens an auth session whose token auth-js verifies with the published keys', async ({
  authApp,
  service,
}) => {
  const { email, userId } = await makeUser(authApp)
  const device = service.client()
  const { data, error } = await device.signInWithPassword({ email, password: PASSWORD })
  expect(error).toBeNull()
  expect(data.session?.refresh_token).toMatch(/^[\w-]{71}$/)
  expect(data.user).toMatchObject({ id: userId, email, role: 'authenticated', phone: '' })

  const claims = (await device.getClaims()).data?.claims
  expect(claims).toMatchObject({
    iss: 'http://localhost:3000/auth/v1',
    sub: userId,
    aud: 'authenticated',
    email,
    phone: '',
    role: 'authenticated',
    aal: 'aal1',
    amr: [{ method: 'password', timestamp: expect.any(Number) }],
    session_id: expect.stringMatching(/^[\da-f-]{36}$/),
    is_anonymous: false,
    app_metadata: { provider: 'email' },
    user_metadata: {},
  })
  expect(Number(claims?.exp) - Number(claims?.iat)).toBe(3600)
  expect((await device.getUser()).data.user?.last_sign_in_at).toBe(data.user?.last_sign_in_at)
})

test('the response has no expires_at, so that a wrong device clock does no harm', async ({ authApp }) => {
  const { email } = await makeUser(authApp)
  const answer = await authApp.app.inject({
    method: 'POST',
    url: '/auth/v1/token?grant_type=password',
    payload: { email, password: PASSWORD },
  })
  expect(Object.keys(answer.json()).sort()).toEqual([
    'access_token',
    'expires_in',
    'refresh_token',
    'token_type',
    'user',
  ])
})

test('the address is case-insensitive and the password case-sensitive', async ({ authApp, service }) => {
  const { email } = await makeUser(authApp)
  expect((await service.signIn(` ${email.toUpperCase()} `)).error).toBeNull()
  for (const password of [PASSWORD.toUpperCase(), ` ${PASSWORD}`, `${PASSWORD} `, '', 'x'.repeat(4000)]) {
    const { error } = await service.signIn(email, password)
    expect([error?.status, error?.code, error?.message]).toEqual([
      400,
      'invalid_credentials',
      'Invalid login credentials',
    ])
  }
})

test('an unknown address has the same response and work as a wrong password', async ({ authApp, service }) => {
  const { email } = await makeUser(authApp)
  const cost = async (address: string) => {
    const verify = vi.spyOn(authApp.auth.passwords, 'verify')
    authApp.statements.length = 0
    const { error } = await service.signIn(address, 'not the password')
    const checks = verify.mock.calls.length
    verify.mockRestore()
    return { error: { ...error }, checks, statements: [...authApp.statements] }
  }
  const known = await cost(email)
  expect(known.statements).toEqual([
    'auth.provider-of-domain',
    'auth.find-account',
    'auth.count-guess',
    'auth.log-failed-login',
  ])
  for (const address of ['nobody@fjordlab.example', 'no address', '']) expect(await cost(address)).toEqual(known)
})

test('email_not_confirmed needs the right password', async ({ authApp, service }) => {
  const email = 'waiting@fjordlab.example'
  await service.client().signUp({ email, password: PASSWORD })
  const wrong = await service.signIn(email, 'not the password')
  expect(wrong.error?.code).toBe('invalid_credentials')
  const right = await service.signIn(email)
  expect([right.error?.status, right.error?.code, right.error?.message]).toEqual([
    400,
    'email_not_confirmed',
    'Email not confirmed',
  ])
  // The same a day later, when the link has expired: the user can request a new one.
  authApp.clock.pass(25 * 3600)
  expect((await service.signIn(email)).error?.code).toBe('email_not_confirmed')
})

test('user_banned needs the right password', async ({ authApp, service }) => {
  const { email, userId, accessToken, refreshToken } = await makeUser(authApp)
  const ban = statement('test.ban', "update auth.users set banned_until = 'infinity' where id = :userId")
  await authApp.auth.db.query(ban, { userId })
  expect((await service.signIn(email, 'not the password')).error?.code).toBe('invalid_credentials')
  expect((await service.signIn(email)).error).toMatchObject({ status: 400, code: 'user_banned' })
  expect((await service.client().getUser(accessToken)).error).toMatchObject({ status: 403, code: 'user_banned' })
  const refreshed = await service.client().refreshSession({ refresh_token: refreshToken })
  expect(refreshed.error).toMatchObject({ status: 400, code: 'user_banned' })
})

const setHash = statement('test.set-hash', 'update auth.users set encrypted_password = :hash where id = :userId')

test('a password that changes during its check opens no auth session', async ({ authApp, service }) => {
  const { email, userId } = await makeUser(authApp)
  service.changeHashConcurrently(userId, await authApp.auth.passwords.hash('another otter'))
  expect((await service.signIn(email)).error?.code).toBe('invalid_credentials')
})

test('a password whose hash is renewed concurrently still signs in', async ({ authApp, service }) => {
  const { email, userId } = await makeUser(authApp)
  service.changeHashConcurrently(userId, await authApp.auth.passwords.hash(PASSWORD))
  expect((await service.signIn(email)).error).toBeNull()
})

test('a wrong password leaves no trace when the account is deleted concurrently', async ({ authApp, service }) => {
  const { email, userId } = await makeUser(authApp)
  const remove = statement(
    'test.remove',
    'with gone as (delete from auth.audit_log where user_id = :userId) delete from auth.users where id = :userId',
  )
  vi.spyOn(authApp.auth.passwords, 'verify').mockImplementationOnce(async () => {
    await authApp.auth.db.query(remove, { userId })
    return false
  })
  expect((await service.signIn(email, 'not the password')).error?.code).toBe('invalid_credentials')
  expect(await service.auditOf(userId)).toEqual([])
})

test('the audit log has successful and failed sign-ins', async ({ authApp, service }) => {
  const { email, userId } = await makeUser(authApp)
  await service.signIn(email, 'not the password')
  await service.signIn(email)
  // The first event is from the creation of the user.
  expect((await service.auditOf(userId)).map((row) => row.action)).toEqual(['login', 'login_failed', 'login'])
})

test('a sign-in renews a hash with another cost, and the password still works', async ({ authApp, service }) => {
  const { email, userId } = await makeUser(authApp)
  const older = createPasswords({ memoryKiB: 12_288, passes: 3, threads: 1 })
  const read = statement('test.hash', 'select encrypted_password as hash from auth.users where id = :userId')
  await authApp.auth.db.query(setHash, { userId, hash: await older.hash(PASSWORD) })

  expect((await service.signIn(email, 'not the password')).error?.code).toBe('invalid_credentials')
  expect(await authApp.auth.db.query(read, { userId })).toEqual([
    { hash: expect.stringContaining('$m=12288,t=3,p=1$') },
  ])
  expect((await service.signIn(email)).error).toBeNull()
  const [renewed] = await authApp.auth.db.query(read, { userId })
  expect(renewed).toEqual({ hash: expect.stringContaining('$argon2id$v=19$m=19456,t=2,p=1$') })
  expect((await service.signIn(email)).error).toBeNull()
  expect(await authApp.auth.db.query(read, { userId })).toEqual([renewed])
})

test.each(['19456', '19456,2', '19456,2,0', '19456,1,1', '4096,9,1', '2000000,1,1', '19456,500,1', 'm=19456,t=2,p=1'])(
  'AUTH_ARGON2=%s stops the start with an error message',
  (text) => {
    expect(() => readConfig({ AUTH_ARGON2: text })).toThrow(
      /^AUTH_ARGON2 must be KiB of memory, passes and threads such as 19456,2,1, .*\.$/,
    )
  },
)

test('AUTH_ARGON2 sets the cost of a hash', () => {
  expect(readConfig({}).argon2).toEqual({ memoryKiB: 19_456, passes: 2, threads: 1 })
  expect(readConfig({ AUTH_ARGON2: '65536,3,1' }).argon2).toEqual({ memoryKiB: 65_536, passes: 3, threads: 1 })
})

test('rejects another grant type', async ({ authApp }) => {
  for (const query of ['', '?grant_type=pkce', '?grant_type=password&grant_type=password']) {
    const answer = await authApp.app.inject({ method: 'POST', url: `/auth/v1/token${query}`, payload: {} })
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'validation_failed'])
  }
})
