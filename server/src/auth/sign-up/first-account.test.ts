import { FIRST_ACCOUNT } from '@deeb/core/account/first-account'
import { expect } from 'vitest'
import { deriveKeys } from '../../config/keys.ts'
import { createAuthClient, mailsTo } from '../../testing/auth-client.ts'
import { PASSWORD } from '../../testing/make.ts'
import { test as base } from '../../testing/test.ts'
import { firstAccountLink } from './first-account.ts'

const EMAIL = 'ann.meyer@fjordlab.example'
const DAY_SECONDS = 24 * 3600

/** A new server for each test: the link works only while there is no account. */
const test = base.extend('startServer', ({ startAuthApp }) => async (env?: NodeJS.ProcessEnv) => {
  const server = await startAuthApp(env)
  const { auth, clock, app } = server
  const makeToken = (keys = auth.keys) => {
    const { hash } = new URL(firstAccountLink(auth.config.publicUrl, keys, clock.now()))
    return new URLSearchParams(hash.slice(1)).get(FIRST_ACCOUNT) ?? ''
  }
  const signUp = (first: unknown, { email = EMAIL, password = PASSWORD } = {}) =>
    createAuthClient(app).signUp({ email, password, options: { data: { [FIRST_ACCOUNT]: first } } })
  return { ...server, makeToken, signUp }
})

test('the link of a new server creates a confirmed account without an email, and signs in', async ({ startServer }) => {
  const server = await startServer()
  const { data, error } = await server.signUp(server.makeToken())
  expect(error).toBeNull()
  expect(data.session?.user).toMatchObject({ email: EMAIL, user_metadata: {} })
  expect(data.user?.email_confirmed_at).toBeDefined()
  expect(await mailsTo(server, EMAIL)).toEqual([])
  const again = await createAuthClient(server.app).signInWithPassword({ email: EMAIL, password: PASSWORD })
  expect(again.data.user?.id).toBe(data.user?.id)
})

test('threat 275: the link ends with the first account, and without it a sign-up needs an email', async ({
  startServer,
}) => {
  const server = await startServer()
  const token = server.makeToken()
  const ordinary = await createAuthClient(server.app).signUp({ email: 'ben@fjordlab.example', password: PASSWORD })
  expect([ordinary.error, ordinary.data.session]).toEqual([null, null])
  const emails = Array.from({ length: 5 }, (_, n) => `racer.${n}@fjordlab.example`)
  const answers = await Promise.all(emails.map((email) => server.signUp(token, { email })))
  const outcomes = answers.map(({ data, error }) => error?.code ?? (data.session ? 'signed in' : 'waits'))
  expect(outcomes.sort()).toEqual([...Array(4).fill('otp_expired'), 'signed in'])
  expect((await server.signUp(server.makeToken())).error?.code).toBe('otp_expired')
})

test('threat 275: the link is valid for 24 hours, and on its own server only', async ({ startServer }) => {
  const server = await startServer()
  const token = server.makeToken()
  const elsewhere = server.makeToken(await deriveKeys(Buffer.alloc(32, 7)))
  const later = Buffer.from(token, 'base64url')
  later.writeUInt32BE(later.readUInt32BE() + DAY_SECONDS)
  const forged = [elsewhere, later.toString('base64url'), token.slice(0, -1), '', 'x', 7, null, [token], {}]
  for (const wrong of forged) expect((await server.signUp(wrong)).error?.code).toBe('otp_expired')
  server.clock.pass(DAY_SECONDS)
  expect((await server.signUp(token)).error?.code).toBe('otp_expired')
  expect((await server.signUp(server.makeToken())).error).toBeNull()
})

test('the first account follows the rules of every sign-up, and a refused one leaves the link valid', async ({
  startServer,
}) => {
  const server = await startServer()
  const token = server.makeToken()
  expect((await server.signUp(token, { password: 'password' })).error?.code).toBe('weak_password')
  expect((await server.signUp(token, { email: 'nobody' })).error?.code).toBe('validation_failed')
  expect((await server.signUp(token)).error).toBeNull()
  const closed = await startServer({ SIGN_UP: 'off' })
  expect((await closed.signUp(closed.makeToken())).error?.code).toBe('signup_disabled')
})
