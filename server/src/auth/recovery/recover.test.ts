import { describe, expect } from 'vitest'
import { statement } from '../../db/db.ts'
import { createAuthClient, mailsTo, newestLinkToken } from '../../testing/auth-client.ts'
import { makeUser, PASSWORD } from '../../testing/make.ts'
import { test as base } from '../../testing/test.ts'

const test = base.extend('service', ({ authApp }) => {
  const ban = (userId: string) =>
    authApp.auth.db.query(
      statement('test.ban', "update auth.users set banned_until = 'infinity' where id = :userId returning id"),
      { userId },
    )
  async function recover(email: string, headers: Record<string, string> = {}) {
    const answer = await authApp.app.inject({
      method: 'POST',
      url: '/auth/v1/recover?redirect_to=https://evil.example',
      remoteAddress: `10.0.0.${++callers}`,
      headers,
      payload: { email },
    })
    return [answer.statusCode, answer.json()]
  }
  async function linkFor(email: string): Promise<string> {
    expect(await recover(email)).toEqual([200, {}])
    return newestLinkToken(authApp, email, 'recovery')
  }
  const open = (token_hash: string, type: 'recovery' | 'email_change' = 'recovery') =>
    createAuthClient(authApp.app).verifyOtp({ type, token_hash })
  return { ban, recover, linkFor, open }
})

const NEXT_PASSWORD = 'eleven loud herons'

/** Sends each request from another address, so that the limit per caller does not apply. */
let callers = 0

test('auth-js requests the link, opens it, and sets a password without the old one', async ({ authApp }) => {
  const { email, userId } = await makeUser(authApp)
  const device = createAuthClient(authApp.app)
  const other = createAuthClient(authApp.app)
  await other.signInWithPassword({ email, password: PASSWORD })
  const events: string[] = []
  device.onAuthStateChange((event) => void events.push(event))
  expect((await device.resetPasswordForEmail(email)).error).toBeNull()
  const token_hash = await newestLinkToken(authApp, email, 'recovery')
  const { data, error } = await device.verifyOtp({ type: 'recovery', token_hash })
  expect(error).toBeNull()
  expect(data.user?.id).toBe(userId)
  expect(events).toContain('PASSWORD_RECOVERY')
  expect((await other.getUser()).error).toBeNull()
  expect((await device.updateUser({ password: NEXT_PASSWORD })).error).toBeNull()
  expect((await other.getUser()).error?.name).toBe('AuthSessionMissingError')
  expect((await device.getUser()).error).toBeNull()
  const again = createAuthClient(authApp.app)
  expect((await again.signInWithPassword({ email, password: PASSWORD })).error?.code).toBe('invalid_credentials')
  expect((await again.signInWithPassword({ email, password: NEXT_PASSWORD })).error).toBeNull()
})

describe('recover', () => {
  test('has the same response for an unknown address and sends no email', async ({ authApp, service }) => {
    const { email } = await makeUser(authApp)
    const unknown = 'nobody@fjordlab.example'
    expect(await service.recover(unknown)).toEqual(await service.recover(email))
    expect(await mailsTo(authApp, unknown)).toEqual([])
    expect(await mailsTo(authApp, email)).toHaveLength(1)
    const work = async (address: string) => {
      await authApp.mailer.idle()
      const before = authApp.statements.length
      await service.recover(address)
      return authApp.statements.slice(before).filter((name) => name.startsWith('auth.'))
    }
    expect(await work(unknown)).toEqual(await work(email))
  })

  test('silently limits emails to three per half hour and recipient, and the last link stays valid', async ({
    authApp,
    service,
  }) => {
    const { email } = await makeUser(authApp)
    for (let time = 0; time < 10; time++) expect(await service.recover(email)).toEqual([200, {}])
    expect(await mailsTo(authApp, email)).toHaveLength(3)
    expect((await service.open(await newestLinkToken(authApp, email, 'recovery'))).error).toBeNull()
  })

  test('links to PUBLIC_URL regardless of host headers', async ({ authApp, service }) => {
    const { email } = await makeUser(authApp)
    await service.recover(email, {
      host: 'evil.example',
      'x-forwarded-host': 'evil.example',
      forwarded: 'host=evil.example',
    })
    const [mail] = await mailsTo(authApp, email)
    expect(mail).toContain('http://localhost:3000/app/reset-password#token_hash=')
    expect(mail).not.toContain('evil')
  })

  test('rejects an invalid address', async ({ service }) => {
    for (const email of ['', 'ann', 'ann@fjordlab.example\r\nBcc: eve@evil.example']) {
      expect(await service.recover(email)).toEqual([400, expect.objectContaining({ code: 'validation_failed' })])
    }
  })

  test('is limited per IP address', async ({ authApp }) => {
    const { email } = await makeUser(authApp)
    const device = createAuthClient(authApp.app)
    let code: string | undefined
    for (let time = 0; time < 11; time++) code = (await device.resetPasswordForEmail(email)).error?.code
    expect(code).toBe('over_email_send_rate_limit')
    authApp.clock.pass(3600)
  })
})

test('threat 83: recovery does the same work for known and unknown addresses until a random time', async ({
  startAuthApp,
}) => {
  const deferred: (() => void)[] = []
  const slow = await startAuthApp({}, (send) => void deferred.push(send))
  const { email } = await makeUser(slow)
  const recoverSlowly = async (address: string) =>
    (await createAuthClient(slow.app).resetPasswordForEmail(address)).error
  for (const address of [email, 'nobody@fjordlab.example']) {
    expect(await recoverSlowly(address)).toBeNull()
    expect(await mailsTo(slow, email)).toEqual([])
  }
  expect(deferred).toHaveLength(1)
  deferred[0]?.()
  expect(await mailsTo(slow, email)).toHaveLength(1)
  await recoverSlowly('nobody@fjordlab.example')
  expect(deferred).toHaveLength(2)
})

describe('threat 15: a dump of the database', () => {
  test('contains no usable link after the email is sent', async ({ authApp, service }) => {
    const { email, userId } = await makeUser(authApp)
    const token = await service.linkFor(email)
    const dump = await authApp.auth.db.query<{ row: string }>(
      statement(
        'test.dump-links',
        `select one_time_tokens::text as row from auth.one_time_tokens where user_id = :userId
        union all select outbox::text from auth.outbox where recipient = :email
        union all select audit_log::text from auth.audit_log where user_id = :userId`,
      ),
      { userId, email },
    )
    const text = JSON.stringify(dump)
    const hash = /\\\\x([0-9a-f]{64})/.exec(text)?.[1] ?? ''
    expect(hash).toHaveLength(64)
    for (const spelling of [
      token,
      Buffer.from(token).toString('hex'),
      Buffer.from(token, 'base64url').toString('hex'),
    ]) {
      expect(text).not.toContain(spelling)
    }
    for (const guess of [hash, Buffer.from(hash, 'hex').toString('base64url')]) {
      expect((await service.open(guess)).error?.code).toBe('otp_expired')
    }
    expect(authApp.log.join('\n')).not.toContain(token)
    expect((await service.open(token)).error).toBeNull()
  })
})

describe('threat 16: a recovery link', () => {
  test('works once, also when opened eight times concurrently', async ({ authApp, service }) => {
    const token = await service.linkFor((await makeUser(authApp)).email)
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => service.open(token)))
    expect(outcomes.filter(({ error }) => !error)).toHaveLength(1)
    expect((await service.open(token)).error?.code).toBe('otp_expired')
  })

  test('is invalidated when a newer one is emailed', async ({ authApp, service }) => {
    const { email } = await makeUser(authApp)
    const older = await service.linkFor(email)
    const newer = await service.linkFor(email)
    expect((await service.open(older)).error?.code).toBe('otp_expired')
    expect((await service.open(newer)).error).toBeNull()
  })

  test('expires after 30 minutes', async ({ authApp, service }) => {
    const { email } = await makeUser(authApp)
    const good = await service.linkFor(email)
    authApp.clock.pass(29 * 60)
    expect((await service.open(good)).error).toBeNull()
    const late = await service.linkFor(email)
    authApp.clock.pass(31 * 60)
    expect((await service.open(late)).error?.code).toBe('otp_expired')
  })

  test('is invalidated when the password or the address changes', async ({ authApp, service }) => {
    const { email } = await makeUser(authApp)
    const device = createAuthClient(authApp.app)
    await device.signInWithPassword({ email, password: PASSWORD })
    const token = await service.linkFor(email)
    await device.updateUser({ password: NEXT_PASSWORD, current_password: PASSWORD })
    expect((await service.open(token)).error?.code).toBe('otp_expired')
    const another = await service.linkFor(email)
    const next = `next.${email}`
    await device.updateUser({ email: next, current_password: NEXT_PASSWORD })
    const change = await newestLinkToken(authApp, next, 'email_change')
    expect((await device.verifyOtp({ type: 'email_change', token_hash: change })).error).toBeNull()
    expect((await service.open(another)).error?.code).toBe('otp_expired')
  })

  test('does not work after the account moved to another address', async ({ authApp, service }) => {
    const { email, userId } = await makeUser(authApp)
    const token = await service.linkFor(email)
    const move = statement('test.move', 'update auth.users set email = :email where id = :userId returning id')
    await authApp.auth.db.query(move, { userId, email: `moved.${email}` })
    expect((await service.open(token)).error?.code).toBe('otp_expired')
  })

  test('does not work as another type, and an invalid token counts as expired', async ({ authApp, service }) => {
    const token = await service.linkFor((await makeUser(authApp)).email)
    expect((await service.open(token, 'email_change')).error?.code).toBe('otp_expired')
    for (const guess of ['', 'x', `${token}A`, token.toLowerCase()]) {
      expect((await service.open(guess)).error?.code).toBe('otp_expired')
    }
    expect((await service.open(token)).error).toBeNull()
  })

  test('does not sign in to a blocked account', async ({ authApp, service }) => {
    const { email, userId } = await makeUser(authApp)
    const token = await service.linkFor(email)
    await service.ban(userId)
    const { error } = await service.open(token)
    expect([error?.status, error?.code]).toEqual([403, 'user_banned'])
  })
})

test('verify rejects an unknown type or token', async ({ authApp }) => {
  const bodies = [{}, { type: 'sms', token_hash: 'x' }, { type: 'recovery' }, { type: 'recovery', token: '123456' }]
  for (const payload of bodies) {
    const answer = await authApp.app.inject({ method: 'POST', url: '/auth/v1/verify', payload })
    expect([answer.statusCode, answer.json().code]).toEqual([400, 'validation_failed'])
  }
})
