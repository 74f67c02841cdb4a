// Runs in npm run test:all.
import { describe, expect } from 'vitest'
import { statement } from '../../db/db.ts'
import type { AuthApp } from '../../testing/auth-app.ts'
import { confirmation, createAuthClient, mailsTo, newestLinkToken, newestMail } from '../../testing/auth-client.ts'
import { makeUser, PASSWORD } from '../../testing/make.ts'
import { test } from '../../testing/test.ts'

let authApp: AuthApp
test.beforeEach(async ({ startAuthApp }) => {
  authApp = await startAuthApp()
})

async function post(path: string, payload: object, { remoteAddress = '198.51.100.1', headers = {} } = {}) {
  const answer = await authApp.app.inject({ method: 'POST', url: `/auth/v1${path}`, remoteAddress, headers, payload })
  return { status: answer.statusCode, retryAfter: answer.headers['retry-after'], ...answer.json() }
}

const ASKS = [
  ['/recover', (email: string) => ({ email })],
  ['/resend', (email: string) => ({ type: 'signup', email })],
] as const

/** Writes emails of the last hour to other addresses, requested by `count` networks. */
const fillOutbox = (kind: string, count: number) =>
  authApp.auth.db.query(
    statement(
      'test.fill-outbox',
      `insert into auth.outbox (id, kind, recipient, subject, body, asked_by, created_at, next_try_at, sent_at)
      select gen_random_uuid(), :kind, 'n' || n || '@fjordlab.example', '', '', 'network ' || n, :now, :now, :now
      from generate_series(1, :count::int) as n`,
    ),
    { kind, now: authApp.clock.now(), count },
  )

describe('threat 12: flooding a mailbox', () => {
  test('threat 12: an account gets three recovery emails per half hour from all requesters', async () => {
    const { email } = await makeUser(authApp)
    for (let n = 1; n <= 10; n++) {
      expect(await post('/recover', { email }, { remoteAddress: `10.0.0.${n}` })).toEqual({ status: 200 })
    }
    expect(await mailsTo(authApp, email)).toHaveLength(3)
    authApp.clock.pass(1800)
    await post('/recover', { email })
    expect(await mailsTo(authApp, email)).toHaveLength(4)
  })

  test('threat 12: an account gets one notice a day that it exists, over all flows', async () => {
    const { email } = await makeUser(authApp)
    const { accessToken } = await makeUser(authApp)
    const changeTo = () =>
      authApp.app.inject({
        method: 'PUT',
        url: '/auth/v1/user',
        headers: { authorization: `Bearer ${accessToken}` },
        payload: { email, current_password: PASSWORD },
      })
    const everyWay = (n: number) => [
      post('/resend', { type: 'signup', email }, { remoteAddress: `10.0.1.${n}` }),
      post('/signup', { email, password: PASSWORD }, { remoteAddress: `10.0.2.${n}` }),
      changeTo().then(({ statusCode }) => ({ status: statusCode })),
    ]
    const answers = await Promise.all([1, 2, 3].flatMap(everyWay))
    expect(answers.map(({ status }) => status)).toEqual(Array(9).fill(200))
    expect(await mailsTo(authApp, email)).toHaveLength(1)
    authApp.clock.pass(24 * 3600)
    await Promise.all(everyWay(4))
    expect(await mailsTo(authApp, email)).toHaveLength(2)
  })

  test('threat 12: an account can send three emails an hour to one new address', async () => {
    const { accessToken } = await makeUser(authApp)
    const wanted = 'wanted@fjordlab.example'
    for (let n = 1; n <= 6; n++) {
      const answer = await authApp.app.inject({
        method: 'PUT',
        url: '/auth/v1/user',
        headers: { authorization: `Bearer ${accessToken}` },
        payload: { email: wanted, current_password: PASSWORD },
      })
      expect(answer.statusCode).toBe(200)
    }
    expect(await mailsTo(authApp, wanted)).toHaveLength(3)
    const token_hash = await newestLinkToken(authApp, wanted, 'email_change')
    expect((await post('/verify', { type: 'email_change', token_hash, password: PASSWORD })).status).toBe(200)
  })

  test.each(ASKS)(
    'threat 12: one IP address can request ten emails an hour by %s over all recipients',
    async (path, body) => {
      for (let n = 1; n <= 10; n++) expect(await post(path, body(`n${n}@fjordlab.example`))).toEqual({ status: 200 })
      expect(await post(path, body('n11@fjordlab.example'))).toMatchObject({
        status: 429,
        code: 'over_email_send_rate_limit',
        message: 'Too many attempts. Try again in 6 minutes.',
        retryAfter: '360',
      })
      const elsewhere = await post(path, body('n11@fjordlab.example'), { remoteAddress: '198.51.100.2' })
      expect(elsewhere).toEqual({ status: 200 })
      authApp.clock.pass(360)
      expect(await post(path, body('n11@fjordlab.example'))).toEqual({ status: 200 })
    },
  )

  test('threat 12: the server silently limits the emails of each kind per hour', async () => {
    await fillOutbox('confirm', 2_499)
    const payload = (name: string) => ({ email: `${name}@fjordlab.example`, password: PASSWORD })
    const answers = [await post('/signup', payload('first')), await post('/signup', payload('second'))]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await newestMail(authApp, 'first@fjordlab.example')).not.toBeNull()
    expect(await newestMail(authApp, 'second@fjordlab.example')).toBeNull()
    authApp.clock.pass(3600)
    await post('/resend', { type: 'signup', email: 'second@fjordlab.example' })
    expect(await newestMail(authApp, 'second@fjordlab.example')).not.toBeNull()
  })

  test('threat 12: one IP address can sign up 200 users an hour, as an office does', async () => {
    const caller = { ip: '198.51.100.1' }
    for (let n = 1; n <= 200; n++)
      await authApp.auth.limits.signUp.limit(caller.ip, authApp.clock.now(), async () => undefined)
    const payload = { email: 'late@fjordlab.example', password: PASSWORD }
    expect(await post('/signup', payload)).toMatchObject({
      status: 429,
      code: 'over_request_rate_limit',
      retryAfter: '18',
    })
    expect((await post('/signup', payload, { remoteAddress: '198.51.100.2' })).status).toBe(200)
    // Nothing is parsed above the limit, so a rejected password costs nothing either.
    expect(await post('/signup', { ...payload, password: 'short' })).toMatchObject({ status: 429 })
  })
})

describe('threat 80: limits of emails that strangers use up', () => {
  const client = (remoteAddress: string) => createAuthClient(authApp.app, undefined, remoteAddress)
  const mailCount = async (email: string) => (await mailsTo(authApp, email)).length

  test('threat 80: the newest link works at the limit of recovery emails, and the next one is sent after it', async () => {
    const { email } = await makeUser(authApp)
    for (const minute of [0, 9, 18]) {
      await client('10.80.0.1').resetPasswordForEmail(email)
      authApp.clock.pass((minute === 18 ? 0 : 9) * 60)
    }
    const owner = client('198.51.100.1')
    authApp.clock.pass(11 * 60)
    expect((await owner.resetPasswordForEmail(email)).error).toBeNull()
    expect(await mailCount(email)).toBe(3)
    const token_hash = await newestLinkToken(authApp, email, 'recovery')
    expect((await owner.verifyOtp({ type: 'recovery', token_hash })).error).toBeNull()
    authApp.clock.pass(60)
    await owner.resetPasswordForEmail(email)
    expect(await mailCount(email)).toBe(4)
    const next = await newestLinkToken(authApp, email, 'recovery')
    expect((await owner.verifyOtp({ type: 'recovery', token_hash: next })).error).toBeNull()
  })

  test.each([
    ['confirm', 2_500],
    ['already', 500],
    ['email_change', 500],
  ])('threat 80: %s emails never use up the limit of recovery', async (kind, count) => {
    const { email } = await makeUser(authApp)
    await fillOutbox(kind, count)
    await client('198.51.100.1').resetPasswordForEmail(email)
    expect(await newestMail(authApp, email)).toContain('Subject: Choose a new password for deeb')
  })

  test('threat 80: one network, also a whole IPv6 /48, cannot use up the limit of the server', async () => {
    const fill = statement(
      'test.fill-from-one',
      `insert into auth.outbox (id, kind, recipient, subject, body, asked_by, created_at, next_try_at, sent_at)
      select gen_random_uuid(), 'confirm', 'n' || n || '@fjordlab.example', '', '', '2001:db8:80::/48', :now, :now, :now
      from generate_series(1, 226) as n`,
    )
    await authApp.auth.db.query(fill, { now: authApp.clock.now() })
    for (const n of [1, 2, 3]) {
      await client(`2001:db8:80:${n}::1`).signUp({ email: `greedy${n}@fjordlab.example`, password: PASSWORD })
    }
    await client('198.51.100.1').signUp({ email: 'modest@fjordlab.example', password: PASSWORD })
    expect(await mailCount('greedy1@fjordlab.example')).toBe(1)
    expect((await mailCount('greedy2@fjordlab.example')) + (await mailCount('greedy3@fjordlab.example'))).toBe(1)
    expect(await mailCount('modest@fjordlab.example')).toBe(1)
  })

  test('threat 80: a change of address has the same response and effect on an older link, whichever email is dropped', async () => {
    const mover = await makeUser(authApp)
    const { email: taken } = await makeUser(authApp)
    const changeTo = (email: string) =>
      authApp.app.inject({
        method: 'PUT',
        url: '/auth/v1/user',
        headers: { authorization: `Bearer ${mover.accessToken}` },
        payload: { email, current_password: PASSWORD },
      })
    await client('10.80.1.1').signUp({ email: taken, password: PASSWORD })
    for (const wanted of [taken, 'free@fjordlab.example']) {
      const own = `own.${wanted}`
      await changeTo(own)
      const token_hash = await newestLinkToken(authApp, own, 'email_change')
      expect((await changeTo(wanted)).statusCode).toBe(200)
      expect(await post('/verify', { type: 'email_change', token_hash, password: PASSWORD })).toMatchObject({
        code: 'otp_expired',
      })
    }
    expect(await mailCount(taken)).toBe(1)
  })

  test('threat 80: the owner can sign up, confirm, recover and sign in while a stranger uses up all limits', async () => {
    const email = 'ann.meyer@fjordlab.example'
    const [mine, next] = ['seven quiet otters', 'eleven loud herons']
    const strangers = ['203.0.113.80', '2001:db8:80:1::1', '2001:db8:80:2::1'].map(client)
    // The guesses below take hours, and failed attempts are halved at midnight (UTC).
    const daySeconds = 24 * 3_600
    authApp.clock.pass(daySeconds - ((authApp.clock.now().getTime() / 1000) % daySeconds))

    /** Requests every email that strangers can request, until each is limited. */
    async function flood(): Promise<void> {
      for (const stranger of strangers) {
        for (let n = 1; n <= 5; n++) await stranger.signUp({ email, password: `stranger number ${n}` })
        for (let isRefused = false; !isRefused; ) {
          const asked = [await stranger.resetPasswordForEmail(email), await stranger.resend({ type: 'signup', email })]
          isRefused = asked.some(({ error }) => error?.code === 'over_email_send_rate_limit')
        }
      }
    }

    await flood()
    const home = client('198.51.100.1')
    await home.signUp({ email, password: mine })
    const link = await newestLinkToken(authApp, email)
    await flood()
    expect((await home.verifyOtp(confirmation(link, mine))).error).toBeNull()

    // Strangers guess until the password is rejected on networks that are not familiar.
    for (let misses = 0; misses < 100; ) {
      const { error } = await client(`10.80.${misses}.1`).signInWithPassword({ email, password: 'not the password' })
      if (error?.code === 'invalid_credentials') misses += 1
      else authApp.clock.pass(180)
    }
    const phone = client('192.0.2.77')
    authApp.clock.pass(180)
    expect((await phone.signInWithPassword({ email, password: mine })).error?.code).toBe('invalid_credentials')

    await flood()
    expect((await phone.resetPasswordForEmail(email)).error).toBeNull()
    const token_hash = await newestLinkToken(authApp, email, 'recovery')
    expect((await phone.verifyOtp({ type: 'recovery', token_hash })).error).toBeNull()
    expect((await phone.updateUser({ password: next })).error).toBeNull()
    await flood()
    expect((await phone.signInWithPassword({ email, password: next })).error).toBeNull()
  })
})

describe('threat 13: the host of an email link', () => {
  test.for(['', '10.0.0.0/8'])(
    'threat 13: is that of PUBLIC_URL, whatever the request headers (TRUST_PROXY=%s)',
    async (proxies, { startAuthApp }) => {
      authApp = await startAuthApp({ PUBLIC_URL: 'https://deeb.fjordlab.example', TRUST_PROXY: proxies })
      const { email } = await makeUser(authApp)
      const evil = {
        remoteAddress: '10.0.0.1',
        headers: {
          host: 'evil.example',
          origin: 'https://evil.example',
          referer: 'https://evil.example/',
          forwarded: 'host=evil.example;proto=http',
          'x-forwarded-host': 'evil.example',
          'x-forwarded-proto': 'http',
          'x-forwarded-for': '203.0.113.9',
        },
      }
      const redirect = '?redirect_to=https%3A%2F%2Fevil.example'
      const options = { redirectTo: 'https://evil.example', data: { site: 'evil.example' } }
      await post(`/signup${redirect}`, { email: 'ann@fjordlab.example', password: PASSWORD, ...options }, evil)
      await post(`/resend${redirect}`, { type: 'signup', email: 'ann@fjordlab.example', ...options }, evil)
      await post(`/recover${redirect}`, { email, ...options }, evil)
      const emails = [...(await mailsTo(authApp, 'ann@fjordlab.example')), ...(await mailsTo(authApp, email))]
      expect(emails).toHaveLength(3)
      for (const mail of emails) {
        expect(mail).toMatch(/^https:\/\/deeb\.fjordlab\.example\/app\/[\w-]+#token_hash=/m)
        expect(mail).not.toContain('evil')
      }
    },
  )
})
