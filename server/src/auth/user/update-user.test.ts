import { describe, expect, inject, vi } from 'vitest'
import { statement } from '../../db/db.ts'
import { createAuthClient, mailsTo, newestLinkToken } from '../../testing/auth-client.ts'
import { waitingForLocks } from '../../testing/lock-waits.ts'
import { makeUser, PASSWORD } from '../../testing/make.ts'
import { test as base } from '../../testing/test.ts'
import { until } from '../../testing/until.ts'

const test = base.extend('service', ({ authApp }) => {
  async function signedIn(known?: string) {
    const { email, userId } = known ? { email: known, userId: '' } : await makeUser(authApp)
    const device = createAuthClient(authApp.app)
    const { data } = await device.signInWithPassword({ email, password: PASSWORD })
    return { email, userId, device, accessToken: data.session?.access_token ?? '' }
  }
  async function recovered() {
    const { email } = await makeUser(authApp)
    const device = createAuthClient(authApp.app)
    await device.resetPasswordForEmail(email)
    await device.verifyOtp({ type: 'recovery', token_hash: await newestLinkToken(authApp, email, 'recovery') })
    return { email, device }
  }
  const whoami = async (accessToken: string) =>
    (await authApp.app.inject({ url: '/whoami', headers: { authorization: `Bearer ${accessToken}` } })).statusCode
  return { signedIn, recovered, whoami }
})

// Other tests cover the limits.
test.beforeEach(({ authApp }) => authApp.clock.pass(3600))

const NEXT_PASSWORD = 'eleven loud herons'

test.for([{ data: { theme: 'dark' } }, { password: NEXT_PASSWORD, current_password: PASSWORD }])(
  'changes nothing and throws when the auth session ends concurrently: %o',
  async (change, { authApp, service }) => {
    const { device, userId } = await service.signedIn()
    const end = statement('test.end-sessions', 'delete from auth.sessions where user_id = :userId')
    const { db } = authApp.auth
    const { transaction } = db
    vi.spyOn(db, 'transaction').mockImplementationOnce(async (work) => {
      await db.query(end, { userId })
      return transaction(work)
    })
    expect((await device.updateUser(change)).error?.name).toBe('AuthSessionMissingError')
  },
)

describe('a new password', () => {
  test('threat 22: takes effect immediately, revokes the other auth sessions, and notifies the owner', async ({
    authApp,
    service,
  }) => {
    const { email, device, accessToken } = await service.signedIn()
    const other = await service.signedIn(email)
    expect(await service.whoami(other.accessToken)).toBe(200)
    const { data, error } = await device.updateUser({ password: NEXT_PASSWORD, current_password: PASSWORD })
    expect(error).toBeNull()
    expect(data.user?.email).toBe(email)
    expect([await service.whoami(accessToken), await service.whoami(other.accessToken)]).toEqual([200, 401])
    expect((await other.device.refreshSession()).error?.code).toBe('refresh_token_not_found')
    expect((await device.refreshSession()).error).toBeNull()
    const late = createAuthClient(authApp.app)
    expect((await late.signInWithPassword({ email, password: PASSWORD })).error?.code).toBe('invalid_credentials')
    expect((await late.signInWithPassword({ email, password: NEXT_PASSWORD })).error).toBeNull()
    expect((await mailsTo(authApp, email)).at(-1)).toContain('Subject: Your deeb password was changed')
  })

  test('threat 22: revokes an auth session that is being opened concurrently', async ({ authApp, service }) => {
    const { db } = authApp.auth
    const { userId, device } = await service.signedIn()
    const openAnother = statement(
      'test.open-another',
      `with person as (update auth.users set last_sign_in_at = :now where id = :userId returning id)
      insert into auth.sessions (id, user_id, amr, created_at, refreshed_at, not_after)
      select gen_random_uuid(), id, '[]', :now, :now, 'infinity' from person`,
    )
    let changing: ReturnType<typeof device.updateUser> | undefined
    await db.transaction(async (tx) => {
      await tx.query(openAnother, { userId, now: authApp.clock.now() })
      changing = device.updateUser({ password: NEXT_PASSWORD, current_password: PASSWORD })
      // The embedded engine has one connection, so the change waits for this whole transaction.
      if (inject('template').engine === 'embedded') return
      await until(async () => (await waitingForLocks(db)).length > 0)
    })
    expect((await changing)?.error).toBeNull()
    const sessions = statement('test.sessions-left', 'select id from auth.sessions where user_id = :userId')
    const ownSession = (await device.getClaims()).data?.claims.session_id
    expect(await db.query(sessions, { userId })).toEqual([{ id: ownSession }])
  })

  test('needs the current one', async ({ service }) => {
    const { device } = await service.signedIn()
    const refused = async (current_password?: string) => {
      const { error } = await device.updateUser({
        password: NEXT_PASSWORD,
        ...(current_password !== undefined && { current_password }),
      })
      return [error?.status, error?.code]
    }
    expect(await refused()).toEqual([400, 'current_password_required'])
    expect(await refused('')).toEqual([400, 'current_password_required'])
    expect(await refused(NEXT_PASSWORD)).toEqual([400, 'current_password_invalid'])
    for (let guess = 0; guess < 5; guess++) await refused('wrong')
    expect(await refused(PASSWORD)).toEqual([429, 'over_request_rate_limit'])
  })

  test('must be strong and different from the current one', async ({ service }) => {
    const { device } = await service.signedIn()
    const weak = (await device.updateUser({ password: 'short', current_password: PASSWORD })).error
    expect(weak).toMatchObject({ name: 'AuthWeakPasswordError', status: 422, reasons: ['length'] })
    const same = (await device.updateUser({ password: PASSWORD, current_password: PASSWORD })).error
    expect([same?.status, same?.code]).toEqual([422, 'same_password'])
  })

  test('needs no current one for 15 minutes after recovery, once only', async ({ authApp, service }) => {
    const { device } = await service.recovered()
    authApp.clock.pass(14 * 60)
    expect((await device.updateUser({ password: NEXT_PASSWORD })).error).toBeNull()
    expect((await device.updateUser({ password: `${NEXT_PASSWORD}!` })).error?.code).toBe('current_password_required')
    const late = await service.recovered()
    authApp.clock.pass(15 * 60)
    expect((await late.device.updateUser({ password: NEXT_PASSWORD })).error?.code).toBe('current_password_required')
  })

  test('after recovery does not permit a change of address', async ({ service }) => {
    const { device } = await service.recovered()
    const { error } = await device.updateUser({ email: 'eve@evil.example', password: NEXT_PASSWORD })
    expect(error?.code).toBe('current_password_required')
  })

  test('is set once when two are set concurrently', async ({ service }) => {
    const { email, device } = await service.signedIn()
    const other = await service.signedIn(email)
    const outcomes = await Promise.all([
      device.updateUser({ password: NEXT_PASSWORD, current_password: PASSWORD }),
      other.device.updateUser({ password: `other ${NEXT_PASSWORD}`, current_password: PASSWORD }),
    ])
    expect(outcomes.filter(({ error }) => !error)).toHaveLength(1)
  })
})

test('a password that changes during its check permits no change', async ({ service }) => {
  const { device } = await service.signedIn()
  const outcomes = await Promise.all(
    [NEXT_PASSWORD, `other ${NEXT_PASSWORD}`].map((password) =>
      device.updateUser({ password, current_password: PASSWORD }),
    ),
  )
  expect(outcomes.map(({ error }) => error?.code ?? 'set').sort()).toEqual(['current_password_invalid', 'set'])
})

describe('the metadata of an account', () => {
  test('is merged, null removes a member, and a refresh keeps it', async ({ service }) => {
    const { device } = await service.signedIn()
    await device.updateUser({ data: { a: 1, b: { c: null } } })
    const { data } = await device.updateUser({ data: { a: null, d: 'x', e: null } })
    expect(data.user?.user_metadata).toEqual({ b: { c: null }, d: 'x' })
    expect((await device.refreshSession()).data.user?.user_metadata).toEqual({ b: { c: null }, d: 'x' })
  })

  test('threat 36: is an object of at most 4 KiB and grants no permissions', async ({ service }) => {
    const { device, accessToken, userId } = await service.signedIn()
    const refused = async (data: unknown) => (await device.updateUser({ data: data as object })).error?.code
    for (const data of [{ a: 'x'.repeat(5000) }, [], 'x', 7, { a: '\u0000' }, { a: '\ud800' }]) {
      expect(await refused(data)).toBe('validation_failed')
    }
    expect(await refused({ a: 'x'.repeat(2500) })).toBeUndefined()
    expect(await refused({ b: 'x'.repeat(2500) })).toBe('validation_failed')
    expect(await refused({ a: null, b: 'x'.repeat(2500) })).toBeUndefined()
    const data = { role: 'admin', sub: 'x', company_domain: 'evil.example', app_metadata: { admin: true } }
    const { data: changed } = await device.updateUser({ data })
    expect(changed.user).toMatchObject({ id: userId, role: 'authenticated', app_metadata: { provider: 'email' } })
    expect(await service.whoami(accessToken)).toBe(200)
  })
})

describe('a change', () => {
  test('needs a live auth session of a user who is not blocked', async ({ authApp, service }) => {
    const { device, accessToken, userId } = await service.signedIn()
    const put = async (authorization?: string) => {
      const headers = authorization ? { authorization } : {}
      const answer = await authApp.app.inject({ method: 'PUT', url: '/auth/v1/user', headers, payload: { data: {} } })
      return [answer.statusCode, answer.json().code]
    }
    expect(await put()).toEqual([401, 'no_authorization'])
    expect(await put('Bearer x')).toEqual([403, 'bad_jwt'])
    const ban = statement(
      'test.ban',
      'update auth.users set banned_until = :bannedUntil where id = :userId returning id',
    )
    await authApp.auth.db.query(ban, { userId, bannedUntil: 'infinity' })
    expect(await put(`Bearer ${accessToken}`)).toEqual([403, 'user_banned'])
    await authApp.auth.db.query(ban, { userId, bannedUntil: null })
    await device.signOut({ scope: 'local' })
    expect(await put(`Bearer ${accessToken}`)).toEqual([403, 'session_not_found'])
  })
})
