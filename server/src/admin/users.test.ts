import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { statement } from '../db/db.ts'
import { type AuthApp, openAuthApp } from '../testing/auth-app.ts'
import { createAuthClient, mailsTo } from '../testing/auth-client.ts'
import { enroll, levelOf, makeProtectedPerson, prove, signIn, whoami } from '../testing/factors.ts'
import { makeUser, PASSWORD } from '../testing/make.ts'
import {
  blockUser,
  confirmUser,
  deleteUser,
  listUser,
  removeFactors,
  resetUser,
  signOutUser,
  unblockUser,
} from './users.ts'

let authApp: AuthApp
beforeAll(async () => {
  authApp = await openAuthApp()
})
afterAll(() => authApp.close())

const now = () => authApp.clock.now()
const confirm = async (email: string) => {
  const { companyPolicy, db, passwords } = authApp.auth
  const policy = await companyPolicy()
  return confirmUser(db, email, { policy, passwords, publicUrl: 'https://deeb.example' }, now())
}
const tokenIn = (lines: string[]) => new URLSearchParams(lines.at(-1)?.split('#')[1]).get('token_hash') ?? ''

test('confirm makes the account of a sign-up that waits, with its company and a link for its password', async () => {
  const email = 'ann.meyer@fjordlab.example'
  await createAuthClient(authApp.app).signUp({ email, password: PASSWORD })
  expect(await listUser(authApp.auth.db, email)).toEqual([expect.stringContaining('1 sign-up(s) waiting')])
  const lines = await confirm(email)
  expect(lines[0]).toBe(`Made the account of ${email}.`)

  const device = createAuthClient(authApp.app)
  await device.verifyOtp({ type: 'recovery', token_hash: tokenIn(lines) })
  expect((await device.updateUser({ password: 'eleven loud herons' })).error).toBeNull()
  const profile = statement('test.profile', 'select first_name, company_domain from profiles where email = :email')
  expect(await authApp.auth.db.query(profile, { email })).toEqual([
    { first_name: 'Ann', company_domain: 'fjordlab.example' },
  ])
  expect(await listUser(authApp.auth.db, email)).toEqual([
    expect.stringContaining('company fjordlab.example'),
    expect.stringMatching(/signed in .* from 127\.0\.0\.1/),
  ])
  await expect(confirm(email)).rejects.toThrow('No sign-up waits for ann.meyer@fjordlab.example.')
})

test('confirm adopts no password: whoever signs the address up gets nothing by it', async () => {
  const email = 'wanted@fjordlab.example'
  await createAuthClient(authApp.app).signUp({ email, password: PASSWORD })
  authApp.clock.pass(60)
  await createAuthClient(authApp.app).signUp({ email, password: 'a stranger was here' })
  await confirm(email)
  for (const password of [PASSWORD, 'a stranger was here']) {
    const { error } = await createAuthClient(authApp.app).signInWithPassword({ email, password })
    expect(error?.code).toBe('invalid_credentials')
  }
})

test('reset prints a link that opens the account once', async () => {
  const { email, userId } = await makeUser(authApp)
  const [, link] = await resetUser(authApp.auth.db, email, 'https://deeb.example', now())
  expect(link).toMatch(/^https:\/\/deeb\.example\/app\/reset-password#/)
  const token_hash = tokenIn([link ?? ''])
  const open = () => createAuthClient(authApp.app).verifyOtp({ type: 'recovery', token_hash })
  expect((await open()).data.user?.id).toBe(userId)
  expect((await open()).error?.code).toBe('otp_expired')
})

test('sign-out ends the sessions of all devices', async () => {
  const { email } = await makeUser(authApp)
  const device = createAuthClient(authApp.app)
  await device.signInWithPassword({ email, password: PASSWORD })
  expect(await signOutUser(authApp.auth.db, email, now())).toEqual([expect.stringContaining('on 2 devices')])
  expect((await device.refreshSession()).error).not.toBeNull()
  expect(await listUser(authApp.auth.db, email)).toContain('  signed in nowhere')
})

test('block signs out and lets nobody in, by password or by mail, until unblock', async () => {
  const { email } = await makeUser(authApp)
  const { db } = authApp.auth
  const device = createAuthClient(authApp.app)
  const signIn = async () => (await device.signInWithPassword({ email, password: PASSWORD })).error?.code
  expect(await signIn()).toBeUndefined()
  await blockUser(db, email, now())
  await blockUser(db, email, now())
  expect((await device.refreshSession()).error?.code).toBe('refresh_token_not_found')
  expect(await signIn()).toBe('user_banned')
  const token_hash = tokenIn(await resetUser(db, email, 'https://deeb.example', now()))
  expect((await device.verifyOtp({ type: 'recovery', token_hash })).error?.code).toBe('user_banned')
  expect(await listUser(db, email)).toEqual([expect.stringMatching(/, blocked$/), '  signed in nowhere'])

  await unblockUser(db, email, now())
  expect(await signIn()).toBeUndefined()
  expect((await listUser(db, email))[0]).not.toContain('blocked')
})

test('block also keeps out whoever is being signed in', async () => {
  const { email } = await makeUser(authApp)
  const { db, passwords } = authApp.auth
  const { verify } = passwords
  vi.spyOn(passwords, 'verify').mockImplementationOnce(async (hash, password) => {
    const isRight = await verify(hash, password)
    await blockUser(db, email, now())
    return isRight
  })
  const { error } = await createAuthClient(authApp.app).signInWithPassword({ email, password: PASSWORD })
  expect(error?.code).toBe('user_banned')
  expect(await listUser(db, email)).toContain('  signed in nowhere')
})

test('factors remove lets an owner in who cannot show a code, and tells them', async () => {
  const { email, userId, device, factorId } = await makeProtectedPerson(authApp)
  const phone = await signIn(authApp, email)
  await phone.mfa.challengeAndVerify({ factorId, code: 'abcdef' })
  expect(await whoami(authApp, phone)).toEqual([403, 'aal2_required'])
  expect(await removeFactors(authApp.auth.db, email, now())).toEqual([
    `Removed 1 second factor of ${email}, who now signs in with the password alone. A server that runs notices within 30 seconds.`,
    `Nobody was signed out. If somebody else added the factor: user sign-out ${email}, then user reset ${email}.`,
  ])
  authApp.clock.pass(30)
  for (const each of [phone, device]) expect(await whoami(authApp, each)).toEqual([200, undefined])
  expect((await device.refreshSession()).error).toBeNull()
  expect(await levelOf(device)).toBe('aal1')
  authApp.mailer.kick()
  expect((await mailsTo(authApp, email)).at(-1)).toContain('Subject: A second factor of your deeb account was removed')
  const read = statement(
    'test.removed',
    `select detail, (select failed_codes from auth.users where id = :userId) as failed from auth.audit_log
    where user_id = :userId and action = 'mfa_removed'`,
  )
  expect(await authApp.auth.db.query(read, { userId })).toEqual([
    { detail: { factor: factorId, by: 'admin' }, failed: 0 },
  ])
  await expect(removeFactors(authApp.auth.db, email, now())).rejects.toThrow(`${email} has no second factor.`)
})

test('factors remove takes the lasting access of somebody who added a factor of their own', async () => {
  const { email, device: thief } = await makeProtectedPerson(authApp)
  await removeFactors(authApp.auth.db, email, now())
  const owner = await signIn(authApp, email)
  const { id } = await enroll(owner, 'Own')
  expect((await prove(authApp, owner, id)).error).toBeNull()
  authApp.clock.pass(30)
  expect(await whoami(authApp, thief)).toEqual([401, 'not_signed_in'])
})

test('delete leaves nothing of the person, and everything of others', async () => {
  const [gone, stays] = [await makeUser(authApp), await makeUser(authApp)]
  for (const { email } of [gone, stays]) await createAuthClient(authApp.app).resetPasswordForEmail(email)
  expect(await mailsTo(authApp, gone.email)).toHaveLength(1)
  await deleteUser(authApp.auth.db, gone.email, authApp.config)
  expect(await mailsTo(authApp, gone.email)).toEqual([])
  await expect(listUser(authApp.auth.db, gone.email)).rejects.toThrow('has no account')
  const again = await createAuthClient(authApp.app).signInWithPassword({ email: gone.email, password: PASSWORD })
  expect(again.error?.code).toBe('invalid_credentials')
  expect(await mailsTo(authApp, stays.email)).toHaveLength(1)
  expect(await listUser(authApp.auth.db, stays.email)).toHaveLength(2)
})

test('an address that nobody has is answered with a sentence', async () => {
  const email = 'nobody@fjordlab.example'
  await expect(confirm(email)).rejects.toThrow('No sign-up waits for nobody@fjordlab.example.')
  await expect(resetUser(authApp.auth.db, email, '', now())).rejects.toThrow('nobody@fjordlab.example has no account.')
  for (const change of [signOutUser, blockUser, unblockUser, removeFactors]) {
    await expect(change(authApp.auth.db, email, now())).rejects.toThrow('has no account.')
  }
  await expect(deleteUser(authApp.auth.db, email, authApp.config)).rejects.toThrow('has no account.')
  await expect(listUser(authApp.auth.db, email)).rejects.toThrow('has no account, and no sign-up waits for it.')
})
