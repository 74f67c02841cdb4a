// Runs in npm run test:all.
import { describe, expect } from 'vitest'
import { statement } from '../../db/db.ts'
import { createAuthClient, mailsTo, newestLinkToken } from '../../testing/auth-client.ts'
import { type Device, enroll, levelOf, makePerson, makeProtectedPerson, prove, signIn } from '../../testing/factors.ts'
import { test as base } from '../../testing/test.ts'

const NEXT_PASSWORD = 'eleven loud herons'

const test = base.extend('service', ({ authApp }) => {
  /** Sends `count` wrong codes concurrently, in as many auth sessions as the limit needs. Returns the error codes. */
  async function guess(email: string, factorId: string, count: number) {
    const sessions: Device[] = []
    while (sessions.length * 5 < count) sessions.push(await signIn(authApp, email))
    return Promise.all(Array.from({ length: count }, (_, n) => guessIn(sessions[Math.floor(n / 5)], factorId)))
  }
  async function recover(email: string): Promise<Device> {
    const device = createAuthClient(authApp.app)
    await device.resetPasswordForEmail(email)
    await device.verifyOtp({ type: 'recovery', token_hash: await newestLinkToken(authApp, email, 'recovery') })
    return device
  }
  async function warningsTo(email: string): Promise<number> {
    const emails = await mailsTo(authApp, email)
    return emails.filter((mail) => mail.includes('Subject: Wrong codes for your deeb account')).length
  }
  return { guess, recover, warningsTo }
})

// Each test starts in a new time step, with fresh limits.
test.beforeEach(({ authApp }) => authApp.clock.pass(3600))

async function guessIn(device: Device | undefined, factorId: string) {
  const { error } = (await device?.mfa.challengeAndVerify({ factorId, code: 'abcdef' })) ?? {}
  return error?.code
}

const audited = statement(
  'test.failed-codes',
  `select detail->'wrong_codes' as count, detail->>'factor' as factor, ip from auth.audit_log
  where user_id = :userId and action = 'mfa_failed' order by id`,
)

const STOPPED = 'mfa_verification_rejected'

describe('threat 85: an attacker with the password but without the factor', () => {
  test('threat 85: has 100 attempts in total over all auth sessions, each in the audit log', async ({
    authApp,
    service,
  }) => {
    const { email, userId, factorId } = await makeProtectedPerson(authApp)
    const waiting = await signIn(authApp, email)
    const codes = await service.guess(email, factorId, 110)
    expect(codes.filter((code) => code === 'mfa_verification_failed')).toHaveLength(100)
    expect(codes.filter((code) => code === STOPPED)).toHaveLength(10)
    for (const device of [waiting, await signIn(authApp, email)]) {
      const { error } = await prove(authApp, device, factorId)
      expect([error?.status, error?.code]).toEqual([403, STOPPED])
    }
    const entries = await authApp.auth.db.query(audited, { userId })
    expect(entries).toEqual(
      Array.from({ length: 100 }, (_, n) => ({ count: n + 1, factor: factorId, ip: '127.0.0.1' })),
    )
    expect(await service.warningsTo(email)).toBe(1)
  })

  test('threat 85: is reported to the owner by email at the tenth wrong code, once', async ({ authApp, service }) => {
    const { email, factorId } = await makeProtectedPerson(authApp)
    await service.guess(email, factorId, 9)
    expect(await service.warningsTo(email)).toBe(0)
    await service.guess(email, factorId, 1)
    expect(await service.warningsTo(email)).toBe(1)
    await service.guess(email, factorId, 10)
    expect(await service.warningsTo(email)).toBe(1)
  })

  test('threat 85: gains no attempts by right codes of the owner, which reset only the owner’s wrong codes', async ({
    authApp,
    service,
  }) => {
    const { email, factorId } = await makeProtectedPerson(authApp)
    await service.guess(email, factorId, 8)
    const owner = await signIn(authApp, email)
    expect(await guessIn(owner, factorId)).toBe('mfa_verification_failed')
    expect((await prove(authApp, owner, factorId)).error).toBeNull()
    await service.guess(email, factorId, 1)
    expect(await service.warningsTo(email)).toBe(0)
    await service.guess(email, factorId, 1)
    expect(await service.warningsTo(email)).toBe(1)
  })

  test('threat 85: uses up no attempts of the owner', async ({ authApp }) => {
    const { email, factorId } = await makeProtectedPerson(authApp)
    const thief = await signIn(authApp, email)
    for (let n = 0; n < 6; n++) await guessIn(thief, factorId)
    expect(await guessIn(thief, factorId)).toBe('over_request_rate_limit')
    expect((await prove(authApp, await signIn(authApp, email), factorId)).error).toBeNull()
  })

  test('threat 85: is locked out when the owner opens a recovery link, enters a code and sets a password', async ({
    authApp,
    service,
  }) => {
    const { email, device, factorId } = await makeProtectedPerson(authApp)
    await service.guess(email, factorId, 100)
    const thief = await signIn(authApp, email)
    expect((await device.refreshSession()).error).toBeNull()
    const owner = await service.recover(email)
    expect((await prove(authApp, thief, factorId)).error?.code).toBe(STOPPED)
    expect((await prove(authApp, owner, factorId)).error).toBeNull()
    expect(await levelOf(owner)).toBe('aal2')
    const late = await signIn(authApp, email)
    expect((await prove(authApp, late, factorId)).error?.code).toBe(STOPPED)
    expect((await owner.updateUser({ password: NEXT_PASSWORD })).error).toBeNull()
    for (const session of [thief, late]) expect((await session.refreshSession()).error).not.toBeNull()
    await owner.signInWithPassword({ email, password: NEXT_PASSWORD })
    authApp.clock.pass(60)
    expect((await prove(authApp, owner, factorId)).error).toBeNull()
  })

  test('threat 85: has ten attempts with a recovery link', async ({ authApp, service }) => {
    const { email, factorId } = await makeProtectedPerson(authApp)
    await service.guess(email, factorId, 100)
    const thief = await service.recover(email)
    const codes: (string | undefined)[] = []
    for (let n = 0; n < 11; n++) {
      authApp.clock.pass(12)
      codes.push(await guessIn(thief, factorId))
    }
    expect(codes).toEqual([...Array(10).fill('mfa_verification_failed'), STOPPED])
  })

  test('threat 85: stays stopped after any time', async ({ authApp, service }) => {
    const { email, factorId } = await makeProtectedPerson(authApp)
    await service.guess(email, factorId, 100)
    authApp.clock.pass(60 * 86_400)
    expect((await prove(authApp, await signIn(authApp, email), factorId)).error?.code).toBe(STOPPED)
  })
})

test('wrong codes below the limit expire after 30 days without another one', async ({ authApp, service }) => {
  const { email, factorId } = await makeProtectedPerson(authApp)
  await service.guess(email, factorId, 9)
  authApp.clock.pass(29 * 86_400)
  await service.guess(email, factorId, 1)
  expect(await service.warningsTo(email)).toBe(1)
  authApp.clock.pass(31 * 86_400)
  await service.guess(email, factorId, 9)
  expect(await service.warningsTo(email)).toBe(1)
  await service.guess(email, factorId, 1)
  expect(await service.warningsTo(email)).toBe(2)
})

test('a wrong code of an unverified factor does not count', async ({ authApp }) => {
  const { userId, device } = await makePerson(authApp)
  const { id } = await enroll(device)
  expect(await guessIn(device, id)).toBe('mfa_verification_failed')
  expect(await authApp.auth.db.query(audited, { userId })).toEqual([])
})
