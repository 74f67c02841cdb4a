import { randomBytes, randomUUID } from 'node:crypto'
import { readHome } from '@deeb/core/home/api'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { deleteUser } from '../admin/users.ts'
import { writeRefreshToken } from '../auth/auth-session/refresh-token.ts'
import { deriveKeys } from '../config/keys.ts'
import { type MadeUser, makeUser } from '../testing/make.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import { unsubscribeUrl } from './unsubscribe-link.ts'

const [OLD_SECRET, SECRET] = [randomBytes(32), randomBytes(32)]

let testApp: TestApp
let ann: MadeUser
beforeAll(async () => {
  testApp = await startTestApp({ DEEB_SECRET: SECRET.toString('hex'), DEEB_SECRET_OLD: OLD_SECRET.toString('hex') })
})
afterAll(() => testApp.close())
beforeEach(async () => {
  ann = await makeUser(testApp)
})

const SITE = { publicUrl: '' }
const linkOf = ({ userId }: Pick<MadeUser, 'userId'>) => unsubscribeUrl(SITE, testApp.auth.keys, userId)

async function send(method: 'GET' | 'HEAD' | 'POST', url: string, headers: Record<string, string> = {}, payload = '') {
  const answer = await testApp.app.inject({ method, url, headers, ...(payload && { payload }) })
  // The page has all views; those with this attribute are hidden.
  const view = /<b data-view="([\w-]+)">/.exec(answer.body)?.[1]
  return { status: answer.statusCode, view, headers: answer.headers, body: answer.body }
}

const getsEmails = async (user = ann) =>
  (await testApp.call(readHome, { timeZone: 'UTC' }, user)).body.profile.requestEmails

describe('the link of an email', () => {
  test('opens a page that asks, and changes nothing: scanners of emails follow links', async () => {
    expect(await send('GET', linkOf(ann))).toMatchObject({ status: 200, view: 'ask' })
    expect(await send('HEAD', linkOf(ann))).toMatchObject({ status: 200 })
    expect(await getsEmails()).toBe(true)
  })

  test.each([
    ['GET', { 'accept-language': 'de' }, '<title>de unsubscribe'],
    ['POST', { cookie: 'deeb.language=de' }, '<title>de unsubscribe'],
    ['GET', { 'accept-language': 'de', cookie: 'deeb.language=en' }, '<title>unsubscribe'],
    ['GET', {}, '<title>unsubscribe'],
  ] as const)('shows the page of a %s in the language of the browser', async (method, headers, title) => {
    expect((await send(method, linkOf(ann), { ...headers })).body).toContain(title)
  })

  test.each([
    ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--\r\n',
    ],
    ['application/json', '{'],
    ['application/x-www-form-urlencoded', ''],
  ])('stops the emails by a POST of %s, without sign-in, cookie or script', async (type, payload) => {
    const other = await makeUser(testApp)
    expect(await send('POST', linkOf(ann), { 'content-type': type }, payload)).toMatchObject({
      status: 200,
      view: 'stopped',
    })
    expect([await getsEmails(), await getsEmails(other)]).toEqual([false, true])
  })

  test('is idempotent, and works from another site, as a mail provider sends it', async () => {
    const headers = { origin: 'https://mail.example', 'sec-fetch-site': 'cross-site' }
    for (let n = 0; n < 3; n++) expect((await send('POST', linkOf(ann), headers)).view).toBe('stopped')
    expect(await getsEmails()).toBe(false)
  })

  test('threat 101: shows nothing about the person, is not cached and sends no referrer', async () => {
    for (const method of ['GET', 'POST'] as const) {
      const { body, headers } = await send(method, linkOf(ann))
      expect(body).not.toContain(ann.email)
      expect(body).not.toContain(ann.userId)
      expect(headers).toMatchObject({ 'cache-control': 'no-store', 'referrer-policy': 'no-referrer' })
      expect(headers['set-cookie']).toBeUndefined()
    }
  })

  test('works while the secret is rotated', async () => {
    const { unsubscribeKeys } = await deriveKeys(OLD_SECRET)
    expect((await send('POST', unsubscribeUrl(SITE, { unsubscribeKeys }, ann.userId))).view).toBe('stopped')
    expect(await getsEmails()).toBe(false)
  })

  test('gives the same answer when the account was deleted', async () => {
    await deleteUser(testApp.db, ann.email, testApp.auth.config)
    expect(await send('POST', linkOf(ann))).toMatchObject({ status: 200, view: 'stopped' })
  })
})

describe('threat 101: another token', () => {
  const tokenOf = (user: Pick<MadeUser, 'userId'>) => new URLSearchParams(linkOf(user).split('?')[1]).get('token') ?? ''
  const signatureOf = (user: Pick<MadeUser, 'userId'>) => tokenOf(user).split('.')[1]

  test.each<[string, () => string | Promise<string>]>([
    ['none', () => ''],
    ['the id alone', () => `?token=${ann.userId}`],
    ['without a signature', () => `?token=${ann.userId}.`],
    ['with the signature of another person', () => `?token=${ann.userId}.${signatureOf({ userId: randomUUID() })}`],
    ['with one more character', () => `?token=${tokenOf(ann)}x`],
    ['in upper case', () => `?token=${ann.userId.toUpperCase()}.${signatureOf(ann)}`],
    ['twice', () => `?token=${tokenOf(ann)}&token=${tokenOf(ann)}`],
    [
      'of another server',
      async () => unsubscribeUrl(SITE, await deriveKeys(randomBytes(32)), ann.userId).replace(/.*\?/, '?'),
    ],
    [
      'for another purpose, signed by this server',
      () => `?token=${writeRefreshToken(testApp.auth.keys.refreshKey, { sessionId: ann.userId, counter: 0 })}`,
    ],
  ])('%s changes nothing', async (_, query) => {
    for (const method of ['GET', 'POST'] as const) {
      expect(await send(method, `/unsubscribe${await query()}`)).toMatchObject({ status: 404, view: 'wrong-link' })
    }
    expect(await getsEmails()).toBe(true)
  })

  test('does not sign in: the token of a link is no access token', async () => {
    const headers = { authorization: `Bearer ${tokenOf(ann)}` }
    expect((await testApp.app.inject({ url: '/api/home?timeZone=UTC', headers })).statusCode).toBe(401)
  })
})

test('a failure of the server is a page for a browser and a 503 for a mail provider, which tries again', async () => {
  const query = vi.spyOn(testApp.db, 'query').mockRejectedValue(new Error('The database is gone.'))
  expect(await send('POST', linkOf(ann), { accept: 'text/html,*/*' })).toMatchObject({ status: 503, view: 'failed' })
  const { status, body } = await send('POST', linkOf(ann))
  expect([status, JSON.parse(body).code]).toEqual([503, 'unavailable'])
  query.mockRestore()
})

test('a body of a megabyte is refused', async () => {
  const headers = { 'content-type': 'text/plain' }
  expect((await send('POST', linkOf(ann), headers, 'x'.repeat(1_000_000))).status).toBe(413)
})
