import { expect, vi } from 'vitest'
import { listUser } from '../../admin/users.ts'
import { confirmation, createAuthClient, newestLinkToken } from '../../testing/auth-client.ts'
import { deactivate } from '../../testing/company.ts'
import { type Device, makePerson, signIn, whoami } from '../../testing/factors.ts'
import { PASSWORD } from '../../testing/make.ts'
import { test } from '../../testing/test.ts'

const codeOf = ({ error }: Awaited<ReturnType<Device['verifyOtp' | 'getUser' | 'signInWithPassword']>>) =>
  error && [error.status, error.code]

test('a deactivated account is refused on every way in, and works again when it is reactivated', async ({
  authApp,
}) => {
  const { email, userId, device } = await makePerson(authApp)
  await device.resetPasswordForEmail(email)
  const recovery = await newestLinkToken(authApp, email, 'recovery')
  const newEmail = `new-${email}`
  await device.updateUser({ email: newEmail, current_password: PASSWORD } as object)
  const change = await newestLinkToken(authApp, newEmail, 'email_change')

  await deactivate(authApp.auth.db, userId)
  authApp.clock.pass(30)
  expect(await whoami(authApp, device)).toEqual([401, 'not_signed_in'])
  expect(codeOf(await device.getUser())).toEqual([403, 'user_banned'])
  const late = createAuthClient(authApp.app)
  expect(codeOf(await late.signInWithPassword({ email, password: PASSWORD }))).toEqual([400, 'user_banned'])
  // Only the owner learns it.
  const wrong = await late.signInWithPassword({ email, password: 'not this one' })
  expect(codeOf(wrong)).toEqual([400, 'invalid_credentials'])
  expect(codeOf(await late.verifyOtp({ type: 'recovery', token_hash: recovery }))).toEqual([403, 'user_banned'])
  const moved = await late.verifyOtp(confirmation(change, PASSWORD, 'email_change'))
  expect(codeOf(moved)).toEqual([403, 'user_banned'])
  expect((await device.refreshSession()).error?.code).toBe('user_banned')
  const [described] = await listUser(authApp.auth.db, email)
  expect(described).toContain(', deactivated by its company')
  await deactivate(authApp.auth.db, userId, false)
  await signIn(authApp, email)
})

test('deactivating stops a concurrent sign-in', async ({ authApp }) => {
  const { email, userId } = await makePerson(authApp)
  const { db, passwords } = authApp.auth
  const { verify } = passwords
  const spy = vi.spyOn(passwords, 'verify').mockImplementationOnce(async (hash, password) => {
    const isRight = await verify(hash, password)
    await deactivate(db, userId)
    return isRight
  })
  const { error } = await createAuthClient(authApp.app).signInWithPassword({ email, password: PASSWORD })
  expect(error?.code).toBe('user_banned')
  spy.mockRestore()
})
