import { expect, vi } from 'vitest'
import { statement } from '../db/db.ts'
import { createAuthClient, mailsTo } from '../testing/auth-client.ts'
import { addPasskey, signInByPasskey } from '../testing/authenticator.ts'
import { enroll, levelOf, makeProtectedPerson, prove, signIn, whoami } from '../testing/factors.ts'
import { makeUser, PASSWORD } from '../testing/make.ts'
import { test as base } from '../testing/test.ts'
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

const test = base.extend('admin', ({ authApp }) => {
  const now = () => authApp.clock.now()
  const confirm = async (email: string) => {
    const { companyPolicy, db, passwords } = authApp.auth
    const policy = await companyPolicy()
    return confirmUser(db, email, { policy, passwords, publicUrl: 'https://deeb.example' }, now())
  }
  return { now, confirm }
})

const tokenIn = (lines: string[]) => new URLSearchParams(lines.at(-1)?.split('#')[1]).get('token_hash') ?? ''

test('confirm creates the account of a pending sign-up, with its company and a link to set its password', async ({
  authApp,
  admin,
}) => {
  const email = 'ann.meyer@fjordlab.example'
  await createAuthClient(authApp.app).signUp({ email, password: PASSWORD })
  expect(await listUser(authApp.auth.db, email)).toEqual([expect.stringContaining('1 pending sign-up,')])
  const lines = await admin.confirm(email)
  expect(lines[0]).toBe(`Created the account of ${email}.`)

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
  await expect(admin.confirm(email)).rejects.toThrow('ann.meyer@fjordlab.example has no pending sign-up.')
})

test('confirm discards the password of the sign-up (account pre-hijacking)', async ({ authApp, admin }) => {
  const email = 'wanted@fjordlab.example'
  await createAuthClient(authApp.app).signUp({ email, password: PASSWORD })
  authApp.clock.pass(60)
  await createAuthClient(authApp.app).signUp({ email, password: 'a stranger was here' })
  await admin.confirm(email)
  for (const password of [PASSWORD, 'a stranger was here']) {
    const { error } = await createAuthClient(authApp.app).signInWithPassword({ email, password })
    expect(error?.code).toBe('invalid_credentials')
  }
})

test('reset prints a link that works once', async ({ authApp, admin }) => {
  const { email, userId } = await makeUser(authApp)
  const [, link] = await resetUser(authApp.auth.db, email, 'https://deeb.example', admin.now())
  expect(link).toMatch(/^https:\/\/deeb\.example\/app\/reset-password#/)
  const token_hash = tokenIn([link ?? ''])
  const open = () => createAuthClient(authApp.app).verifyOtp({ type: 'recovery', token_hash })
  expect((await open()).data.user?.id).toBe(userId)
  expect((await open()).error?.code).toBe('otp_expired')
})

test('sign-out revokes the auth sessions of all devices', async ({ authApp, admin }) => {
  const { email } = await makeUser(authApp)
  const device = createAuthClient(authApp.app)
  await device.signInWithPassword({ email, password: PASSWORD })
  expect(await signOutUser(authApp.auth.db, email, admin.now())).toEqual([expect.stringContaining('on 2 devices')])
  expect((await device.refreshSession()).error).not.toBeNull()
  expect(await listUser(authApp.auth.db, email)).toContain('  not signed in')
})

test('block signs out and refuses sign-in by password and email link until unblock', async ({ authApp, admin }) => {
  const { email } = await makeUser(authApp)
  const { db } = authApp.auth
  const device = createAuthClient(authApp.app)
  const signIn = async () => (await device.signInWithPassword({ email, password: PASSWORD })).error?.code
  expect(await signIn()).toBeUndefined()
  await blockUser(db, email, admin.now())
  await blockUser(db, email, admin.now())
  expect((await device.refreshSession()).error?.code).toBe('refresh_token_not_found')
  expect(await signIn()).toBe('user_banned')
  const token_hash = tokenIn(await resetUser(db, email, 'https://deeb.example', admin.now()))
  expect((await device.verifyOtp({ type: 'recovery', token_hash })).error?.code).toBe('user_banned')
  expect(await listUser(db, email)).toEqual([expect.stringMatching(/, blocked$/), '  not signed in'])

  await unblockUser(db, email, admin.now())
  expect(await signIn()).toBeUndefined()
  expect((await listUser(db, email))[0]).not.toContain('blocked')
})

test('block also stops a concurrent sign-in', async ({ authApp, admin }) => {
  const { email } = await makeUser(authApp)
  const { db, passwords } = authApp.auth
  const { verify } = passwords
  vi.spyOn(passwords, 'verify').mockImplementationOnce(async (hash, password) => {
    const isRight = await verify(hash, password)
    await blockUser(db, email, admin.now())
    return isRight
  })
  const { error } = await createAuthClient(authApp.app).signInWithPassword({ email, password: PASSWORD })
  expect(error?.code).toBe('user_banned')
  expect(await listUser(db, email)).toContain('  not signed in')
})

test('factors remove lets an owner in who cannot enter a code, and notifies them', async ({ authApp, admin }) => {
  const { email, userId, device, factorId } = await makeProtectedPerson(authApp)
  const phone = await signIn(authApp, email)
  await phone.mfa.challengeAndVerify({ factorId, code: 'abcdef' })
  expect(await whoami(authApp, phone)).toEqual([403, 'aal2_required'])
  expect(await removeFactors(authApp.auth.db, email, admin.now())).toEqual([
    `Removed 1 second factor of ${email}. The account now needs only its password.`,
    `Nobody was signed out. If an attacker added one of them, run \`user sign-out ${email}\` and then \`user reset ${email}\`.`,
  ])
  authApp.clock.pass(30)
  for (const each of [phone, device]) expect(await whoami(authApp, each)).toEqual([200, undefined])
  expect((await device.refreshSession()).error).toBeNull()
  expect(await levelOf(device)).toBe('aal1')
  authApp.mailer.kick()
  expect((await mailsTo(authApp, email)).at(-1)).toContain(
    'Subject: The second factors of your deeb account were removed',
  )
  const read = statement(
    'test.removed',
    `select detail, (select failed_codes from auth.users where id = :userId) as failed from auth.audit_log
    where user_id = :userId and action = 'mfa_removed'`,
  )
  expect(await authApp.auth.db.query(read, { userId })).toEqual([
    { detail: { factor: factorId, by: 'admin' }, failed: 0 },
  ])
  await expect(removeFactors(authApp.auth.db, email, admin.now())).rejects.toThrow(
    `${email} has no second factor and no passkey.`,
  )
})

test('factors remove also removes passkeys with their sign-ins, and recovery codes', async ({ authApp, admin }) => {
  const { email, userId, device } = await makeProtectedPerson(authApp)
  const { authenticator } = await addPasskey(device)
  await device.mfa.recoveryCodes.generate()
  const phone = createAuthClient(authApp.app)
  await signInByPasskey(phone, authenticator)
  expect(await removeFactors(authApp.auth.db, email, admin.now())).toEqual([
    `Removed 1 second factor, the recovery codes, 1 passkey of ${email}. The account now needs only its password.`,
    `Signed out 1 device with a passkey and nobody else. If an attacker added one of them, run \`user sign-out ${email}\` and then \`user reset ${email}\`.`,
  ])
  authApp.clock.pass(30)
  expect([await whoami(authApp, device), await whoami(authApp, phone)]).toEqual([
    [200, undefined],
    [401, 'not_signed_in'],
  ])
  expect((await signInByPasskey(phone, authenticator)).error?.code).toBe('webauthn_verification_failed')
  expect((await device.getUser()).data.user?.factors).toBeUndefined()
  authApp.mailer.kick()
  expect((await mailsTo(authApp, email)).at(-1)).toContain('recovery codes and\r\npasskeys')
  const read = statement(
    'test.removed-ways',
    `select action, detail->>'by' as by from auth.audit_log
    where user_id = :userId and action in ('mfa_removed', 'passkey_removed') order by action, id`,
  )
  expect(await authApp.auth.db.query(read, { userId })).toEqual(
    ['mfa_removed', 'mfa_removed', 'passkey_removed'].map((action) => ({ action, by: 'admin' })),
  )
})

test('factors remove ends the access of an attacker who added a factor', async ({ authApp, admin }) => {
  const { email, device: thief } = await makeProtectedPerson(authApp)
  await removeFactors(authApp.auth.db, email, admin.now())
  const owner = await signIn(authApp, email)
  const { id } = await enroll(owner, 'Own')
  expect((await prove(authApp, owner, id)).error).toBeNull()
  authApp.clock.pass(30)
  expect(await whoami(authApp, thief)).toEqual([401, 'not_signed_in'])
})

test('delete removes all data of the user and nothing of others', async ({ authApp }) => {
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

test('an unknown address is answered with an error message', async ({ authApp, admin }) => {
  const email = 'nobody@fjordlab.example'
  await expect(admin.confirm(email)).rejects.toThrow('nobody@fjordlab.example has no pending sign-up.')
  await expect(resetUser(authApp.auth.db, email, '', admin.now())).rejects.toThrow(
    'nobody@fjordlab.example has no account.',
  )
  for (const change of [signOutUser, blockUser, unblockUser, removeFactors]) {
    await expect(change(authApp.auth.db, email, admin.now())).rejects.toThrow('has no account.')
  }
  await expect(deleteUser(authApp.auth.db, email, authApp.config)).rejects.toThrow('has no account.')
  await expect(listUser(authApp.auth.db, email)).rejects.toThrow('has no account and no pending sign-up.')
})
