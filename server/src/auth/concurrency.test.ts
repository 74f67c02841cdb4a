import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { deleteAccount } from '../account/delete-account.ts'
import { type Db, statement } from '../db/db.ts'
import { addUser, patchUser } from '../scim/users.ts'
import { type AuthApp, openAuthApp } from '../testing/auth-app.ts'
import { confirmation, createAuthClient, newestLinkToken } from '../testing/auth-client.ts'
import { addCompany } from '../testing/company.ts'
import { codeOf, levelOf, makeProtectedPerson, signIn, whoami } from '../testing/factors.ts'
import { waitingForLocks } from '../testing/lock-waits.ts'
import { authSessionOf, makeUser, PASSWORD } from '../testing/make.ts'
import { isOnPostgres } from '../testing/test-database.ts'
import { until } from '../testing/until.ts'
import { openAuthSession } from './auth-session/auth-session.ts'
import { setOnly } from './company/configure.ts'

const hashOf = statement('test.hash-of', 'select encrypted_password as hash from auth.users where id = :userId')
const traces = statement('test.traces', 'select action from auth.audit_log where user_id = :userId')

/** The embedded engine runs one statement after the other, so these tests need PostgreSQL. */
describe.runIf(isOnPostgres())('while another device is being signed in', () => {
  let authApp: AuthApp
  beforeAll(async () => {
    authApp = await openAuthApp()
  })
  afterAll(() => authApp.close())

  /** Lets the next transaction commit only when `concurrent` has started and waits for its lock. */
  function beforeCommit<T>(concurrent: () => Promise<T>): { result(): Promise<T> | undefined } {
    const { db } = authApp.auth
    const { transaction } = db
    let running: Promise<T> | undefined
    const spy = vi.spyOn(db, 'transaction').mockImplementationOnce(
      (work: (db: Db) => Promise<unknown>) =>
        transaction(async (held) => {
          const result = await work(held)
          spy.mockRestore()
          running = concurrent()
          running.catch(() => undefined)
          const isBlocked = async () => (await waitingForLocks(db)).length === 1
          await until(isBlocked)
          return result
        }) as never,
    )
    return { result: () => running }
  }

  /** A user with two devices and a second factor, whose code the second device is about to send. */
  async function provingPerson() {
    const { email, device, factorId } = await makeProtectedPerson(authApp)
    const phone = await signIn(authApp, email)
    const { data } = await phone.mfa.challenge({ factorId })
    const code = await codeOf(authApp, factorId)
    return { device, factorId, phone, prove: () => phone.mfa.verify({ factorId, challengeId: data?.id ?? '', code }) }
  }

  test('a global sign-out revokes that auth session too', async () => {
    const { device, phone, prove } = await provingPerson()
    const signingOut = beforeCommit(() => device.signOut({ scope: 'global' }))
    expect((await prove()).error).toBeNull()
    expect((await signingOut.result())?.error).toBeNull()
    expect(await whoami(authApp, phone)).toEqual([401, 'not_signed_in'])
  })

  test('a removed factor leaves no aal2 auth session', async () => {
    const { device, factorId, phone, prove } = await provingPerson()
    const removing = beforeCommit(() => device.mfa.unenroll({ factorId }))
    expect((await prove()).error).toBeNull()
    expect((await removing.result())?.error).toBeNull()
    await phone.refreshSession()
    expect(await levelOf(phone)).toBe('aal1')
  })

  test('a deleted account leaves no auth session', async () => {
    const { userId, accessToken } = await makeUser(authApp)
    const sessionId = authSessionOf({ accessToken })
    const caller = {
      ip: '203.0.113.9',
      userAgent: null,
      browser: { cookie: null, isOnOurPages: false },
      language: 'en' as const,
    }
    const [user] = await authApp.auth.db.query<{ hash: string }>(hashOf, { userId })
    const deleting = beforeCommit(() =>
      deleteAccount(authApp.auth, { userId, sessionId, tokenEndsAtMs: 0 }, { password: PASSWORD }, authApp.auth.now()),
    )
    const proof = { userId, passwordHash: user?.hash ?? '' }
    await authApp.auth.db.transaction((db) => openAuthSession(db, proof, { caller, now: authApp.auth.now() }))
    expect(await deleting.result()).toEqual({ deleted: true })
    expect(await authApp.auth.db.query(traces, { userId })).toEqual([])
  })

  /** A company, and a person of it whose sign-up is about to be confirmed on a device. */
  async function joiningPerson(domain: string) {
    const [{ db }, email, device] = [authApp.auth, `ann@${domain}`, createAuthClient(authApp.app)]
    const providerId = await addCompany(db, domain)
    await device.signUp({ email, password: PASSWORD })
    const confirmed = confirmation(await newestLinkToken(authApp, email), PASSWORD)
    return { providerId, email, device, confirm: () => device.verifyOtp(confirmed) }
  }

  test('threat 58: a domain that closes ends that auth session too, also of a new account', async () => {
    const { device, confirm } = await joiningPerson('closing.example')
    const { db, now } = authApp.auth
    const closing = beforeCommit(() => setOnly(db, ['closing.example'], true, now()))
    expect((await confirm()).error).toBeNull()
    expect(await closing.result()).toHaveLength(1)
    expect(await whoami(authApp, device)).toEqual([401, 'not_signed_in'])
  })

  test('threat 65: a directory that says that a person has left finds their new account', async () => {
    const { providerId, email, device, confirm } = await joiningPerson('leaving.example')
    const write = { providerId, now: authApp.auth.now() }
    const { id } = await addUser(authApp.auth, write, { userName: email })
    const leaving = beforeCommit(() =>
      patchUser(authApp.auth, write, id, { Operations: [{ op: 'replace', path: 'active', value: false }] }),
    )
    expect((await confirm()).error).toBeNull()
    expect(await leaving.result()).toMatchObject({ active: false, userId: expect.any(String) })
    expect(await whoami(authApp, device)).toEqual([401, 'not_signed_in'])
    const { error } = await device.signInWithPassword({ email, password: PASSWORD })
    expect(error?.code).toBe('user_banned')
  })
})
