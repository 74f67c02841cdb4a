import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { statement } from '../../db/db.ts'
import { type AuthApp, openAuthApp } from '../../testing/auth-app.ts'
import { mailsTo, newestMail } from '../../testing/auth-client.ts'
import { makeUser, PASSWORD } from '../../testing/make.ts'

let authApp: AuthApp
beforeEach(async () => {
  authApp = await openAuthApp()
})
afterEach(() => authApp.close())

async function post(path: string, payload: object, { remoteAddress = '198.51.100.1', headers = {} } = {}) {
  const answer = await authApp.app.inject({ method: 'POST', url: `/auth/v1${path}`, remoteAddress, headers, payload })
  return { status: answer.statusCode, retryAfter: answer.headers['retry-after'], ...answer.json() }
}

const ASKS = [
  ['/recover', (email: string) => ({ email })],
  ['/resend', (email: string) => ({ type: 'signup', email })],
] as const

describe('threat 12: mail as a weapon', () => {
  test.each(ASKS)('threat 12: ten times %s are three mails', async (path, body) => {
    const { email } = await makeUser(authApp)
    for (let n = 1; n <= 10; n++) expect(await post(path, body(email))).toEqual({ status: 200 })
    expect(await mailsTo(authApp, email)).toHaveLength(3)
    authApp.clock.pass(3600)
    await post(path, body(email))
    expect(await mailsTo(authApp, email)).toHaveLength(4)
  })

  test.each(ASKS)(
    'threat 12: one address asks for ten mails an hour by %s, whoever they are for',
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

  test('threat 12: three in an hour by whatever way, from whatever address', async () => {
    const { email } = await makeUser(authApp)
    const asks = [1, 2, 3, 4].flatMap((n) => [
      post('/recover', { email }, { remoteAddress: `10.0.0.${n}` }),
      post('/resend', { type: 'signup', email }, { remoteAddress: `10.0.1.${n}` }),
      post('/signup', { email, password: PASSWORD }, { remoteAddress: `10.0.2.${n}` }),
    ])
    expect((await Promise.all(asks)).map(({ status }) => status)).toEqual(Array(12).fill(200))
    expect(await mailsTo(authApp, email)).toHaveLength(3)
  })

  test('threat 12: the whole server writes 500 an hour, and says nothing when it does not', async () => {
    const fill = statement(
      'test.fill-outbox',
      `insert into auth.outbox (id, kind, recipient, subject, body, created_at, next_try_at, sent_at)
      select gen_random_uuid(), 'confirm', 'n' || n || '@fjordlab.example', '', '', $1, $1, $1
      from generate_series(1, $2::int) as n`,
    )
    await authApp.auth.db.query(fill, [authApp.clock.now(), 499])
    const payload = (name: string) => ({ email: `${name}@fjordlab.example`, password: PASSWORD })
    const answers = [await post('/signup', payload('first')), await post('/signup', payload('second'))]
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(await newestMail(authApp, 'first@fjordlab.example')).not.toBeNull()
    expect(await newestMail(authApp, 'second@fjordlab.example')).toBeNull()
    authApp.clock.pass(3600)
    await post('/resend', { type: 'signup', email: 'second@fjordlab.example' })
    expect(await newestMail(authApp, 'second@fjordlab.example')).not.toBeNull()
  })

  test('threat 12: one address signs 200 people up in an hour, as an office does', async () => {
    const caller = { ip: '198.51.100.1' }
    for (let n = 1; n <= 200; n++) authApp.auth.limits.signUp.during(caller, authApp.clock.now(), async () => undefined)
    const payload = { email: 'late@fjordlab.example', password: PASSWORD }
    expect(await post('/signup', payload)).toMatchObject({
      status: 429,
      code: 'over_request_rate_limit',
      retryAfter: '18',
    })
    expect((await post('/signup', payload, { remoteAddress: '198.51.100.2' })).status).toBe(200)
    expect(await post('/signup', { ...payload, password: 'short' })).toMatchObject({ code: 'weak_password' })
  })
})

describe('threat 13: whom a link in a mail leads to', () => {
  test.each(['', '10.0.0.0/8'])('threat 13: is us, whatever a request says (TRUST_PROXY=%s)', async (proxies) => {
    await authApp.close()
    authApp = await openAuthApp({ PUBLIC_URL: 'https://deeb.fjordlab.example', TRUST_PROXY: proxies })
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
    const mails = [...(await mailsTo(authApp, 'ann@fjordlab.example')), ...(await mailsTo(authApp, email))]
    expect(mails).toHaveLength(3)
    for (const mail of mails) {
      expect(mail).toMatch(/^https:\/\/deeb\.fjordlab\.example\/app\/[\w-]+#token_hash=/m)
      expect(mail).not.toContain('evil')
    }
  })
})
