import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as pause } from 'node:timers/promises'
import { SMTPServer } from 'smtp-server'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { listFailedMails } from '../admin/mails.ts'
import { statement } from '../db/db.ts'
import { type AuthApp, openAuthApp } from '../testing/auth-app.ts'
import { createAuthClient } from '../testing/auth-client.ts'
import { PASSWORD } from '../testing/make.ts'
import { createSmtp } from './smtp.ts'

const EMAIL = 'ann@fjordlab.example'

let smtp: SMTPServer
let received: { from: string; to: string[]; text: string }[]
/** While true, the mail server turns every mail away for now. */
let isBusy: boolean
/** While true, it takes mail and does not say a word any more. */
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

/** With STARTTLS it shows a certificate that nobody vouches for. */
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

test('a sign-up sends its link through the mail server, and forgets the link afterwards', async () => {
  await signUp()
  await authApp.mailer.idle()
  expect(received).toMatchObject([{ from: 'hello@deeb.example', to: [EMAIL] }])
  const [mail] = received
  expect(mail?.text).toMatch(/^Subject: Confirm your address for deeb\r$/m)
  // Quoted-printable: "=" is "=3D", and a long line is folded with "=" at its end.
  expect(mail?.text.replaceAll('=\r\n', '').replaceAll('=3D', '=')).toMatch(
    /https:\/\/deeb\.example\/app\/confirm#token_hash=[\w-]{43}&type=signup/,
  )
  expect(await rows()).toEqual([{ sent: true, attempts: 1, hasBody: false, error: null }])
})

test('while the mail server is busy the sign-up succeeds, and the mail goes out on a later try, once', async () => {
  isBusy = true
  expect((await signUp()).error).toBeNull()
  await authApp.mailer.idle()
  expect(received).toEqual([])
  expect(await rows()).toMatchObject([
    { sent: false, attempts: 1, hasBody: true, error: expect.stringContaining('451') },
  ])
  expect(await listFailedMails(authApp.auth.db)).toEqual([
    expect.stringMatching(/\tconfirm\tann@fjordlab\.example\t1 try, will be tried again\t.*451/),
  ])

  isBusy = false
  authApp.mailer.kick()
  await authApp.mailer.idle()
  expect(received, 'not before 15 seconds have passed').toEqual([])
  authApp.clock.pass(16)
  authApp.mailer.kick()
  await authApp.mailer.idle()
  expect(received).toHaveLength(1)
  expect(await listFailedMails(authApp.auth.db)).toEqual(['No mail has failed.'])
  authApp.clock.pass(3600)
  authApp.mailer.kick()
  await authApp.mailer.idle()
  expect(received).toHaveLength(1)
})

describe('a mail server whose certificate nobody vouches for', () => {
  async function exchange(): Promise<number> {
    const { port } = smtp.server.address() as AddressInfo
    await new Promise<void>((resolve) => smtp.close(resolve))
    smtp = await listenForMail(port, [])
    return port
  }

  test('is given the mail where it is on this machine', async () => {
    await exchange()
    await signUp()
    await authApp.mailer.idle()
    expect(received).toMatchObject([{ to: [EMAIL] }])
  })

  test('is given none where it may be another', async () => {
    const elsewhere = createSmtp(`smtp://deeb:p%40ss@0.0.0.0:${await exchange()}`, 'deeb@deeb.example')
    await expect(elsewhere.verify()).rejects.toThrow(/certificate/)
    elsewhere.close()
  })
})

test('a mail server that says nothing more keeps ours from stopping for a moment, and the mail for later', async () => {
  isStuck = true
  expect((await signUp()).error).toBeNull()
  const patience = new AbortController()
  const isLate = pause(8_000, true, { signal: patience.signal }).catch(() => false)
  await authApp.mailer.stop()
  patience.abort()
  expect([await isLate, await rows()]).toMatchObject([false, [{ sent: false, hasBody: true }]])
})

test('a mail server that is gone loses nothing: the mail goes out once it is back', async () => {
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
