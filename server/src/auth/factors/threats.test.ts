import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { statement } from '../../db/db.ts'
import { createAuthClient, createBrowser } from '../../testing/auth-client.ts'
import {
  authorizationOf,
  codeOf,
  type Device,
  enroll,
  makePerson,
  makeProtectedPerson,
  prove,
  signIn,
} from '../../testing/factors.ts'
import { makeUser, PASSWORD } from '../../testing/make.ts'
import { test } from '../../testing/test.ts'

const NEXT_PASSWORD = 'eleven loud herons'

// Each test starts in a new time step, with fresh limits.
test.beforeEach(({ authApp }) => authApp.clock.pass(3600))

describe('threat 29: an attacker with the password but without the factor', () => {
  test('can guess five codes a minute in one auth session', async ({ authApp }) => {
    const { email, factorId } = await makeProtectedPerson(authApp)
    const thief = await signIn(authApp, email)
    const codes: (string | undefined)[] = []
    for (let guess = 0; guess < 8; guess++) {
      const { error } = await thief.mfa.challengeAndVerify({ factorId, code: 'abcdef' })
      codes.push(error?.code)
    }
    expect(codes).toEqual([...Array(5).fill('mfa_verification_failed'), ...Array(3).fill('over_request_rate_limit')])
  })

  test('uses up no attempts of the owner with only a stolen token', async ({ authApp }) => {
    const { email } = await makeUser(authApp)
    const tab = await signIn(authApp, email, createAuthClient(authApp.app, createBrowser()))
    const { id } = await enroll(tab)
    const headers = { authorization: await authorizationOf(tab) }
    for (let guess = 0; guess < 8; guess++) {
      const answer = await authApp.app.inject({ method: 'POST', url: `/auth/v1/factors/${id}/challenge`, headers })
      expect([answer.statusCode, answer.json().code]).toEqual([403, 'session_not_found'])
    }
    expect((await prove(authApp, tab, id)).error).toBeNull()
  })

  test('cannot use a code twice, also not concurrently (replay attack)', async ({ authApp }) => {
    const { email, factorId } = await makeProtectedPerson(authApp)
    const devices = await Promise.all([signIn(authApp, email), signIn(authApp, email)])
    const code = await codeOf(authApp, factorId)
    const outcomes = await Promise.all(devices.map((device) => device.mfa.challengeAndVerify({ factorId, code })))
    expect(outcomes.map(({ error }) => error?.code ?? 'in').sort()).toContain('in')
    expect(outcomes.filter(({ error }) => !error)).toHaveLength(1)
    const late = await signIn(authApp, email)
    const { error } = await late.mfa.challengeAndVerify({ factorId, code })
    expect([error?.status, error?.code]).toEqual([422, 'mfa_verification_failed'])
  })

  test('cannot use a code twice in two aal2 auth sessions (replay attack)', async ({ authApp }) => {
    const { email, device, factorId } = await makeProtectedPerson(authApp)
    const other = await signIn(authApp, email)
    expect((await prove(authApp, other, factorId)).error).toBeNull()
    authApp.clock.pass(60)
    const challengeOn = async (each: Device) => (await each.mfa.challenge({ factorId })).data?.id ?? ''
    const tries = [
      { mfa: device.mfa, challengeId: await challengeOn(device) },
      { mfa: other.mfa, challengeId: await challengeOn(other) },
    ]
    const code = await codeOf(authApp, factorId)
    const outcomes = await Promise.all(tries.map(({ mfa, challengeId }) => mfa.verify({ factorId, challengeId, code })))
    expect(outcomes.filter(({ error }) => !error)).toHaveLength(1)
  })

  test('has five minutes and one success per challenge', async ({ authApp }) => {
    const { device, factorId } = await makeProtectedPerson(authApp)
    const spent = (await device.mfa.challenge({ factorId })).data?.id ?? ''
    const late = (await device.mfa.challenge({ factorId })).data?.id ?? ''
    const verify = async (challengeId: string) => {
      const { error } = await device.mfa.verify({ factorId, challengeId, code: await codeOf(authApp, factorId) })
      return error && [error.status, error.code]
    }
    expect(await verify(spent)).toBeNull()
    authApp.clock.pass(60)
    expect(await verify(spent)).toEqual([422, 'mfa_challenge_expired'])
    authApp.clock.pass(300)
    expect(await verify(late)).toEqual([422, 'mfa_challenge_expired'])
    expect(await verify(randomUUID())).toEqual([422, 'mfa_challenge_expired'])
    expect(await verify('x')).toEqual([400, 'validation_failed'])
  })

  test('gains nothing by an unverified factor that was enrolled before', async ({ authApp }) => {
    const { email, device } = await makePerson(authApp)
    const planted = await enroll(await signIn(authApp, email), 'Planted')
    const code = await codeOf(authApp, planted.id)
    const own = await enroll(device, 'Own')
    expect((await prove(authApp, device, own.id)).error).toBeNull()
    const thief = await signIn(authApp, email)
    const { error } = await thief.mfa.challengeAndVerify({ factorId: planted.id, code })
    expect(error?.code).toBe('mfa_factor_not_found')
  })

  test('cannot verify an unverified factor, which the owner can remove', async ({ authApp }) => {
    const { email, device } = await makeProtectedPerson(authApp)
    const begun = await enroll(device, 'Second')
    const thief = await signIn(authApp, email)
    expect((await prove(authApp, thief, begun.id)).error?.code).toBe('mfa_verification_failed')
    expect((await thief.mfa.listFactors()).data?.totp).toHaveLength(1)
    authApp.clock.pass(60)
    expect((await prove(authApp, device, begun.id)).error).toBeNull()
    expect((await device.mfa.listFactors()).data?.totp).toHaveLength(2)
  })

  test('cannot change the account, add a factor or remove one', async ({ authApp }) => {
    const { email, factorId, userId } = await makeProtectedPerson(authApp)
    const thief = await signIn(authApp, email)
    const outcomes = [
      await thief.updateUser({ password: NEXT_PASSWORD, current_password: PASSWORD }),
      await thief.updateUser({ email: 'eve@evil.example', current_password: PASSWORD }),
      await thief.updateUser({ data: { a: 1 } }),
      await thief.mfa.enroll({ factorType: 'totp', friendlyName: 'Mine' }),
      await thief.mfa.unenroll({ factorId }),
    ]
    expect(outcomes.map(({ error }) => [error?.status, error?.code])).toEqual([
      ...Array(3).fill([401, 'insufficient_aal']),
      [403, 'insufficient_aal'],
      [422, 'insufficient_aal'],
    ])
    const count = statement(
      'test.factors',
      'select count(*)::int as count from auth.mfa_factors where user_id = :userId',
    )
    expect(await authApp.auth.db.query(count, { userId })).toEqual([{ count: 1 }])
  })
})

test('threat 30: a factor of another user is not found', async ({ authApp }) => {
  const { factorId, device } = await makeProtectedPerson(authApp)
  const thief = await makePerson(authApp)
  const own = await enroll(thief.device)
  const challengeId = (await thief.device.mfa.challenge({ factorId: own.id })).data?.id ?? ''
  const theirs = (await device.mfa.challenge({ factorId })).data?.id ?? ''
  const code = await codeOf(authApp, factorId)
  const { mfa } = thief.device
  const outcomes = [
    await mfa.challenge({ factorId }),
    await mfa.verify({ factorId, challengeId, code }),
    await mfa.verify({ factorId, challengeId: theirs, code }),
    await mfa.unenroll({ factorId }),
    await mfa.challenge({ factorId: randomUUID() }),
  ]
  for (const { error } of outcomes) expect([error?.status, error?.code]).toEqual([404, 'mfa_factor_not_found'])
  const crossed = await mfa.verify({ factorId: own.id, challengeId: theirs, code: await codeOf(authApp, own.id) })
  expect(crossed.error?.code).toBe('mfa_challenge_expired')
  expect((await device.mfa.listFactors()).data?.totp).toHaveLength(1)
})

test('threat 31: a dump of the database contains no secret of a factor', async ({ authApp }) => {
  const { device } = await makePerson(authApp)
  const { id, totp } = await enroll(device)
  const read = statement('test.factor-row', 'select mfa_factors::text as row from auth.mfa_factors where id = :id')
  const [found] = await authApp.auth.db.query<{ row: string }>(read, { id })
  const code = await codeOf(authApp, id)
  expect(code).toMatch(/^\d{6}$/)
  const bits = [...totp.secret].map((letter) =>
    'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'.indexOf(letter).toString(2).padStart(5, '0'),
  )
  const hex = (bits.join('').match(/.{8}/g) ?? []).map((byte) => Number.parseInt(byte, 2).toString(16).padStart(2, '0'))
  expect(found?.row).toContain(id)
  expect(found?.row).not.toContain(hex.join(''))
  expect(found?.row).not.toContain(totp.secret)
})
