import { decodeJwt } from 'jose'
import { describe, expect, vi } from 'vitest'
import { statement } from '../../db/db.ts'
import { confirmation, createAuthClient, newestLinkToken } from '../../testing/auth-client.ts'
import { addCompany, makePasswordless } from '../../testing/company.ts'
import { type Device, enroll, makePerson, prove } from '../../testing/factors.ts'
import { PASSWORD } from '../../testing/make.ts'
import { test as base } from '../../testing/test.ts'

const NEXT_PASSWORD = 'eleven loud herons'
const FRESH_SECONDS = 15 * 60

const test = base.extend('service', ({ authApp }) => {
  /** A user without a password who is signed in on a device. */
  async function makeEmployee() {
    const person = await makePerson(authApp)
    await makePasswordless(authApp.auth.db, { userId: person.userId, providerId })
    return person
  }
  /** Re-authenticates the auth session of a device, as a company sign-in does. */
  async function proveIt(device: Device): Promise<void> {
    await authApp.auth.db.query(stamp, { sessionId: await sessionIdOf(device), now: authApp.auth.now() })
  }
  return { makeEmployee, proveIt }
})

let providerId: string
test.beforeAll(async ({ authApp }) => {
  providerId = await addCompany(authApp.auth.db, 'fjordlab.example')
})
// Other tests cover the limits.
test.beforeEach(({ authApp }) => authApp.clock.pass(3600))

const NEEDED = [400, 'reauthentication_needed']
const codeOf = ({ error }: Awaited<ReturnType<Device['updateUser']>>) => error && [error.status, error.code]

describe('an account without a password', () => {
  test('is shown with its identity, and no password opens it', async ({ authApp, service }) => {
    const { email, userId, device } = await service.makeEmployee()
    expect((await device.getUser()).data.user).toMatchObject({
      email,
      identities: [{ provider: `sso:${providerId}`, id: userId, identity_data: { sub: userId } }],
    })
    expect((await device.refreshSession()).error).toBeNull()
    const verify = vi.spyOn(authApp.auth.passwords, 'verify')
    for (const password of [PASSWORD, '']) {
      const { error } = await createAuthClient(authApp.app).signInWithPassword({ email, password })
      expect(error?.code).toBe('invalid_credentials')
    }
    // The same work as for any other account.
    expect(verify.mock.calls.map(([hash]) => hash)).toEqual([null, null, null, null])
    verify.mockRestore()
  })

  test('threat 77: gets its first password only soon after a sign-in', async ({ authApp, service }) => {
    const { email, device } = await service.makeEmployee()
    authApp.clock.pass(FRESH_SECONDS)
    for (const current_password of [undefined, PASSWORD]) {
      const change = { password: NEXT_PASSWORD, ...(current_password && { current_password }) }
      expect(codeOf(await device.updateUser(change))).toEqual(NEEDED)
    }
    await service.proveIt(device)
    expect((await device.updateUser({ password: NEXT_PASSWORD })).error).toBeNull()
    const late = createAuthClient(authApp.app)
    expect((await late.signInWithPassword({ email, password: NEXT_PASSWORD })).error).toBeNull()
    const again = await device.updateUser({ password: PASSWORD })
    expect(codeOf(again)).toEqual([400, 'current_password_required'])
  })

  test('threat 77: changes its address only soon after a sign-in, in an auth session of its own', async ({
    authApp,
    service,
  }) => {
    const { email, device } = await service.makeEmployee()
    authApp.clock.pass(FRESH_SECONDS)
    expect(codeOf(await device.updateUser({ email: `new-${email}` }))).toEqual(NEEDED)
    await service.proveIt(device)
    expect((await device.updateUser({ email: `new-${email}` })).error).toBeNull()
    const token = await newestLinkToken(authApp, `new-${email}`, 'email_change')
    const stranger = await createAuthClient(authApp.app).verifyOtp(confirmation(token, PASSWORD, 'email_change'))
    expect(stranger.error?.code).toBe('invalid_credentials')
    const { data } = await device.verifyOtp({ type: 'email_change', token_hash: token })
    expect(data.user?.email).toBe(`new-${email}`)
  })

  test('gets a password by a recovery link', async ({ authApp, service }) => {
    const { email } = await service.makeEmployee()
    const device = createAuthClient(authApp.app)
    await device.resetPasswordForEmail(email)
    await device.verifyOtp({ type: 'recovery', token_hash: await newestLinkToken(authApp, email, 'recovery') })
    expect((await device.updateUser({ password: NEXT_PASSWORD })).error).toBeNull()
    const late = createAuthClient(authApp.app)
    expect((await late.signInWithPassword({ email, password: NEXT_PASSWORD })).error).toBeNull()
  })
})

const stamp = statement('test.stamp', 'update auth.sessions set proven_at = :now where id = :sessionId')

async function claimsOf(device: Device) {
  const token = (await device.getSession()).data.session?.access_token ?? ''
  return decodeJwt<{ session_id: string; amr: { method: string }[] }>(token)
}

const sessionIdOf = async (device: Device) => (await claimsOf(device)).session_id

const setMethods = statement(
  'test.set-methods',
  `update auth.sessions set amr = (select jsonb_agg(jsonb_build_object('method', method, 'timestamp', 0))
    from unnest(:methods::text[]) as method), sso_provider_id = :providerId, sso_sid = 'sid-1' where id = :sessionId`,
)

test('a new password keeps the methods that are the reason for the level of the auth session', async ({ authApp }) => {
  const { device } = await makePerson(authApp)
  const methods = ['totp', 'mfa/recovery_code', 'passkey', 'oauth', 'password', 'recovery']
  await authApp.auth.db.query(setMethods, { methods, providerId, sessionId: await sessionIdOf(device) })
  await device.updateUser({ password: NEXT_PASSWORD, current_password: PASSWORD })
  await device.refreshSession()
  const { amr } = await claimsOf(device)
  expect(amr.map(({ method }) => method)).toEqual(['password', 'totp', 'mfa/recovery_code', 'passkey', 'oauth'])
})

test('threat 63: a code keeps the company sign-in of the auth session that it replaces', async ({ authApp }) => {
  const { device } = await makePerson(authApp)
  const sessionId = await sessionIdOf(device)
  await authApp.auth.db.query(setMethods, { methods: ['oauth'], providerId, sessionId })
  const { id } = await enroll(device)
  expect((await prove(authApp, device, id)).error).toBeNull()
  const read = statement(
    'test.company-of-session',
    'select sso_provider_id as "providerId", sso_sid as sid from auth.sessions where id = :sessionId',
  )
  const after = await sessionIdOf(device)
  expect(after).not.toBe(sessionId)
  expect(await authApp.auth.db.query(read, { sessionId: after })).toEqual([{ providerId, sid: 'sid-1' }])
})
