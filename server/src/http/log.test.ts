import { readHome } from '@deeb/core/home/api'
import { searchColleagues } from '@deeb/core/team/api'
import { expect } from 'vitest'
import { statement } from '../db/db.ts'
import { newestLinkToken } from '../testing/auth-client.ts'
import { makeUser, PASSWORD } from '../testing/make.ts'
import { test as base } from '../testing/test.ts'

const test = base.extend('settings', { scope: 'file' }, { LOG_LEVEL: 'debug' }).extend('site', ({ app }) => {
  const lines = () => app.log.map((line) => JSON.parse(line) as Record<string, unknown>)
  async function post(url: string, payload: object, headers: Record<string, string> = {}) {
    return app.inject({ method: 'POST', url, payload, headers })
  }
  /** Somebody joins, signs in, types, is refused, and signs out. Gives all that they were given and have typed. */
  async function spendADay(): Promise<string[]> {
    const from = { 'x-forwarded-for': ADDRESS, 'user-agent': 'Otterbrowser/7' }
    await post('/auth/v1/signup', { email: EMAIL, password: PASSWORD }, from)
    const token_hash = await newestLinkToken({ config: app.auth.config, mailer: app.mailer }, EMAIL)
    const confirmed = await post('/auth/v1/verify', { type: 'signup', token_hash, password: PASSWORD }, from)
    const { access_token, refresh_token, user } = confirmed.json()
    const ann = { userId: user.id, email: EMAIL, accessToken: access_token, refreshToken: refresh_token }
    await post('/auth/v1/token?grant_type=password', { email: EMAIL, password: 'a wrong one of hers' }, from)
    await app.call(readHome, { timeZone: 'Europe/Lisbon' }, ann)
    await app.call(searchColleagues, { query: 'Valdemar' }, ann)
    await app.inject(`/api/home?token=${access_token}`)
    await app.inject('/nowhere/valdemar?x=Valdemar')
    await app.inject('/%zz?x=Valdemar')
    await post('/auth/v1/logout', {}, { authorization: `Bearer ${access_token}` })
    return [EMAIL, 'fjordlab', PASSWORD, 'a wrong one', token_hash, access_token, refresh_token, user.id]
  }
  return { lines, spendADay }
})

const EMAIL = 'ann.meyer@fjordlab.example'
const ADDRESS = '203.0.113.77'

test('logs each response without personal data', async ({ app, site }) => {
  const theirs = await site.spendADay()
  expect(site.lines()).toContainEqual(expect.objectContaining({ method: 'GET', route: '/api/home', status: 200 }))
  expect(site.lines()).toContainEqual(
    expect.objectContaining({ method: 'POST', route: '/auth/v1/signup', status: 200 }),
  )
  const log = app.log.join('').toLowerCase()
  for (const secret of [...theirs, 'Lisbon', 'Valdemar', ADDRESS, '127.0.0.1', 'Otterbrowser', 'Bearer']) {
    expect(log).not.toContain(secret.toLowerCase())
  }
})

test('threat 50: the log has no code and no state of an identity provider', async ({ app, site }) => {
  const url = '/auth/v1/callback/fjordlab.example'
  await app.inject(`${url}?code=Halvard&state=Halvard&iss=Halvard`)
  expect(site.lines()).toContainEqual(expect.objectContaining({ route: '/auth/v1/callback/:key', status: 303 }))
  expect(app.log.join('')).not.toContain('Halvard')
})

test('a database error is logged with names, without values', async ({ app }) => {
  const ann = await makeUser(app)
  await app.db.script(
    `alter table auth.users add constraint users_test check (raw_user_meta_data <> '{"color": "mauve"}') not valid`,
  )
  const before = app.log.length
  const answer = await app.inject({
    method: 'PUT',
    url: '/auth/v1/user',
    headers: { authorization: `Bearer ${ann.accessToken}` },
    payload: { data: { color: 'mauve' } },
  })
  expect(answer.statusCode).toBe(503)
  const [failure, ...rest] = app.log.slice(before)
  expect(JSON.parse(failure ?? '')).toMatchObject({ level: 50, err: { code: '23514', constraint: 'users_test' } })
  expect(JSON.parse(failure ?? '').reqId).toBe(answer.headers['x-request-id'])
  for (const word of ['mauve', ann.email, ann.userId]) expect(failure).not.toContain(word)
  expect(rest).toHaveLength(1)
  const [row] = await app.db.query(statement('test.one', 'select 1 as one'))
  expect(row).toEqual({ one: 1 })
})

test.for([
  ['invalid_client', 'AADSTS7000222: The provided client secret keys are expired.', 'invalid_client: AADSTS7000222'],
  ['unauthorized_client', 'x'.repeat(10_000), 'unauthorized_client: xxx'],
  ['invalid_grant', 'The user Valdemar is blocked.', 'invalid_grant'],
] as const)(
  'threat 252: the answer %s of a provider is logged in one line, and names nobody',
  ([error, error_description, start], { app }) => {
    const before = app.log.length
    const err = Object.assign(new Error('server responded with an error'), { error, error_description, code: 'X' })
    app.app.log.warn({ err }, 'a sign-in failed')
    const [line = ''] = app.log.slice(before)
    expect(JSON.parse(line).err.message).toMatch(new RegExp(`^${start}`))
    expect(line.length).toBeLessThan(600)
    expect(line).not.toContain('Valdemar')
    expect(line).not.toContain(' at ')
  },
)
