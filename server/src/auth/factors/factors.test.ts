import { decodeJwt } from 'jose'
import { describe, expect } from 'vitest'
import { createAuthClient, createBrowser, mailsTo, newestLinkToken } from '../../testing/auth-client.ts'
import {
  codeOf,
  enroll,
  levelOf,
  makePerson,
  makeProtectedPerson,
  prove,
  signIn,
  whoami,
} from '../../testing/factors.ts'
import { makeUser } from '../../testing/make.ts'
import { test } from '../../testing/test.ts'

const NEXT_PASSWORD = 'eleven loud herons'

// Each test starts in a new time step, with fresh limits.
test.beforeEach(({ authApp }) => authApp.clock.pass(3600))

test('auth-js enrols an app, verifies its code, and gets an aal2 auth session', async ({ authApp }) => {
  const { email, userId, device } = await makePerson(authApp)
  const events: string[] = []
  device.onAuthStateChange((event) => void events.push(event))
  const factor = await enroll(device)
  expect(factor).toMatchObject({ type: 'totp', friendly_name: 'Phone' })
  expect(factor.totp.secret).toMatch(/^[A-Z2-7]{32}$/)
  expect(factor.totp.uri).toContain(`otpauth://totp/deeb:${encodeURIComponent(email)}?secret=${factor.totp.secret}`)
  expect((await device.mfa.listFactors()).data).toMatchObject({ all: [{ status: 'unverified' }], totp: [] })
  expect(await whoami(authApp, device)).toEqual([200, undefined])

  const challenge = await device.mfa.challenge({ factorId: factor.id })
  expect(challenge.data).toMatchObject({ type: 'totp' })
  const before = (await device.getSession()).data.session
  const code = await codeOf(authApp, factor.id)
  const verified = await device.mfa.verify({ factorId: factor.id, challengeId: challenge.data?.id ?? '', code })
  expect(verified.error).toBeNull()
  expect(events).toContain('MFA_CHALLENGE_VERIFIED')
  expect(await levelOf(device)).toBe('aal2')
  const after = (await device.getSession()).data.session
  expect(decodeJwt(after?.access_token ?? '')).toMatchObject({
    sub: userId,
    amr: [{ method: 'totp' }, { method: 'password' }],
  })
  expect((await device.mfa.listFactors()).data?.totp).toMatchObject([
    { id: factor.id, friendly_name: 'Phone', factor_type: 'totp', status: 'verified' },
  ])
  expect(await whoami(authApp, device)).toEqual([200, undefined])
  expect((await mailsTo(authApp, email)).at(-1)).toContain('Subject: A second factor was added to your deeb account')
  // Tokens stolen before the code stay aal1.
  const refresh = await createAuthClient(authApp.app).refreshSession({ refresh_token: before?.refresh_token ?? '' })
  expect(refresh.error?.code).toBe('refresh_token_not_found')
})

describe('a second factor', () => {
  test('is needed by every auth session: older ones are revoked, and new ones can only enter a code', async ({
    authApp,
  }) => {
    const { email, device } = await makePerson(authApp)
    const other = await signIn(authApp, email)
    expect(await whoami(authApp, other)).toEqual([200, undefined])
    const { id } = await enroll(device)
    await prove(authApp, device, id)
    expect(await whoami(authApp, other)).toEqual([401, 'not_signed_in'])
    const late = await signIn(authApp, email)
    expect(await whoami(authApp, late)).toEqual([403, 'aal2_required'])
    expect((await late.getUser()).data.user?.factors).toMatchObject([{ id, status: 'verified' }])
    expect((await late.mfa.getAuthenticatorAssuranceLevel()).data).toMatchObject({
      currentLevel: 'aal1',
      nextLevel: 'aal2',
    })
    authApp.clock.pass(60)
    expect((await prove(authApp, late, id)).error).toBeNull()
    expect([await whoami(authApp, late), await whoami(authApp, device)]).toEqual(Array(2).fill([200, undefined]))
  })

  test('needs no additional query per request', async ({ authApp }) => {
    const { device } = await makeProtectedPerson(authApp)
    const before = authApp.statements.length
    await whoami(authApp, device)
    await whoami(authApp, device)
    expect(authApp.statements.slice(before)).toEqual(['auth.session-owner'])
  })

  test('stays verified when the auth session is refreshed', async ({ authApp }) => {
    const { device } = await makeProtectedPerson(authApp)
    expect((await device.refreshSession()).error).toBeNull()
    expect(await levelOf(device)).toBe('aal2')
    expect(await whoami(authApp, device)).toEqual([200, undefined])
  })

  test('is needed after a recovery link too, before a new password', async ({ authApp }) => {
    const { email, factorId } = await makeProtectedPerson(authApp)
    const device = createAuthClient(authApp.app)
    await device.resetPasswordForEmail(email)
    await device.verifyOtp({ type: 'recovery', token_hash: await newestLinkToken(authApp, email, 'recovery') })
    expect(await whoami(authApp, device)).toEqual([403, 'aal2_required'])
    const refused = await device.updateUser({ password: NEXT_PASSWORD })
    expect([refused.error?.status, refused.error?.code]).toEqual([401, 'insufficient_aal'])
    expect((await prove(authApp, device, factorId)).error).toBeNull()
    expect((await device.updateUser({ password: NEXT_PASSWORD })).error).toBeNull()
    expect(await levelOf(device)).toBe('aal2')
  })

  test('keeps the cookie of the browser and works only there', async ({ authApp }) => {
    const { email } = await makeUser(authApp)
    const browser = createBrowser()
    const tab = await signIn(authApp, email, createAuthClient(authApp.app, browser))
    const { id } = await enroll(tab)
    expect((await prove(authApp, tab, id)).error).toBeNull()
    expect(browser.given).toHaveLength(1)
    expect(await whoami(authApp, tab, { cookie: browser.cookie })).toEqual([200, undefined])
    expect(await whoami(authApp, tab)).toEqual([401, 'not_signed_in'])
  })
})
