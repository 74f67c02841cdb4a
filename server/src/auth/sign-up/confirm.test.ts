import { SIGN_UP_DATA } from '@deeb/core/invitations/invitation'
import { describe, expect } from 'vitest'
import { statement } from '../../db/db.ts'
import type { AuthApp } from '../../testing/auth-app.ts'
import { confirmation, createAuthClient, newestLinkToken } from '../../testing/auth-client.ts'
import { PASSWORD } from '../../testing/make.ts'
import { test as base } from '../../testing/test.ts'
import { AuthError } from '../http/auth-error.ts'

const test = base
  .extend('settings', { scope: 'file' }, { FREE_MAIL_DOMAINS: 'own-freemail.example' })
  .extend('service', ({ authApp }) => {
    const client = (remoteAddress?: string) => createAuthClient(authApp.app, undefined, remoteAddress)
    /** Signs up and returns the token of the link. */
    async function signUp(email: string, password = PASSWORD, remoteAddress?: string): Promise<string> {
      await client(remoteAddress).signUp({ email, password })
      return newestLinkToken(authApp, email)
    }
    const confirm = (token: string, password = PASSWORD) => client().verifyOtp(confirmation(token, password))
    const profileOf = (email: string) =>
      authApp.auth.db.query(
        statement(
          'test.profile',
          `select username, first_name as first, last_name as last, company_domain as company,
        is_in_deeb_mode as "inDeebMode"
      from profiles join user_presence on user_id = id where email = :email`,
        ),
        { email },
      )
    return { client, signUp, confirm, profileOf }
  })

const ELSEWHERE = '198.51.100.2'

describe('the link with its password', () => {
  test('creates the account and signs in', async ({ service }) => {
    const token = await service.signUp('ann.meyer@fjordlab.example')
    const device = service.client()
    const events: string[] = []
    device.onAuthStateChange((event) => void events.push(event))
    const { data, error } = await device.verifyOtp(confirmation(token, PASSWORD))
    expect(error).toBeNull()
    expect(data.session).toMatchObject({ token_type: 'bearer', expires_in: 3600, user: { is_anonymous: false } })
    expect(data.user).toMatchObject({
      email: 'ann.meyer@fjordlab.example',
      app_metadata: { provider: 'email', providers: ['email'] },
      identities: [{ provider: 'email', identity_data: { email_verified: true } }],
    })
    expect(events).toContain('SIGNED_IN')
    expect((await device.getUser()).data.user).toEqual(data.user)
    const { data: signedIn } = await service
      .client()
      .signInWithPassword({ email: data.user?.email ?? '', password: PASSWORD })
    expect(signedIn.user?.id).toBe(data.user?.id)
  })

  test('keeps the id and the metadata of the sign-up', async ({ authApp, service }) => {
    const email = 'kept@fjordlab.example'
    const { data } = await service.client().signUp({ email, password: PASSWORD, options: { data: { theme: 'dark' } } })
    const confirmed = await service.confirm(await newestLinkToken(authApp, email))
    expect(confirmed.data.user).toMatchObject({ id: data.user?.id, user_metadata: { theme: 'dark' } })
  })

  test('accepts the type email too', async ({ authApp, service }) => {
    const token = await service.signUp('typed@fjordlab.example')
    const answer = await authApp.app.inject({
      method: 'POST',
      url: '/auth/v1/verify',
      payload: { type: 'email', token_hash: token, password: PASSWORD },
    })
    expect([answer.statusCode, answer.json().user.email]).toEqual([200, 'typed@fjordlab.example'])
  })

  test('accepts every Unicode form of the password', async ({ service }) => {
    const token = await service.signUp('angstrom@fjordlab.example', '\u212bngstr\u00f6m am Fjord')
    expect((await service.confirm(token, 'A\u030angstro\u0308m am Fjord')).error).toBeNull()
  })

  test.for([
    ['ben.okafor@fjordlab.example', { first: 'Ben', last: 'Okafor', company: 'fjordlab.example' }],
    ['cleo@fjordlab.example', { first: null, last: null, company: 'fjordlab.example' }],
    ['dora.lang@gmail.com', { first: 'Dora', last: 'Lang', company: null }],
    ['emil@own-freemail.example', { first: null, last: null, company: null }],
    ['support@fjordlab.example', { first: null, last: null, company: null }],
  ] as const)('derives the profile from %s and creates presence', async ([email, expected], { service }) => {
    await service.confirm(await service.signUp(email))
    expect(await service.profileOf(email)).toEqual([{ username: null, inDeebMode: false, ...expected }])
  })
})

describe('the link', () => {
  test('threat 2: with another password does nothing and stays valid', async ({ service }) => {
    const email = 'careful@fjordlab.example'
    const token = await service.signUp(email)
    const wrong = await service.confirm(token, 'not the password')
    expect([wrong.error?.status, wrong.error?.code]).toEqual([400, 'invalid_credentials'])
    expect(await service.profileOf(email)).toEqual([])
    expect((await service.confirm(token)).error).toBeNull()
  })

  test('expires after ten attempts, concurrent ones included', async ({ service }) => {
    const token = await service.signUp('guessed@fjordlab.example')
    const tries = await Promise.all(Array.from({ length: 12 }, (_, n) => service.confirm(token, `guess number ${n}`)))
    const codes = tries.map(({ error }) => error?.code).sort()
    expect(codes).toEqual([...Array(10).fill('invalid_credentials'), 'otp_expired', 'otp_expired'])
    expect((await service.confirm(token)).error?.code).toBe('otp_expired')
  })

  test('does not count attempts when the server is too busy to check the password', async ({ authApp, service }) => {
    const { passwords } = authApp.auth
    const { verify } = passwords
    const tokenHash = await service.signUp('busy@fjordlab.example')
    passwords.verify = () => Promise.reject(new AuthError('unexpected_failure', { message: 'busy' }))
    try {
      for (let i = 0; i < 35; i++) expect((await service.confirm(tokenHash)).error?.status).toBe(503)
    } finally {
      passwords.verify = verify
    }
    expect((await service.confirm(tokenHash)).error).toBeNull()
  })

  test('is valid for 24 hours', async ({ authApp, service }) => {
    const inTime = await service.signUp('in.time@fjordlab.example')
    authApp.clock.pass(24 * 3600 - 60)
    expect((await service.confirm(inTime)).error).toBeNull()
    const late = await service.signUp('late@fjordlab.example')
    authApp.clock.pass(24 * 3600 + 1)
    const { error } = await service.confirm(late)
    expect([error?.status, error?.code, error?.message]).toEqual([
      403,
      'otp_expired',
      'This link has expired or was already used.',
    ])
  })

  test('works once under concurrent use', async ({ service }) => {
    const token = await service.signUp('once@fjordlab.example')
    const clicks = await Promise.all([1, 2, 3].map(() => service.confirm(token)))
    expect(clicks.map(({ error }) => error?.code ?? 'signed in').sort()).toEqual([
      'otp_expired',
      'otp_expired',
      'signed in',
    ])
    expect((await service.confirm(token)).error?.code).toBe('otp_expired')
  })

  test('is rejected if it was never sent', async ({ service }) => {
    for (const token of ['', 'x', 'A'.repeat(43), '💥'])
      expect((await service.confirm(token)).error?.code).toBe('otp_expired')
  })

  test('needs all members of its body', async ({ authApp, service }) => {
    const token = await service.signUp('members@fjordlab.example')
    for (const payload of [
      { type: 'signup', token_hash: token },
      { type: 'signup', password: PASSWORD },
      { type: 'magiclink', token_hash: token, password: PASSWORD },
      { type: 'signup', token_hash: 7, password: PASSWORD },
      { type: 'signup', token_hash: token, password: null },
      [],
    ]) {
      const answer = await authApp.app.inject({ method: 'POST', url: '/auth/v1/verify', payload })
      expect([answer.statusCode, answer.json().code]).toEqual([400, 'validation_failed'])
    }
    expect((await service.confirm(token)).error).toBeNull()
  })
})

describe('two sign-ups with one address', () => {
  test('threat 3: have one link each, which works only with its own password', async ({ service }) => {
    const email = 'victim@fjordlab.example'
    const first = await service.signUp(email, 'the password of the owner')
    const second = await service.signUp(email, 'the password of somebody else', ELSEWHERE)
    expect((await service.confirm(first, 'the password of somebody else')).error?.code).toBe('invalid_credentials')
    expect((await service.confirm(second, 'the password of the owner')).error?.code).toBe('invalid_credentials')

    expect((await service.confirm(first, 'the password of the owner')).error).toBeNull()
    expect((await service.confirm(second, 'the password of somebody else')).error?.code).toBe('otp_expired')
    const other = await service.client().signInWithPassword({ email, password: 'the password of somebody else' })
    expect(other.error?.code).toBe('email_not_confirmed')
  })

  test('create one account when both are confirmed concurrently', async ({ service }) => {
    const email = 'double@fjordlab.example'
    const tokens = [
      await service.signUp(email, 'password number 1'),
      await service.signUp(email, 'password number 2', ELSEWHERE),
    ]
    const clicks = await Promise.all(tokens.map((token, n) => service.confirm(token, `password number ${n + 1}`)))
    expect(clicks.map(({ error }) => error?.code ?? 'signed in').sort()).toEqual(['otp_expired', 'signed in'])
    expect(await service.profileOf(email)).toHaveLength(1)
  })
})

test('threat 1: an account without the time of its confirmation violates a constraint', async ({ authApp }) => {
  const insert = statement(
    'test.unconfirmed',
    `insert into auth.users (id, email, encrypted_password, created_at, updated_at)
    values (gen_random_uuid(), 'sneaky@fjordlab.example', '', now(), now())`,
  )
  await expect(authApp.auth.db.query(insert)).rejects.toThrow('email_confirmed_at')
})

describe('the browser that signed up', () => {
  const SECRET = 'Zm9vYmFyLWJhel9xdXV4MQ'
  /** Each try is from another network: a limit per network is not the subject. */
  let tries = 0
  const confirmIn = (authApp: AuthApp, token_hash: string, browser: unknown) =>
    authApp.app.inject({
      ...{ method: 'POST', url: '/auth/v1/verify', payload: { type: 'signup', token_hash, browser } },
      remoteAddress: `203.0.113.${++tries}`,
    })
  async function signUp(authApp: AuthApp, email: string, browser: unknown = SECRET, ip = '192.0.2.7') {
    const options = { data: { theme: 'dark', [SIGN_UP_DATA.browser]: browser } }
    await createAuthClient(authApp.app, undefined, ip).signUp({ email, password: PASSWORD, options })
    return newestLinkToken(authApp, email)
  }

  test('confirms with its secret in place of the password, once', async ({ authApp }) => {
    const token = await signUp(authApp, 'one.tap@fjordlab.example')
    const answer = await confirmIn(authApp, token, SECRET)
    expect([answer.statusCode, answer.json().user.email]).toEqual([200, 'one.tap@fjordlab.example'])
    // Nothing but the hash is stored, until now.
    expect(answer.json().user.user_metadata).toEqual({ theme: 'dark' })
    expect((await confirmIn(authApp, token, SECRET)).json().code).toBe('otp_expired')
  })

  test('threat 273: another browser needs the password, and ten attempts are all', async ({ authApp, service }) => {
    const email = 'other.browser@fjordlab.example'
    const token = await signUp(authApp, email)
    for (const wrong of ['A'.repeat(22), '', 'x', SECRET.toLowerCase()]) {
      const answer = await confirmIn(authApp, token, wrong)
      expect([answer.statusCode, answer.json().code]).toEqual([400, 'invalid_credentials'])
    }
    for (const none of [null, 7, undefined, [SECRET]]) {
      expect((await confirmIn(authApp, token, none)).json().code).toBe('validation_failed')
    }
    expect((await service.confirm(token)).error).toBeNull()
    const guessed = await signUp(authApp, 'guessed.browser@fjordlab.example')
    for (let attempt = 0; attempt < 10; attempt++) await confirmIn(authApp, guessed, 'A'.repeat(22))
    expect((await confirmIn(authApp, guessed, SECRET)).json().code).toBe('otp_expired')
  })

  test('threat 273: a sign-up of somebody else with the address has neither secret nor password', async ({
    authApp,
  }) => {
    const email = 'owner.of@fjordlab.example'
    await signUp(authApp, email)
    // From the same network it replaces the sign-up of the owner, from another one it is a second one.
    for (const ip of ['192.0.2.7', ELSEWHERE]) {
      const token = await signUp(authApp, email, 'B'.repeat(22), ip)
      expect((await confirmIn(authApp, token, SECRET)).json().code).toBe('invalid_credentials')
    }
  })

  test('without a secret, or with another text in its place, is not known', async ({ authApp }) => {
    for (const [index, browser] of [undefined, '', 'x', 7, null, [SECRET]].entries()) {
      const token = await signUp(authApp, `no.secret.${index}@fjordlab.example`, browser)
      expect((await confirmIn(authApp, token, String(browser))).json().code).toBe('invalid_credentials')
    }
  })
})
