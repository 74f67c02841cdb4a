import { expect } from 'vitest'
import { confirmUser } from '../../admin/users.ts'
import { restartWith } from '../../testing/auth-app.ts'
import { confirmation, createAuthClient, mailsTo, newestLinkToken } from '../../testing/auth-client.ts'
import { makeUser, PASSWORD } from '../../testing/make.ts'
import { test } from '../../testing/test.ts'

const OFF = [422, 'signup_disabled']

test('with SIGN_UP=off nobody signs up or confirms a sign-up from before, and the administrator still can', async ({
  authApp,
}) => {
  const email = 'mara.lind@fjordlab.example'
  await createAuthClient(authApp.app).signUp({ email, password: PASSWORD })
  const link = await newestLinkToken(authApp, email)
  const known = await makeUser(authApp)
  const off = await restartWith(authApp, { config: { ...authApp.config, isSignUpOn: false } })
  const device = createAuthClient(off)
  for (const address of [email, known.email, 'stranger@elsewhere.example']) {
    const outcomes = [
      await device.signUp({ email: address, password: PASSWORD }),
      await device.resend({ type: 'signup', email: address }),
      await device.verifyOtp(confirmation(link, PASSWORD)),
    ]
    for (const { error } of outcomes) expect([error?.status, error?.code]).toEqual(OFF)
  }
  expect(await mailsTo(authApp, 'stranger@elsewhere.example')).toEqual([])
  expect((await off.inject('/auth/v1/settings')).json()).toMatchObject({ disable_signup: true })
  expect((await device.signInWithPassword({ email: known.email, password: PASSWORD })).error).toBeNull()

  const { db, companyPolicy, passwords, config, now } = authApp.auth
  await confirmUser(db, email, { policy: await companyPolicy(), passwords, publicUrl: config.publicUrl }, now())
  const recovered = createAuthClient(off)
  await recovered.resetPasswordForEmail(email)
  const token_hash = await newestLinkToken(authApp, email, 'recovery')
  expect((await recovered.verifyOtp({ type: 'recovery', token_hash })).error).toBeNull()
  await off.close()
})
