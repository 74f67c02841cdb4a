import { randomBytes, randomUUID } from 'node:crypto'
import { SIGN_UP_DATA } from '@deeb/core/invitations/invitation'
import { expect } from 'vitest'
import { statement } from '../../db/db.ts'
import { confirmation, createAuthClient, newestLinkToken, newestMail } from '../../testing/auth-client.ts'
import { PASSWORD } from '../../testing/make.ts'
import { test as base } from '../../testing/test.ts'

const test = base.extend('service', ({ authApp }) => {
  async function makeInvite(): Promise<string> {
    const invite = randomBytes(16).toString('base64url')
    await authApp.auth.db.query(insert, { invite })
    return invite
  }
  function signUp(email: string, circle: unknown) {
    const data = { theme: 'dark', [SIGN_UP_DATA.join]: circle }
    return createAuthClient(authApp.app).signUp({ email, password: PASSWORD, options: { data } })
  }
  /** The circle in the newest confirmation link; null if there is none, or no link. */
  async function circleOf(email: string): Promise<string | null> {
    const [, fragment = ''] = /\/app\/confirm#(\S+)/.exec((await newestMail(authApp, email)) ?? '') ?? []
    return new URLSearchParams(fragment).get(SIGN_UP_DATA.join)
  }
  return { makeInvite, signUp, circleOf }
})

const insert = statement(
  'test.insert-circle',
  `insert into circles (id, company_domain, name, invite, created_at)
  values (gen_random_uuid(), 'fjordlab.example', 'Backend', :invite, now())`,
)

const newAddress = (domain = 'fjordlab.example') => `${randomUUID()}@${domain}`

test('the confirmation link leads back to the circle of the sign-up, also when it is sent again', async ({
  authApp,
  service,
}) => {
  const [email, invite] = [newAddress(), await service.makeInvite()]
  await service.signUp(email, invite)
  expect(await service.circleOf(email)).toBe(invite)
  const first = await newestLinkToken(authApp, email)
  await createAuthClient(authApp.app).resend({ type: 'signup', email })
  expect(await newestLinkToken(authApp, email)).not.toBe(first)
  expect(await service.circleOf(email)).toBe(invite)
})

test('the account does not keep the circle of its sign-up', async ({ authApp, service }) => {
  const [email, invite] = [newAddress(), await service.makeInvite()]
  await service.signUp(email, invite)
  const token = await newestLinkToken(authApp, email)
  const { data } = await createAuthClient(authApp.app).verifyOtp(confirmation(token, PASSWORD))
  expect(data.user?.user_metadata).toEqual({ theme: 'dark' })
})

test('threat 124: a requester can put no other text into the confirmation email', async ({ authApp, service }) => {
  const invite = await service.makeInvite()
  const unknown = randomBytes(16).toString('base64url')
  for (const circle of [unknown, `${invite}x`, `${invite}&type=recovery`, 'https://evil.example', 7, null, [invite]]) {
    const email = newAddress()
    expect((await service.signUp(email, circle)).error).toBeNull()
    expect(await service.circleOf(email)).toBeNull()
    expect(await newestMail(authApp, email)).toMatch(/&type=signup\r?$/m)
  }
  const elsewhere = newAddress('elsewhere.example')
  await service.signUp(elsewhere, invite)
  expect(await service.circleOf(elsewhere)).toBeNull()
})
