import { randomUUID } from 'node:crypto'
import { readLink } from '@deeb/core/account/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { confirmation, createAuthClient, newestLinkToken } from '../testing/auth-client.ts'
import { makeUser, PASSWORD } from '../testing/make.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'

let testApp: TestApp
beforeAll(async () => {
  testApp = await startTestApp()
})
afterAll(() => testApp.close())

const newAddress = () => `${randomUUID()}@fjordlab.example`
const tokenFor = (address: string, type?: string) =>
  newestLinkToken({ config: testApp.auth.config, mailer: testApp.mailer }, address, type)

let callers = 0
async function read(token: string, remoteAddress = `10.2.${callers >> 8}.${callers++ & 255}`) {
  const answer = await testApp.app.inject({ method: 'POST', url: readLink.path, payload: { token }, remoteAddress })
  return { status: answer.statusCode, ...answer.json() }
}

const DEAD = { status: 404, code: 'link_expired' }

test('readLink returns type and account of a link without consuming it', async () => {
  const device = createAuthClient(testApp.app)
  const email = newAddress()
  await device.signUp({ email, password: PASSWORD })
  const signUp = await tokenFor(email)
  for (let i = 0; i < 12; i++) {
    expect(await read(signUp)).toEqual({ status: 200, kind: 'signup', email, newEmail: null })
  }
  expect((await device.verifyOtp(confirmation(signUp, PASSWORD))).error).toBeNull()

  await device.resetPasswordForEmail(email)
  const recovery = await tokenFor(email, 'recovery')
  expect(await read(recovery)).toEqual({ status: 200, kind: 'recovery', email, newEmail: null })

  const newEmail = newAddress()
  await device.updateUser({ email: newEmail, current_password: PASSWORD })
  const change = await tokenFor(newEmail, 'email_change')
  expect(await read(change)).toEqual({ status: 200, kind: 'email_change', email, newEmail })
  expect((await device.verifyOtp({ type: 'email_change', token_hash: change })).error).toBeNull()

  for (const spent of [signUp, recovery, change]) expect(await read(spent)).toMatchObject(DEAD)
})

test('rejects an expired and an unknown link', async () => {
  const { email } = await makeUser(testApp)
  const device = createAuthClient(testApp.app)
  await device.resetPasswordForEmail(email)
  const recovery = await tokenFor(email, 'recovery')
  testApp.clock.advance({ minutes: 31 })
  for (const token of [recovery, '', 'x', `${recovery}A`]) expect(await read(token)).toMatchObject(DEAD)
})

test('rejects the link of a sign-up after ten attempts', async () => {
  const email = newAddress()
  await createAuthClient(testApp.app).signUp({ email, password: PASSWORD })
  const token = await tokenFor(email)
  for (let i = 0; i < 10; i++) {
    await createAuthClient(testApp.app).verifyOtp(confirmation(token, 'nine loud herons'))
  }
  expect(await read(token)).toMatchObject(DEAD)
})

test('is limited to 600 requests an hour per IP address', async () => {
  const asked = await Promise.all(Array.from({ length: 601 }, () => read('x', '10.3.0.1')))
  expect(asked.filter(({ status }) => status === 404)).toHaveLength(600)
  expect(asked.filter(({ code }) => code === 'too_many_attempts')).toHaveLength(1)
})
