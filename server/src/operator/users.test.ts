import { afterAll, beforeAll, expect, test } from 'vitest'
import { statement } from '../db/db.ts'
import { type AuthApp, openAuthApp } from '../testing/auth-app.ts'
import { createAuthClient } from '../testing/auth-client.ts'
import { makeUser, PASSWORD } from '../testing/make.ts'
import { confirmUser, listUser, resetUser, signOutUser } from './users.ts'

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
  const profile = statement('test.profile', 'select first_name, company_domain from profiles where email = $1')
  expect(await authApp.auth.db.query(profile, [email])).toEqual([
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

test('an address that nobody has is answered with a sentence', async () => {
  const email = 'nobody@fjordlab.example'
  await expect(confirm(email)).rejects.toThrow('No sign-up waits for nobody@fjordlab.example.')
  await expect(resetUser(authApp.auth.db, email, '', now())).rejects.toThrow('nobody@fjordlab.example has no account.')
  await expect(signOutUser(authApp.auth.db, email, now())).rejects.toThrow('has no account.')
  await expect(listUser(authApp.auth.db, email)).rejects.toThrow('has no account, and no sign-up waits for it.')
})
