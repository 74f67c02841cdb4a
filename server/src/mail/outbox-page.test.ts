import type { InjectOptions } from 'fastify'
import { describe, expect } from 'vitest'
import { createAuthClient } from '../testing/auth-client.ts'
import { PASSWORD } from '../testing/make.ts'
import { test as base, type FixturesOf } from '../testing/test.ts'

const PAGES = ['/outbox', '/outbox/outbox.js', '/outbox/outbox.css']

const test = base.extend(
  'ask',
  ({ authApp }) =>
    (url: string, { headers, ...rest }: InjectOptions = {}, to = authApp) =>
      to.app.inject({ url, ...rest, headers: { host: 'localhost:3000', authorization, ...headers } }),
)

let authorization: string
test.beforeAll(async ({ authApp }) => {
  authorization = `Admin ${authApp.auth.keys.adminKey}`
})

test('serves the page and its files, within the content security policy', async ({ ask }) => {
  const [page, script, style] = await Promise.all(PAGES.map((url) => ask(url)))
  expect(page?.headers['content-type']).toBe('text/html; charset=utf-8')
  expect(page?.headers['content-security-policy']).toContain("script-src 'self'")
  expect(page?.headers['cache-control']).toBe('no-store')
  expect(page?.body).not.toMatch(/<script>|<style|style=|onclick/)
  expect(script?.headers['content-type']).toBe('text/javascript; charset=utf-8')
  expect(script?.body).not.toMatch(/innerHTML|insertAdjacentHTML|document\.write/)
  expect(style?.headers['content-type']).toBe('text/css; charset=utf-8')
})

test('lists the emails with the key, newest first', async ({ authApp, ask }) => {
  expect((await ask('/outbox/mails')).json()).toEqual([])
  for (const email of ['ann@fjordlab.example', 'ben@fjordlab.example']) {
    await createAuthClient(authApp.app).signUp({ email, password: PASSWORD })
    await authApp.mailer.idle()
  }
  const emails = (await ask('/outbox/mails')).json()
  expect(emails.map((mail: { recipient: string }) => mail.recipient)).toEqual([
    'ben@fjordlab.example',
    'ann@fjordlab.example',
  ])
  expect(emails[0].body).toMatch(/^http:\/\/localhost:3000\/app\/confirm#token_hash=[\w-]{43}&type=signup$/m)
})

test.for(['', 'Admin', 'Admin ', 'Admin wrong', 'Bearer KEY', 'admin KEY', 'Admin KEYx', 'Admin  KEY'])(
  'hides the emails from the authorization %j',
  async (text, { authApp, ask }) => {
    const key = authApp.auth.keys.adminKey
    const answer = await ask('/outbox/mails', { headers: { authorization: text.replace('KEY', key) } })
    expect(answer.statusCode).toBe(404)
  },
)

type Ask = FixturesOf<typeof test>['ask']

describe('threat 35: the outbox page is a 404', () => {
  const all = [...PAGES, '/outbox/mails']
  const nothing = async (ask: Ask, request: InjectOptions) => {
    for (const url of all) expect((await ask(url, request)).statusCode).toBe(404)
  }

  test.for(['192.168.1.7', '10.0.0.1', '::ffff:192.168.1.7', '2001:db8::1', '0.0.0.0'])(
    'for a caller at %s',
    async (remoteAddress, { ask }) => nothing(ask, { remoteAddress }),
  )

  test.for(['evil.example', 'evil.example:3000', 'localhost.evil.example', '127.0.0.1.evil.example', 'deeb.local'])(
    'under the host name %j',
    async (host, { ask }) => nothing(ask, { headers: { host } }),
  )

  test.for(['forwarded', 'x-forwarded-for', 'x-forwarded-host'])(
    'behind a proxy that sends %s',
    async (name, { ask }) => nothing(ask, { headers: { [name]: '127.0.0.1' } }),
  )

  test.for(['via', 'x-real-ip', 'cf-connecting-ip', 'true-client-ip', 'cdn-loop'])(
    'threat 94: behind a proxy that sends only %s',
    async (name, { ask }) => nothing(ask, { headers: { [name]: '127.0.0.1' } }),
  )

  test('when the server sends by SMTP', async ({ startAuthApp, ask }) => {
    const other = await startAuthApp({ SMTP_URL: 'smtp://localhost:2525' })
    const headers = { authorization: `Admin ${other.auth.keys.adminKey}` }
    for (const url of all) expect((await ask(url, { headers }, other)).statusCode).toBe(404)
  })
})

test.for(['127.0.0.1', '::1', '::ffff:127.0.0.1'])(
  'serves the page to this machine at %s',
  async (remoteAddress, { ask }) => {
    for (const host of ['localhost:3000', '127.0.0.1:3000', '[::1]:3000', 'localhost']) {
      expect((await ask('/outbox/mails', { remoteAddress, headers: { host } })).statusCode).toBe(200)
    }
  },
)
