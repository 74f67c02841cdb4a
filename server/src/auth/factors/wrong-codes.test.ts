import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { statement } from '../../db/db.ts'
import { type AuthApp, openAuthApp } from '../../testing/auth-app.ts'
import { createAuthClient, mailsTo, newestLinkToken } from '../../testing/auth-client.ts'
import { type Device, enroll, levelOf, makePerson, makeProtectedPerson, prove, signIn } from '../../testing/factors.ts'

const NEXT_PASSWORD = 'eleven loud herons'

let authApp: AuthApp
beforeAll(async () => {
  authApp = await openAuthApp()
})
afterAll(() => authApp.close())
// A new half minute for each test, and no limit left over from the one before.
beforeEach(() => authApp.clock.pass(3600))

/** `count` wrong codes, in as many sessions as the limit of each asks for, all concurrently. Gives the error codes. */
async function guess(email: string, factorId: string, count: number) {
  const sessions: Device[] = []
  while (sessions.length * 5 < count) sessions.push(await signIn(authApp, email))
  return Promise.all(Array.from({ length: count }, (_, n) => guessIn(sessions[Math.floor(n / 5)], factorId)))
}

async function guessIn(device: Device | undefined, factorId: string) {
  const { error } = (await device?.mfa.challengeAndVerify({ factorId, code: 'abcdef' })) ?? {}
  return error?.code
}

async function recover(email: string): Promise<Device> {
  const device = createAuthClient(authApp.app)
  await device.resetPasswordForEmail(email)
  await device.verifyOtp({ type: 'recovery', token_hash: await newestLinkToken(authApp, email, 'recovery') })
  return device
}

async function warningsTo(email: string): Promise<number> {
  const mails = await mailsTo(authApp, email)
  return mails.filter((mail) => mail.includes('Subject: Wrong codes for your deeb account')).length
}

const audited = statement(
  'test.failed-codes',
  `select detail->'wrong_codes' as count, detail->>'factor' as factor, ip from auth.audit_log
  where user_id = :userId and action = 'mfa_failed' order by id`,
)

const STOPPED = 'mfa_verification_rejected'

describe('threat 85: whoever has the password but not the factor', () => {
  test('threat 85: gets a hundred codes in all, however many sessions they open, and every one is in the audit log', async () => {
    const { email, userId, factorId } = await makeProtectedPerson(authApp)
    const waiting = await signIn(authApp, email)
    const codes = await guess(email, factorId, 110)
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
    expect(await warningsTo(email)).toBe(1)
  })

  test('threat 85: is reported to the mailbox at the tenth wrong code, once', async () => {
    const { email, factorId } = await makeProtectedPerson(authApp)
    await guess(email, factorId, 9)
    expect(await warningsTo(email)).toBe(0)
    await guess(email, factorId, 1)
    expect(await warningsTo(email)).toBe(1)
    await guess(email, factorId, 10)
    expect(await warningsTo(email)).toBe(1)
  })

  test('threat 85: gains no more codes by right ones of the owner, whose own slips are forgiven', async () => {
    const { email, factorId } = await makeProtectedPerson(authApp)
    await guess(email, factorId, 8)
    const owner = await signIn(authApp, email)
    expect(await guessIn(owner, factorId)).toBe('mfa_verification_failed')
    expect((await prove(authApp, owner, factorId)).error).toBeNull()
    await guess(email, factorId, 1)
    expect(await warningsTo(email)).toBe(0)
    await guess(email, factorId, 1)
    expect(await warningsTo(email)).toBe(1)
  })

  test('threat 85: uses up none of the tries of the owner', async () => {
    const { email, factorId } = await makeProtectedPerson(authApp)
    const thief = await signIn(authApp, email)
    for (let n = 0; n < 6; n++) await guessIn(thief, factorId)
    expect(await guessIn(thief, factorId)).toBe('over_request_rate_limit')
    expect((await prove(authApp, await signIn(authApp, email), factorId)).error).toBeNull()
  })

  test('threat 85: is out once the owner opens a link from the mailbox, gives a code and sets a password', async () => {
    const { email, device, factorId } = await makeProtectedPerson(authApp)
    await guess(email, factorId, 100)
    const thief = await signIn(authApp, email)
    expect((await device.refreshSession()).error).toBeNull()
    const owner = await recover(email)
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

  test('threat 85: gets ten codes by a link from the mailbox', async () => {
    const { email, factorId } = await makeProtectedPerson(authApp)
    await guess(email, factorId, 100)
    const thief = await recover(email)
    const codes: (string | undefined)[] = []
    for (let n = 0; n < 11; n++) {
      authApp.clock.pass(12)
      codes.push(await guessIn(thief, factorId))
    }
    expect(codes).toEqual([...Array(10).fill('mfa_verification_failed'), STOPPED])
  })

  test('threat 85: does not get rid of the stop by waiting', async () => {
    const { email, factorId } = await makeProtectedPerson(authApp)
    await guess(email, factorId, 100)
    authApp.clock.pass(60 * 86_400)
    expect((await prove(authApp, await signIn(authApp, email), factorId)).error?.code).toBe(STOPPED)
  })
})

test('wrong codes below the limit expire after 30 days without one', async () => {
  const { email, factorId } = await makeProtectedPerson(authApp)
  await guess(email, factorId, 9)
  authApp.clock.pass(29 * 86_400)
  await guess(email, factorId, 1)
  expect(await warningsTo(email)).toBe(1)
  authApp.clock.pass(31 * 86_400)
  await guess(email, factorId, 9)
  expect(await warningsTo(email)).toBe(1)
  await guess(email, factorId, 1)
  expect(await warningsTo(email)).toBe(2)
})

test('a wrong code of a factor that protects nothing yet does not count', async () => {
  const { userId, device } = await makePerson(authApp)
  const { id } = await enroll(device)
  expect(await guessIn(device, id)).toBe('mfa_verification_failed')
  expect(await authApp.auth.db.query(audited, { userId })).toEqual([])
})
