import { randomUUID } from 'node:crypto'
import { readLink } from '@deeb/core/account/api'
import { expect } from 'vitest'
import { confirmation, createAuthClient, newestLinkToken } from '../testing/auth-client.ts'
import { makeUser, PASSWORD } from '../testing/make.ts'
import { test as base } from '../testing/test.ts'

const test = base.extend('account', ({ app }) => {
  const tokenFor = (address: string, type?: string) =>
    newestLinkToken({ config: app.auth.config, mailer: app.mailer }, address, type)
  async function read(token: string, remoteAddress = `10.2.${callers >> 8}.${callers++ & 255}`) {
    const answer = await app.inject({ method: 'POST', url: readLink.path, payload: { token }, remoteAddress })
    return { status: answer.statusCode, ...answer.json() }
  }
  return { tokenFor, read }
})

const newAddress = () => `${randomUUID()}@fjordlab.example`

let callers = 0

const DEAD = { status: 404, code: 'link_expired' }

test('readLink returns type and account of a link without consuming it', async ({ app, account }) => {
  const device = createAuthClient(app.app)
  const email = newAddress()
  await device.signUp({ email, password: PASSWORD })
  const signUp = await account.tokenFor(email)
  for (let i = 0; i < 12; i++) {
    expect(await account.read(signUp)).toEqual({ status: 200, kind: 'signup', email, newEmail: null })
  }
  expect((await device.verifyOtp(confirmation(signUp, PASSWORD))).error).toBeNull()

  await device.resetPasswordForEmail(email)
  const recovery = await account.tokenFor(email, 'recovery')
  expect(await account.read(recovery)).toEqual({ status: 200, kind: 'recovery', email, newEmail: null })

  const newEmail = newAddress()
  await device.updateUser({ email: newEmail, current_password: PASSWORD })
  const change = await account.tokenFor(newEmail, 'email_change')
  expect(await account.read(change)).toEqual({ status: 200, kind: 'email_change', email, newEmail })
  expect((await device.verifyOtp({ type: 'email_change', token_hash: change })).error).toBeNull()

  for (const spent of [signUp, recovery, change]) expect(await account.read(spent)).toMatchObject(DEAD)
})

test('rejects an expired and an unknown link', async ({ app, clock, account }) => {
  const { email } = await makeUser(app)
  const device = createAuthClient(app.app)
  await device.resetPasswordForEmail(email)
  const recovery = await account.tokenFor(email, 'recovery')
  clock.advance({ minutes: 31 })
  for (const token of [recovery, '', 'x', `${recovery}A`]) expect(await account.read(token)).toMatchObject(DEAD)
})

test('rejects the link of a sign-up after ten attempts', async ({ app, account }) => {
  const email = newAddress()
  await createAuthClient(app.app).signUp({ email, password: PASSWORD })
  const token = await account.tokenFor(email)
  for (let i = 0; i < 10; i++) {
    await createAuthClient(app.app).verifyOtp(confirmation(token, 'nine loud herons'))
  }
  expect(await account.read(token)).toMatchObject(DEAD)
})

test('is limited to 600 requests an hour per IP address', async ({ account }) => {
  const asked = await Promise.all(Array.from({ length: 601 }, () => account.read('x', '10.3.0.1')))
  expect(asked.filter(({ status }) => status === 404)).toHaveLength(600)
  expect(asked.filter(({ code }) => code === 'too_many_attempts')).toHaveLength(1)
})
