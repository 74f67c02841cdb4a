import { expect, vi } from 'vitest'
import { readConfig } from '../config/config.ts'
import { createAuthClient } from '../testing/auth-client.ts'
import { PASSWORD } from '../testing/make.ts'
import { test as base } from '../testing/test.ts'
import { createMailer, deferRandomly } from './mailer.ts'

const test = base.extend('describeWith', ({ authApp }) => (env: NodeJS.ProcessEnv) => {
  const config = readConfig({ DATA_DIR: '/data', ...env })
  const deps = { config, db: authApp.auth.db, now: authApp.clock.now, log: () => undefined, defer: deferRandomly }
  return createMailer(deps).describe({ adminKey: 'KEY' })
})

test('describe prints the folder of the emails and the URL to read them', ({ describeWith }) => {
  expect(describeWith({ PORT: '4000' })).toBe(
    'Emails are written to /data/outbox\nRead them at http://localhost:4000/outbox#key=KEY',
  )
})

test('a reachable server without SMTP_URL prints a warning and reports it to its clients', async ({
  startAuthApp,
  describeWith,
}) => {
  expect(describeWith({ HOST: '0.0.0.0' })).toContain('sends no email, because SMTP_URL is not set')
  const open = await startAuthApp({ HOST: '0.0.0.0' })
  expect((await open.app.inject('/auth/v1/settings')).json()).toMatchObject({ mailer: 'outbox' })
})

test('the sender is at the host of PUBLIC_URL by default', () => {
  expect(readConfig({}).mailFrom).toBe('deeb <deeb@localhost>')
  expect(readConfig({ PUBLIC_URL: 'https://deeb.fjordlab.example' }).mailFrom).toBe('deeb <deeb@deeb.fjordlab.example>')
  const MAIL_FROM = 'hello@fjordlab.example'
  expect(readConfig({ PUBLIC_URL: 'https://deeb.fjordlab.example', MAIL_FROM }).mailFrom).toBe(MAIL_FROM)
})

test('describe prints the name of the mail server, never its password', ({ describeWith }) => {
  expect(describeWith({ SMTP_URL: 'smtps://deeb:secret@mail.fjordlab.example:465' })).toBe(
    'Emails are sent through mail.fjordlab.example',
  )
})

test.each(['smtp://', 'smtp:localhost:2525', 'mail.fjordlab.example', 'http://mail.fjordlab.example'])(
  'SMTP_URL=%s stops the start with an error message',
  (text) => expect(() => readConfig({ SMTP_URL: text })).toThrow(/^SMTP_URL must /),
)

test.each(['Bx/3k', '12/3k', '12?3k', '12#x', 'a#b?c'])(
  'the unescaped password "%s" stops the start with an error that says how to escape it',
  (password) => {
    const SMTP_URL = `smtp://deeb:${password}@mail.fjordlab.example:587`
    expect(() => readConfig({ SMTP_URL })).toThrow(/^SMTP_URL must have \/ as %2F, # as %23/)
    const written = `smtp://deeb:${encodeURIComponent(password)}@mail.fjordlab.example:587`
    expect(readConfig({ SMTP_URL: written }).smtpUrl).toBe(written)
  },
)

test('threat 83: emails are sent after a random delay of one to five seconds', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  try {
    const sentAfter = Array.from({ length: 200 }, () => {
      let isSent = false
      deferRandomly(() => {
        isSent = true
      })
      let seconds = 0
      for (; !isSent && seconds < 60; seconds++) vi.advanceTimersByTime(1000)
      return seconds
    })
    expect(Math.min(...sentAfter)).toBeGreaterThanOrEqual(1)
    expect(Math.max(...sentAfter)).toBe(5)
    expect(new Set(sentAfter).size).toBeGreaterThan(2)
  } finally {
    vi.useRealTimers()
  }
})

test('the log of an email does not contain its link', async ({ authApp }) => {
  await createAuthClient(authApp.app).signUp({ email: 'ann@fjordlab.example', password: PASSWORD })
  await authApp.mailer.idle()
  expect(authApp.log).toHaveLength(1)
  expect(authApp.log[0]).toMatch(
    /^Mail: wrote "Confirm your address for deeb" to ann@fjordlab\.example into .*-confirm\.eml$/,
  )
})
