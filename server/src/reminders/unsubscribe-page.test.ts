import { randomBytes, randomUUID } from 'node:crypto'
import { readHome } from '@deeb/core/home/api'
import { describe, expect, vi } from 'vitest'
import { deleteUser } from '../admin/users.ts'
import { writeRefreshToken } from '../auth/auth-session/refresh-token.ts'
import { deriveKeys } from '../config/keys.ts'
import { type MadeUser, makeUser } from '../testing/make.ts'
import { test as base, type FixturesOf } from '../testing/test.ts'
import { unsubscribeUrl } from './unsubscribe-link.ts'

const [OLD_SECRET, SECRET] = [randomBytes(32), randomBytes(32)]

const test = base
  .extend(
    'settings',
    { scope: 'file' },
    { DEEB_SECRET: SECRET.toString('hex'), DEEB_SECRET_OLD: OLD_SECRET.toString('hex') },
  )
  .extend('ann', ({ app }) => makeUser(app))
  .extend('reminders', ({ app, ann }) => {
    const linkOf = ({ userId }: Pick<MadeUser, 'userId'>) => unsubscribeUrl(SITE, app.auth.keys, userId)
    async function send(
      method: 'GET' | 'HEAD' | 'POST',
      url: string,
      headers: Record<string, string> = {},
      payload = '',
    ) {
      const answer = await app.inject({ method, url, headers, ...(payload && { payload }) })
      // The page has all views; those with this attribute are hidden.
      const view = /<b data-view="([\w-]+)">/.exec(answer.body)?.[1]
      return { status: answer.statusCode, view, headers: answer.headers, body: answer.body }
    }
    const getsEmails = async (user = ann) =>
      (await app.call(readHome, { timeZone: 'UTC' }, user)).body.profile.requestEmails
    const tokenOf = (user: Pick<MadeUser, 'userId'>) =>
      new URLSearchParams(linkOf(user).split('?')[1]).get('token') ?? ''
    const signatureOf = (user: Pick<MadeUser, 'userId'>) => tokenOf(user).split('.')[1]
    return { linkOf, send, getsEmails, tokenOf, signatureOf }
  })

const SITE = { publicUrl: '' }

describe('the link of an email', () => {
  test('opens a page that asks, and changes nothing: scanners of emails follow links', async ({ ann, reminders }) => {
    expect(await reminders.send('GET', reminders.linkOf(ann))).toMatchObject({ status: 200, view: 'ask' })
    expect(await reminders.send('HEAD', reminders.linkOf(ann))).toMatchObject({ status: 200 })
    expect(await reminders.getsEmails()).toBe(true)
  })

  test.for([
    ['GET', { 'accept-language': 'de' }, '<title>de unsubscribe'],
    ['POST', { cookie: 'deeb.language=de' }, '<title>de unsubscribe'],
    ['GET', { 'accept-language': 'de', cookie: 'deeb.language=en' }, '<title>unsubscribe'],
    ['GET', {}, '<title>unsubscribe'],
  ] as const)(
    'shows the page of a %s in the language of the browser',
    async ([method, headers, title], { ann, reminders }) => {
      expect((await reminders.send(method, reminders.linkOf(ann), { ...headers })).body).toContain(title)
    },
  )

  test.for([
    ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
    ],
    ['application/json', '{'],
    ['application/x-www-form-urlencoded', ''],
  ] as const)(
    'stops the emails by a POST of %s, without sign-in, cookie or script',
    async ([type, payload], { app, ann, reminders }) => {
      const other = await makeUser(app)
      expect(await reminders.send('POST', reminders.linkOf(ann), { 'content-type': type }, payload)).toMatchObject({
        status: 200,
        view: 'stopped',
      })
      expect([await reminders.getsEmails(), await reminders.getsEmails(other)]).toEqual([false, true])
    },
  )

  test('is idempotent, and works from another site, as a mail provider sends it', async ({ ann, reminders }) => {
    const headers = { origin: 'https://mail.example', 'sec-fetch-site': 'cross-site' }
    for (let n = 0; n < 3; n++)
      expect((await reminders.send('POST', reminders.linkOf(ann), headers)).view).toBe('stopped')
    expect(await reminders.getsEmails()).toBe(false)
  })

  test('threat 101: shows nothing about the person, is not cached and sends no referrer', async ({
    ann,
    reminders,
  }) => {
    for (const method of ['GET', 'POST'] as const) {
      const { body, headers } = await reminders.send(method, reminders.linkOf(ann))
      expect(body).not.toContain(ann.email)
      expect(body).not.toContain(ann.userId)
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
      expect(headers['set-cookie']).toBeUndefined()
    }
  })

  test('works while the secret is rotated', async ({ ann, reminders }) => {
    const { unsubscribeKeys } = await deriveKeys(OLD_SECRET)
    expect((await reminders.send('POST', unsubscribeUrl(SITE, { unsubscribeKeys }, ann.userId))).view).toBe('stopped')
    expect(await reminders.getsEmails()).toBe(false)
  })

  test('gives the same answer when the account was deleted', async ({ app, ann, reminders }) => {
    await deleteUser(app.db, ann.email, app.auth.config)
    expect(await reminders.send('POST', reminders.linkOf(ann))).toMatchObject({ status: 200, view: 'stopped' })
  })
})

describe('threat 101: another token', () => {
  type Fixtures = Pick<FixturesOf<typeof test>, 'app' | 'ann' | 'reminders'>

  test.for<[string, (fixtures: Fixtures) => string | Promise<string>]>([
    ['none', () => ''],
    ['the id alone', ({ ann }) => `?token=${ann.userId}`],
    ['without a signature', ({ ann }) => `?token=${ann.userId}.`],
    [
      'with the signature of another person',
      ({ ann, reminders }) => `?token=${ann.userId}.${reminders.signatureOf({ userId: randomUUID() })}`,
    ],
    ['with one more character', ({ ann, reminders }) => `?token=${reminders.tokenOf(ann)}x`],
    ['in upper case', ({ ann, reminders }) => `?token=${ann.userId.toUpperCase()}.${reminders.signatureOf(ann)}`],
    ['twice', ({ ann, reminders }) => `?token=${reminders.tokenOf(ann)}&token=${reminders.tokenOf(ann)}`],
    [
      'of another server',
      async ({ ann }) => unsubscribeUrl(SITE, await deriveKeys(randomBytes(32)), ann.userId).replace(/.*\?/, '?'),
    ],
    [
      'for another purpose, signed by this server',
      ({ app, ann }) => `?token=${writeRefreshToken(app.auth.keys.refreshKey, { sessionId: ann.userId, counter: 0 })}`,
    ],
  ])('%s changes nothing', async ([_, query], { app, ann, reminders }) => {
    for (const method of ['GET', 'POST'] as const) {
      expect(await reminders.send(method, `/unsubscribe${await query({ app, ann, reminders })}`)).toMatchObject({
        status: 404,
        view: 'wrong-link',
      })
    }
    expect(await reminders.getsEmails()).toBe(true)
  })

  test('does not sign in: the token of a link is no access token', async ({ app, ann, reminders }) => {
    const headers = { authorization: `Bearer ${reminders.tokenOf(ann)}` }
    expect((await app.inject({ url: '/api/home?timeZone=UTC', headers })).statusCode).toBe(401)
  })
})

test('a failure of the server is a page for a browser and a 503 for a mail provider, which tries again', async ({
  app,
  ann,
  reminders,
}) => {
  const query = vi.spyOn(app.db, 'query').mockRejectedValue(new Error('The database is gone.'))
  expect(await reminders.send('POST', reminders.linkOf(ann), { accept: 'text/html,*/*' })).toMatchObject({
    status: 503,
    view: 'failed',
  })
  const { status, body } = await reminders.send('POST', reminders.linkOf(ann))
  expect([status, JSON.parse(body).code]).toEqual([503, 'unavailable'])
  query.mockRestore()
})

test('a body of a megabyte is refused', async ({ ann, reminders }) => {
  const headers = { 'content-type': 'text/plain' }
  expect((await reminders.send('POST', reminders.linkOf(ann), headers, 'x'.repeat(1_000_000))).status).toBe(413)
})
