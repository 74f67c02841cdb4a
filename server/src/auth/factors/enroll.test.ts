import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { mailsTo } from '../../testing/auth-client.ts'
import {
  authorizationOf,
  enroll,
  levelOf,
  makePerson,
  makeProtectedPerson,
  prove,
  signIn,
  whoami,
} from '../../testing/factors.ts'
import { test } from '../../testing/test.ts'

// Each test starts in a new time step, with fresh limits.
test.beforeEach(({ authApp }) => authApp.clock.pass(3600))

describe('enroll', () => {
  test('replaces an unverified factor of the same name, but not a verified one', async ({ authApp }) => {
    const { device } = await makePerson(authApp)
    const first = await enroll(device)
    const second = await enroll(device)
    expect((await device.mfa.challenge({ factorId: first.id })).error?.code).toBe('mfa_factor_not_found')
    expect((await prove(authApp, device, second.id)).error).toBeNull()
    const { error } = await device.mfa.enroll({ factorType: 'totp', friendlyName: 'Phone' })
    expect([error?.status, error?.code]).toEqual([422, 'mfa_factor_name_conflict'])
    expect((await device.mfa.enroll({ factorType: 'totp', friendlyName: 'Tablet' })).error).toBeNull()
  })

  test('is limited to ten factors, also under concurrent use', async ({ authApp }) => {
    const { email, device } = await makePerson(authApp)
    const outcomes = await Promise.all(
      Array.from({ length: 12 }, (_, at) => device.mfa.enroll({ factorType: 'totp', friendlyName: `Phone ${at}` })),
    )
    const refused = outcomes.flatMap(({ error }) => (error ? [[error.status, error.code]] : []))
    expect(refused).toEqual(Array(2).fill([422, 'too_many_enrolled_mfa_factors']))
    authApp.clock.pass(3700)
    await signIn(authApp, email, device)
    expect((await device.mfa.enroll({ factorType: 'totp', friendlyName: 'Late' })).error).toBeNull()
  })

  test('rejects a phone and a security key', async ({ authApp }) => {
    const { device } = await makePerson(authApp)
    const phone = await device.mfa.enroll({ factorType: 'phone', phone: '+491234567', friendlyName: 'Phone' })
    expect([phone.error?.status, phone.error?.code]).toEqual([422, 'mfa_phone_enroll_not_enabled'])
    const key = await device.mfa.enroll({ factorType: 'webauthn', friendlyName: 'Key' })
    expect([key.error?.status, key.error?.code]).toEqual([422, 'mfa_webauthn_enroll_not_enabled'])
  })

  test('needs a printable name and a live auth session', async ({ authApp }) => {
    const { device } = await makePerson(authApp)
    for (const friendlyName of ['x'.repeat(65), 'a\nb', 'a\u0000b']) {
      expect((await device.mfa.enroll({ factorType: 'totp', friendlyName })).error?.code).toBe('validation_failed')
    }
    const { id } = await enroll(device)
    const authorization = await authorizationOf(device)
    await device.signOut({ scope: 'local' })
    const requests = [
      { method: 'POST', url: '/factors', payload: { factor_type: 'totp' } },
      { method: 'POST', url: `/factors/${id}/challenge`, payload: {} },
      { method: 'POST', url: `/factors/${id}/verify`, payload: { challenge_id: randomUUID(), code: '000000' } },
      { method: 'DELETE', url: `/factors/${id}` },
    ] as const
    for (const { url, ...request } of requests) {
      const without = await authApp.app.inject({ ...request, url: `/auth/v1${url}` })
      expect([without.statusCode, without.json().code]).toEqual([401, 'no_authorization'])
      const ended = await authApp.app.inject({ ...request, url: `/auth/v1${url}`, headers: { authorization } })
      expect([ended.statusCode, ended.json().code]).toEqual([403, 'session_not_found'])
    }
  })
})

describe('unenroll', () => {
  test('turns the second factor off for the last one and notifies the owner', async ({ authApp }) => {
    const { email, device, factorId } = await makeProtectedPerson(authApp)
    const { data, error } = await device.mfa.unenroll({ factorId })
    expect([data, error]).toEqual([{ id: factorId }, null])
    expect((await device.refreshSession()).error).toBeNull()
    expect(await levelOf(device)).toBe('aal1')
    expect(await whoami(authApp, device)).toEqual([200, undefined])
    expect(await whoami(authApp, await signIn(authApp, email))).toEqual([200, undefined])
    expect((await mailsTo(authApp, email)).at(-1)).toContain(
      'Subject: A second factor of your deeb account was removed',
    )
  })

  test('of one factor still needs a code of the other', async ({ authApp }) => {
    const { device, factorId } = await makeProtectedPerson(authApp)
    const second = await enroll(device, 'Tablet')
    expect((await device.mfa.unenroll({ factorId: second.id })).error).toBeNull()
    const third = await enroll(device, 'Tablet')
    await prove(authApp, device, third.id)
    authApp.clock.pass(60)
    expect((await device.mfa.unenroll({ factorId: third.id })).error).toBeNull()
    expect(await whoami(authApp, device)).toEqual([403, 'aal2_required'])
    expect((await prove(authApp, device, factorId)).error).toBeNull()
    expect(await whoami(authApp, device)).toEqual([200, undefined])
  })
})
