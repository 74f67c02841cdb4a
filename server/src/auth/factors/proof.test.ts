import { describe, expect } from 'vitest'
import { confirmation, createAuthClient, createBrowser, newestLinkToken } from '../../testing/auth-client.ts'
import {
  authorizationOf,
  codeOf,
  type Device,
  enroll,
  makePerson,
  makeProtectedPerson,
  prove,
  signIn,
  whoami,
} from '../../testing/factors.ts'
import { makeUser, PASSWORD } from '../../testing/make.ts'
import { test as base } from '../../testing/test.ts'

const FRESH_SECONDS = 15 * 60

const test = base.extend(
  'beginWith',
  ({ authApp }) =>
    async function beginWith(device: Device, current_password: string) {
      const headers = { authorization: await authorizationOf(device) }
      const payload = { factor_type: 'totp', friendly_name: 'New', current_password }
      const answer = await authApp.app.inject({ method: 'POST', url: '/auth/v1/factors', headers, payload })
      return { status: answer.statusCode, ...answer.json<{ id?: string; code?: string }>() }
    },
)

// Each test starts in a new time step, with fresh limits.
test.beforeEach(({ authApp }) => authApp.clock.pass(3600))

async function begin(device: Device) {
  const { error } = await device.mfa.enroll({ factorType: 'totp', friendlyName: 'New' })
  return error && [error.status, error.code]
}

const NEEDED = [400, 'reauthentication_needed']

describe('threat 84: an auth session without a recent re-authentication', () => {
  test('threat 84: cannot enrol a factor, also after a refresh', async ({ authApp }) => {
    const { email, device } = await makePerson(authApp)
    authApp.clock.pass(FRESH_SECONDS)
    await device.refreshSession()
    expect(await begin(device)).toEqual(NEEDED)
    expect((await device.getUser()).data.user?.factors).toBeUndefined()
    expect(await whoami(authApp, await signIn(authApp, email))).toEqual([200, undefined])
  })

  test('threat 84: enrols a factor with the password, under the same rate limit as elsewhere', async ({
    authApp,
    beginWith,
  }) => {
    const { device } = await makePerson(authApp)
    authApp.clock.pass(FRESH_SECONDS)
    for (let guess = 0; guess < 6; guess++) {
      expect(await beginWith(device, 'not this one')).toMatchObject({ status: 400, code: 'current_password_invalid' })
    }
    expect(await beginWith(device, PASSWORD)).toMatchObject({ status: 429, code: 'over_request_rate_limit' })
    authApp.clock.pass(1)
    const { status, id = '' } = await beginWith(device, PASSWORD)
    expect(status).toBe(200)
    expect((await prove(authApp, device, id)).error).toBeNull()
  })

  test('threat 84: cannot verify a factor that it enrolled in time until the user re-authenticates', async ({
    authApp,
  }) => {
    const { email, device } = await makePerson(authApp)
    const other = await signIn(authApp, email)
    const { id } = await enroll(device)
    authApp.clock.pass(FRESH_SECONDS)
    const { error } = await prove(authApp, device, id)
    expect([error?.status, error?.code]).toEqual(NEEDED)
    expect(await whoami(authApp, other)).toEqual([200, undefined])
    await signIn(authApp, email, device)
    expect((await prove(authApp, device, id)).error).toBeNull()
  })

  test('threat 84: gains nothing when the owner signs in again in the same browser (session fixation)', async ({
    authApp,
  }) => {
    const { email } = await makeUser(authApp)
    const browser = createBrowser()
    const tab = await signIn(authApp, email, createAuthClient(authApp.app, browser))
    const planted = await enroll(tab)
    const headers = { authorization: await authorizationOf(tab), cookie: browser.cookie }
    authApp.clock.pass(FRESH_SECONDS)
    await signIn(authApp, email, tab)
    const ask = (path: string, payload: object) =>
      authApp.app.inject({ method: 'POST', url: `/auth/v1/factors${path}`, headers, payload })
    const challenge = (await ask(`/${planted.id}/challenge`, {})).json()
    const answers = [
      await ask('', { factor_type: 'totp', friendly_name: 'New' }),
      await ask(`/${planted.id}/verify`, { challenge_id: challenge.id, code: await codeOf(authApp, planted.id) }),
    ]
    for (const answer of answers) expect([answer.statusCode, answer.json().code]).toEqual(NEEDED)
    expect(await begin(tab)).toBeNull()
  })

  test('threat 84: cannot remove a factor, verified or not', async ({ authApp }) => {
    const { email, device, factorId } = await makeProtectedPerson(authApp)
    const begun = await enroll(device, 'Begun')
    authApp.clock.pass(FRESH_SECONDS)
    for (const id of [factorId, begun.id]) {
      const { error } = await device.mfa.unenroll({ factorId: id })
      expect([error?.status, error?.code]).toEqual(NEEDED)
    }
    expect((await device.getUser()).data.user?.factors).toHaveLength(2)
    expect(await whoami(authApp, await signIn(authApp, email))).toEqual([403, 'aal2_required'])
    expect((await prove(authApp, device, factorId)).error).toBeNull()
    expect((await device.mfa.unenroll({ factorId })).error).toBeNull()
  })
})

describe('a re-authentication', () => {
  test('is valid for 15 minutes', async ({ authApp }) => {
    const { device } = await makePerson(authApp)
    authApp.clock.pass(FRESH_SECONDS - 10)
    expect(await begin(device)).toBeNull()
    authApp.clock.pass(10)
    expect(await begin(device)).toEqual(NEEDED)
  })

  test('is a confirmation link, a recovery link, or a code', async ({ authApp }) => {
    const email = 'newcomer@fjordlab.example'
    const device = createAuthClient(authApp.app)
    await device.signUp({ email, password: PASSWORD })
    await device.verifyOtp(confirmation(await newestLinkToken(authApp, email), PASSWORD))
    expect(await begin(device)).toBeNull()
    authApp.clock.pass(FRESH_SECONDS)
    expect(await begin(device)).toEqual(NEEDED)
    await device.resetPasswordForEmail(email)
    await device.verifyOtp({ type: 'recovery', token_hash: await newestLinkToken(authApp, email, 'recovery') })
    const { id } = await enroll(device)
    expect((await prove(authApp, device, id)).error).toBeNull()
    authApp.clock.pass(FRESH_SECONDS)
    expect(await begin(device)).toEqual(NEEDED)
    expect((await prove(authApp, device, id)).error).toBeNull()
    expect(await begin(device)).toBeNull()
  })
})
