import { randomBytes } from 'node:crypto'
import { decodeJwt } from 'jose'
import { describe, expect } from 'vitest'
import { statement } from '../../db/db.ts'
import { restartWith } from '../../testing/auth-app.ts'
import { createAuthClient, mailsTo } from '../../testing/auth-client.ts'
import {
  authorizationOf,
  type Device,
  enroll,
  levelOf,
  makePerson,
  makeProtectedPerson,
  prove,
  signIn,
  whoami,
} from '../../testing/factors.ts'
import { test as base } from '../../testing/test.ts'

const test = base
  /** A user with an authenticator app and recovery codes, on a device with an aal2 auth session. */
  .extend(
    'makeCarefulPerson',
    ({ authApp }) =>
      async function makeCarefulPerson() {
        const person = await makeProtectedPerson(authApp)
        return { ...person, codes: await makeCodes(person.device) }
      },
  )

// Each test starts in a new time step, with fresh limits.
test.beforeEach(({ authApp }) => authApp.clock.pass(3600))

const codeOf = ({ error }: { error: unknown }) => {
  if (!error) return null
  const { status, code } = error as { status?: number; code?: string }
  return [status, code]
}

async function makeCodes(device: Device): Promise<string[]> {
  const { data, error } = await device.mfa.recoveryCodes.generate()
  if (error) throw error
  return data.codes
}

const enter = (device: Device, code = '') => device.mfa.recoveryCodes.verify({ code })
const WRONG = [422, 'mfa_verification_failed']
const SLOWED = [429, 'over_request_rate_limit']

test('recovery codes are made once, counted, made again and removed', async ({ authApp }) => {
  const { email, device } = await makeProtectedPerson(authApp)
  const { recoveryCodes } = device.mfa
  expect(codeOf(await recoveryCodes.getStatus())).toEqual([404, 'mfa_factor_not_found'])
  expect(codeOf(await recoveryCodes.regenerate())).toEqual([404, 'mfa_factor_not_found'])
  const { data } = await recoveryCodes.generate({ friendlyName: 'Paper' })
  const code = expect.stringMatching(/^[0-9a-hjkmnp-tv-z]{16}$/)
  const id = data?.id ?? ''
  expect(data).toEqual({ id, type: 'recovery_code', friendly_name: 'Paper', total: 10, codes: Array(10).fill(code) })
  expect(new Set(data?.codes).size).toBe(10)
  expect((await mailsTo(authApp, email)).at(-1)).toContain('Subject: Recovery codes were made for your deeb account')
  expect(codeOf(await recoveryCodes.generate())).toEqual([422, 'mfa_verified_factor_exists'])
  expect((await recoveryCodes.getStatus()).data).toEqual({ id, type: 'recovery_code', total: 10, remaining: 10 })
  expect((await device.mfa.listFactors()).data).toMatchObject({ totp: [{}], recovery_code: [{ id }] })

  expect((await enter(device, data?.codes[0])).error).toBeNull()
  expect((await recoveryCodes.getStatus()).data).toMatchObject({ total: 10, remaining: 9 })
  const { data: next } = await recoveryCodes.regenerate()
  expect(next).toMatchObject({ id, friendly_name: 'Paper', total: 10 })
  expect((await recoveryCodes.getStatus()).data).toMatchObject({ total: 10, remaining: 10 })
  expect(codeOf(await enter(device, data?.codes[1]))).toEqual(WRONG)
  expect((await enter(device, next?.codes[1])).error).toBeNull()

  expect((await recoveryCodes.unenroll()).data).toEqual({ id })
  expect(codeOf(await recoveryCodes.unenroll())).toEqual([404, 'mfa_factor_not_found'])
  expect(codeOf(await enter(device, next?.codes[2]))).toEqual(WRONG)
  // The device signed in with a code, and its owner may have lost the app.
  expect(await whoami(authApp, device)).toEqual([200, undefined])
})

test('a recovery code signs in in place of a code of the app, and notifies the owner', async ({
  authApp,
  makeCarefulPerson,
}) => {
  const { email, userId, codes } = await makeCarefulPerson()
  const [device, other] = [await signIn(authApp, email), await signIn(authApp, email)]
  const events: string[] = []
  device.onAuthStateChange((event) => void events.push(event))
  // As people type and paste it: the second half is full width.
  const [half, fullWidth] = [codes[0]?.slice(0, 8) ?? '', (codes[0]?.slice(8) ?? '').replaceAll(/./g, toFullWidth)]
  const typed = ` ${half.replaceAll('0', 'O').replaceAll('1', 'l').toUpperCase().replace(/.{4}/g, '$& - ')}${fullWidth}\u200b`
  const { data, error } = await enter(device, typed)
  expect(error).toBeNull()
  expect(events).toContain('MFA_CHALLENGE_VERIFIED')
  expect([await levelOf(device), await whoami(authApp, device)]).toEqual(['aal2', [200, undefined]])
  expect(decodeJwt(data?.access_token ?? '')).toMatchObject({
    amr: [{ method: 'mfa/recovery_code' }, { method: 'password' }],
  })
  expect((await other.refreshSession()).error?.code).toBe('refresh_token_not_found')
  expect((await mailsTo(authApp, email)).at(-1)).toContain('Subject: A recovery code of your deeb account was used')
  const used = statement(
    'test.used-codes',
    "select ip from auth.audit_log where user_id = :userId and action = 'recovery_code_used'",
  )
  expect(await authApp.auth.db.query(used, { userId })).toEqual([{ ip: '127.0.0.1' }])
})

test('recovery codes need an authenticator app, the second factor and a recent re-authentication', async ({
  authApp,
  makeCarefulPerson,
}) => {
  const person = await makePerson(authApp)
  await enroll(person.device)
  expect(codeOf(await person.device.mfa.recoveryCodes.generate())).toEqual([422, 'mfa_recovery_codes_sole_factor'])
  const { email, device, codes } = await makeCarefulPerson()
  const thief = (await signIn(authApp, email)).mfa.recoveryCodes
  for (const outcome of [await thief.generate(), await thief.regenerate(), await thief.unenroll()]) {
    expect(codeOf(outcome)).toEqual([403, 'insufficient_aal'])
  }
  authApp.clock.pass(15 * 60)
  const { recoveryCodes } = device.mfa
  for (const outcome of [
    await recoveryCodes.generate(),
    await recoveryCodes.regenerate(),
    await recoveryCodes.unenroll(),
  ]) {
    expect(codeOf(outcome)).toEqual([400, 'reauthentication_needed'])
  }
  expect((await enter(device, codes[0])).error).toBeNull()
  expect((await recoveryCodes.regenerate()).error).toBeNull()
})

test('recovery codes have a name of their own, and only their own routes', async ({ authApp }) => {
  const { device } = await makeProtectedPerson(authApp)
  const named = await device.mfa.recoveryCodes.generate({ friendlyName: 'Phone' })
  expect(codeOf(named)).toEqual([422, 'mfa_factor_name_conflict'])
  await makeCodes(device)
  const id = (await device.mfa.recoveryCodes.getStatus()).data?.id ?? ''
  const headers = { authorization: await authorizationOf(device) }
  for (const [method, path] of [
    ['POST', '/challenge'],
    ['DELETE', ''],
  ] as const) {
    const answer = await authApp.app.inject({ method, url: `/auth/v1/factors/${id}${path}`, headers })
    expect([answer.statusCode, answer.json().code]).toEqual([404, 'mfa_factor_not_found'])
  }
})

describe('threat 46: recovery codes', () => {
  test('threat 46: share five tries a minute with the codes of the app', async ({ authApp, makeCarefulPerson }) => {
    const { email, factorId, codes } = await makeCarefulPerson()
    const thief = await signIn(authApp, email)
    for (const code of ['', 'not a code']) expect(codeOf(await enter(thief, code))).toEqual(WRONG)
    const { data: challenge } = await thief.mfa.challenge({ factorId })
    const guess = () => thief.mfa.verify({ factorId, challengeId: challenge?.id ?? '', code: 'abcdef' })
    for (let n = 0; n < 3; n++) expect(codeOf(await guess())).toEqual(WRONG)
    expect([codeOf(await enter(thief, codes[0])), codeOf(await guess())]).toEqual([SLOWED, SLOWED])
    // Those of the owner are in another auth session.
    expect((await enter(await signIn(authApp, email), codes[0])).error).toBeNull()
  })

  test('threat 46: count with the wrong codes of the app, which the owner learns of', async ({
    authApp,
    makeCarefulPerson,
  }) => {
    const { email, userId } = await makeCarefulPerson()
    for (const thief of [await signIn(authApp, email), await signIn(authApp, email)]) {
      for (let n = 0; n < 5; n++) expect(codeOf(await enter(thief, '0'.repeat(16)))).toEqual(WRONG)
    }
    expect((await mailsTo(authApp, email)).at(-1)).toContain('Subject: Wrong codes for your deeb account')
    const counted = statement('test.failed', 'select failed_codes as failed from auth.users where id = :userId')
    expect(await authApp.auth.db.query(counted, { userId })).toEqual([{ failed: 10 }])
  })

  test('threat 46: still let the owner in when a thief has used up the codes of the app', async ({
    authApp,
    makeCarefulPerson,
  }) => {
    const { email, userId, factorId, codes } = await makeCarefulPerson()
    const block = statement('test.block-codes', 'update auth.users set failed_codes = 100 where id = :userId')
    await authApp.auth.db.query(block, { userId })
    const owner = await signIn(authApp, email)
    expect(codeOf(await prove(authApp, owner, factorId))).toEqual([403, 'mfa_verification_rejected'])
    expect((await enter(owner, codes[0])).error).toBeNull()
  })

  test('threat 46: a dump of the database contains no code, and tests no guess without the key', async ({
    authApp,
    makeCarefulPerson,
  }) => {
    const { email, codes } = await makeCarefulPerson()
    const dump = statement(
      'test.dump-codes',
      `select string_agg(to_jsonb(row)::text, ' ') as text from (
        select to_jsonb(codes) as row from auth.mfa_recovery_codes as codes
        union all select to_jsonb(factors) from auth.mfa_factors as factors
        union all select to_jsonb(events) from auth.audit_log as events
        union all select to_jsonb(emails) from auth.outbox as emails) as rows`,
    )
    const [found] = await authApp.auth.db.query<{ text: string }>(dump)
    for (const code of codes) {
      for (const spelling of [code, Buffer.from(code).toString('hex')]) expect(found?.text).not.toContain(spelling)
    }
    const { keys } = authApp.auth
    const other = await restartWith(authApp, { keys: { ...keys, recoveryCodeKeys: [randomBytes(32)] } })
    const enterAt = async (app: typeof other, code = '') => {
      const client = createAuthClient(app)
      await client.signInWithPassword({ email, password: 'seven quiet otters' })
      return enter(client, code)
    }
    expect(codeOf(await enterAt(other, codes[0]))).toEqual(WRONG)
    await other.close()
    // During a rotation of the server secret the old key still recognizes them.
    const recoveryCodeKeys = [randomBytes(32), ...keys.recoveryCodeKeys] as const
    const rotated = await restartWith(authApp, { keys: { ...keys, recoveryCodeKeys } })
    expect((await enterAt(rotated, codes[0])).error).toBeNull()
    await rotated.close()
  })
})

test('threat 47: one recovery code opens one auth session, also when it is sent four times concurrently', async ({
  authApp,
  makeCarefulPerson,
}) => {
  const { email, codes } = await makeCarefulPerson()
  const devices = await Promise.all(Array.from({ length: 4 }, () => signIn(authApp, email)))
  const outcomes = await Promise.all(devices.map((device) => enter(device, codes[0])))
  expect(outcomes.filter(({ error }) => !error)).toHaveLength(1)
  expect(codeOf(await enter(await signIn(authApp, email), codes[0]))).toEqual(WRONG)
})

test('threat 47: a recovery code of another user opens nothing', async ({ authApp, makeCarefulPerson }) => {
  const [ann, eve] = [await makeCarefulPerson(), await makeCarefulPerson()]
  expect(codeOf(await enter(await signIn(authApp, eve.email), ann.codes[0]))).toEqual(WRONG)
  expect((await enter(await signIn(authApp, ann.email), ann.codes[0])).error).toBeNull()
})

test('threat 48: the last authenticator app takes the recovery codes with it, so that they lock nobody out', async ({
  authApp,
  makeCarefulPerson,
}) => {
  const { email, device, factorId } = await makeCarefulPerson()
  const second = await enroll(device, 'Tablet')
  expect((await prove(authApp, device, second.id)).error).toBeNull()
  await enroll(device, 'Begun')
  expect((await device.mfa.unenroll({ factorId })).error).toBeNull()
  expect((await device.mfa.recoveryCodes.getStatus()).data).toMatchObject({ remaining: 10 })
  expect((await device.mfa.unenroll({ factorId: second.id })).error).toBeNull()
  expect(codeOf(await device.mfa.recoveryCodes.getStatus())).toEqual([404, 'mfa_factor_not_found'])
  expect(await whoami(authApp, await signIn(authApp, email))).toEqual([200, undefined])
})

function toFullWidth(character: string): string {
  return String.fromCharCode(character.charCodeAt(0) + 0xfee0)
}
