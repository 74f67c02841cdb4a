// Runs in npm run test:all.
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listFailedEmails } from '../admin/failed-emails.ts'
import { statement } from '../db/db.ts'
import { type AuthApp, openAuthApp } from '../testing/auth-app.ts'
import { createAuthClient } from '../testing/auth-client.ts'
import { PASSWORD } from '../testing/make.ts'
import { createSmtp } from './smtp.ts'

const EMAIL = 'ann@fjordlab.example'

let smtp: SMTPServer
let received: { from: string; to: string[]; text: string }[]
/** While true, the mail server rejects every email with a temporary error. */
let isBusy: boolean
/** While true, the mail server accepts an email and then never answers. */
let isStuck: boolean
let authApp: AuthApp

beforeEach(async () => {
  received = []
  isBusy = false
  isStuck = false
  smtp = await listenForMail(0)
  const { port } = smtp.server.address() as AddressInfo
  authApp = await openAuthApp({
    SMTP_URL: `smtp://deeb:p%40ss@127.0.0.1:${port}`,
    MAIL_FROM: 'deeb <hello@deeb.example>',
    PUBLIC_URL: 'https://deeb.example',
  })
})
afterEach(async () => {
  await authApp.close()
  await new Promise<void>((resolve) => smtp.close(resolve))
})

/** With STARTTLS it presents a self-signed certificate. */
async function listenForMail(port: number, disabledCommands = ['STARTTLS']): Promise<SMTPServer> {
  const server = new SMTPServer({
    disabledCommands,
    allowInsecureAuth: true,
    onAuth: ({ username, password }, _session, answer) =>
      username === 'deeb' && password === 'p@ss' ? answer(null, { user: 'deeb' }) : answer(new Error('Who are you?')),
    async onData(stream, { envelope }, answer) {
      const text = Buffer.concat(await stream.toArray()).toString()
      if (isStuck) return
      if (isBusy) return answer(Object.assign(new Error('Come back later'), { responseCode: 451 }))
      const from = envelope.mailFrom ? envelope.mailFrom.address : ''
      received.push({ from, to: envelope.rcptTo.map((recipient) => recipient.address), text })
      answer()
    },
  })
  server.listen(port, '127.0.0.1')
  await once(server.server, 'listening')
  return server
}

const signUp = () => createAuthClient(authApp.app).signUp({ email: EMAIL, password: PASSWORD })
const rows = () =>
  authApp.auth.db.query<{ sent: boolean; attempts: number; hasBody: boolean; error: string | null }>(
    statement(
      'test.outbox',
      `select sent_at is not null as sent, attempts, body <> '' as "hasBody", last_error as error from auth.outbox`,
    ),
  )

test('a sign-up sends its link through the mail server and then deletes it', async () => {
  await signUp()
  await authApp.mailer.idle()
  expect(received).toMatchObject([{ from: 'hello@deeb.example', to: [EMAIL] }])
  const [mail] = received
  expect(mail?.text).toMatch(/^Subject: Confirm your address for deeb\r$/m)
  // Quoted-printable: "=" is "=3D", and a long line breaks after a "=".
  expect(mail?.text.replaceAll('=\r\n', '').replaceAll('=3D', '=')).toMatch(
    /https:\/\/deeb\.example\/app\/confirm#token_hash=[\w-]{43}&type=signup/,
  )
  expect(await rows()).toEqual([{ sent: true, attempts: 1, hasBody: false, error: null }])
})

test('a German email arrives with its umlauts and its link', async () => {
  const headers = { 'accept-language': 'de' }
  const payload = { email: EMAIL, password: PASSWORD }
  await authApp.app.inject({ method: 'POST', url: '/auth/v1/signup', payload, headers })
  await authApp.mailer.idle()
  const [head = '', body = ''] = received[0]?.text.split('\r\n\r\n') ?? []
  expect(head.replaceAll(/\?=\r\n =\?UTF-8\?Q\?/g, '')).toContain(
    'Subject: =?UTF-8?Q?Best=C3=A4tige_deine_Adresse_f=C3=BCr_deeb?=',
  )
  expect(head).toMatch(/^Content-Type: text\/plain; charset=utf-8$/m)
  const text = received[0]?.text.slice(head.length) ?? ''
  expect(body).not.toMatch(/[^\r\n -~]/)
  const read = decodeURIComponent(text.replaceAll('=\r\n', '').replaceAll('%', '%25').replaceAll('=', '%'))
  expect(read).toContain('jemand, hoffentlich du, hat mit dieser Adresse ein deeb-Konto erstellt.\r\nÖffne')
  expect(read).toMatch(/\r\n\r\nhttps:\/\/deeb\.example\/app\/confirm#token_hash=[\w-]{43}&type=signup\r\n/)
})

test('a sign-up succeeds while the mail server is busy, and the email is sent once on a retry', async () => {
  isBusy = true
  expect((await signUp()).error).toBeNull()
  await authApp.mailer.idle()
  expect(received).toEqual([])
  expect(await rows()).toMatchObject([
    { sent: false, attempts: 1, hasBody: true, error: expect.stringContaining('451') },
  ])
  expect(await listFailedEmails(authApp.auth.db)).toEqual([
    expect.stringMatching(/\tconfirm\tann@fjordlab\.example\t1 attempt, will be retried\t.*451/),
  ])

  isBusy = false
  authApp.mailer.kick()
  await authApp.mailer.idle()
  expect(received, 'not before 15 seconds have passed').toEqual([])
  authApp.clock.pass(16)
  authApp.mailer.kick()
  await authApp.mailer.idle()
  expect(received).toHaveLength(1)
  expect(await listFailedEmails(authApp.auth.db)).toEqual(['No email has failed.'])
  authApp.clock.pass(3600)
  authApp.mailer.kick()
  await authApp.mailer.idle()
  expect(received).toHaveLength(1)
})

describe('a mail server with a self-signed certificate', () => {
  async function exchange(): Promise<number> {
    const { port } = smtp.server.address() as AddressInfo
    await new Promise<void>((resolve) => smtp.close(resolve))
    smtp = await listenForMail(port, [])
    return port
  }

  test('gets the email if it is on this machine', async () => {
    await exchange()
    await signUp()
    await authApp.mailer.idle()
    expect(received).toMatchObject([{ to: [EMAIL] }])
  })

  test('gets no email if it is another machine', async () => {
    const elsewhere = createSmtp(`smtp://deeb:p%40ss@0.0.0.0:${await exchange()}`, 'deeb@deeb.example')
    await expect(elsewhere.verify()).rejects.toThrow(/certificate/)
    elsewhere.close()
  })
})

test('a mail server that never answers delays stop only briefly, and the email is retried', async () => {
  isStuck = true
  expect((await signUp()).error).toBeNull()
  const patience = new AbortController()
  const isLate = pause(8_000, true, { signal: patience.signal }).catch(() => false)
  await authApp.mailer.stop()
  patience.abort()
  expect([await isLate, await rows()]).toMatchObject([false, [{ sent: false, hasBody: true }]])
})

test('an unreachable mail server loses no email: it is sent on a retry', async () => {
  const { port } = smtp.server.address() as AddressInfo
  await new Promise<void>((resolve) => smtp.close(resolve))
  expect((await signUp()).error).toBeNull()
  await authApp.mailer.idle()
  expect(await rows()).toMatchObject([{ sent: false, hasBody: true }])
  expect(authApp.log.join('\n')).not.toContain('token_hash')

  smtp = await listenForMail(port)
  authApp.clock.pass(16)
  authApp.mailer.kick()
  await authApp.mailer.idle()
  expect(received).toMatchObject([{ to: [EMAIL] }])
})

test('an email that can be stopped is sent with the two headers of RFC 8058, each on one line', async () => {
  const url = `https://deeb.example/unsubscribe?token=${'x'.repeat(80)}`
  const insert = statement(
    'test.insert-stoppable',
    `insert into auth.outbox (id, kind, recipient, subject, body, unsubscribe_url, created_at, next_try_at)
    values (gen_random_uuid(), 'requests', :email, 'A request', 'Hello', :url, :now, :now)`,
  )
  await authApp.auth.db.query(insert, { email: EMAIL, url, now: authApp.clock.now() })
  authApp.mailer.kick()
  await authApp.mailer.idle()
  const lines = received[0]?.text.split('\r\n')
  expect(lines).toContain(`List-Unsubscribe: <${url}>`)
  expect(lines).toContain('List-Unsubscribe-Post: List-Unsubscribe=One-Click')
})
