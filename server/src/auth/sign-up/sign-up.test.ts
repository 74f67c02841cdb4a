import { describe, expect, vi } from 'vitest'
import { statement } from '../../db/db.ts'
import { confirmation, createAuthClient, mailsTo, newestLinkToken, newestMail } from '../../testing/auth-client.ts'
import { makeUser, PASSWORD } from '../../testing/make.ts'
import { test as base } from '../../testing/test.ts'
import { REAL_COST } from '../../testing/test-config.ts'

const test = base.extend('settings', { scope: 'file' }, REAL_COST).extend('service', ({ authApp }) => {
  const client = (remoteAddress?: string) => createAuthClient(authApp.app, undefined, remoteAddress)
  const signUp = (email: string, password = PASSWORD, remoteAddress?: string) =>
    client(remoteAddress).signUp({ email, password })
  const resend = (email: string, remoteAddress?: string) => client(remoteAddress).resend({ type: 'signup', email })
  const pendingOf = (email: string) =>
    authApp.auth.db.query(
      statement(
        'test.pending',
        "select password_hash, encode(token_hash, 'hex') as token from auth.pending_signups where email = :email",
      ),
      { email },
    )
  const usersAt = (email: string) =>
    authApp.auth.db.query(statement('test.users', 'select id from auth.users where email = :email'), { email })
  const auditOf = (userId: string | undefined) =>
    authApp.auth.db.query(
      statement('test.audit', 'select action, ip, detail from auth.audit_log where user_id = :userId order by id'),
      { userId },
    )
  return { client, signUp, resend, pendingOf, usersAt, auditOf }
})

describe('a sign-up', () => {
  test('threat 1: returns a user without an auth session, creates no account, and emails a link', async ({
    authApp,
    service,
  }) => {
    const email = 'ann.meyer@fjordlab.example'
    const { data, error } = await service
      .client()
      .signUp({ email, password: PASSWORD, options: { data: { theme: 'dark' } } })
    expect(error).toBeNull()
    expect(data.session).toBeNull()
    expect(data.user).toMatchObject({ email, identities: [], user_metadata: { theme: 'dark' }, aud: 'authenticated' })
    expect(data.user).toHaveProperty('confirmation_sent_at')
    expect(data.user).not.toHaveProperty('email_confirmed_at')
    expect(await service.usersAt(email)).toEqual([])
    expect(await service.auditOf(data.user?.id)).toEqual([{ action: 'signup_requested', ip: '127.0.0.1', detail: {} }])

    const mail = await newestMail(authApp, email)
    expect(mail).toContain('Subject: Confirm your address for deeb')
    expect(mail).toMatch(/^http:\/\/localhost:3000\/app\/confirm#token_hash=[\w-]{43}&type=signup\r$/m)
  })

  test('stores neither the password nor the token of the link', async ({ authApp, service }) => {
    const email = 'secret@fjordlab.example'
    await service.signUp(email)
    const token = await newestLinkToken(authApp, email)
    const [row] = await service.pendingOf(email)
    expect(row).toMatchObject({ password_hash: expect.stringMatching(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/) })
    const outbox = await authApp.auth.db.query(
      statement('test.outbox', 'select body, sent_at is not null as sent from auth.outbox where recipient = :email'),
      { email },
    )
    expect(outbox).toEqual([{ body: '', sent: true }])
    expect(JSON.stringify(row)).not.toContain(token)
  })

  test('normalizes case and spaces of the address', async ({ authApp, service }) => {
    const { data } = await service.signUp('  Bea@FjordLab.Example ')
    expect(data.user?.email).toBe('bea@fjordlab.example')
    expect(await newestMail(authApp, 'bea@fjordlab.example')).not.toBeNull()
  })

  test('ignores a redirect target from the request', async ({ authApp }) => {
    const email = 'redirected@fjordlab.example'
    await authApp.app.inject({
      method: 'POST',
      url: '/auth/v1/signup?redirect_to=https://evil.example',
      headers: { host: 'evil.example', 'x-forwarded-host': 'evil.example' },
      payload: { email, password: PASSWORD },
    })
    const mail = await newestMail(authApp, email)
    expect(mail).toContain('http://localhost:3000/app/confirm#')
    expect(mail).not.toContain('evil')
  })
})

describe('a sign-up with an address that has an account', () => {
  test('has the same members in its response and emails a notice', async ({ authApp, service }) => {
    const { email } = await makeUser(authApp, { email: 'known@fjordlab.example' })
    const unknown = await service.signUp('unknown@fjordlab.example')
    const known = await service.signUp(email, 'some other password')
    expect(known.error).toBeNull()
    const shape = (user: object | null) => Object.entries(user ?? {}).map(([key, value]) => [key, typeof value])
    expect(shape(known.data.user)).toEqual(shape(unknown.data.user))
    expect({ ...known.data.user, ...unknown.data.user }).toEqual(unknown.data.user)
    expect(known.data.user?.id).not.toBe((await service.usersAt(email))[0])

    const mail = await newestMail(authApp, email)
    expect(mail).toContain('Subject: You already have a deeb account')
    expect(mail).not.toContain('token_hash')
  })

  test('has the same cost: one hash and the same statements', async ({ authApp, service }) => {
    const { email } = await makeUser(authApp)
    const cost = async (address: string) => {
      const hash = vi.spyOn(authApp.auth.passwords, 'hash')
      authApp.statements.length = 0
      await service.signUp(address)
      const hashes = hash.mock.calls.length
      hash.mockRestore()
      return [hashes, [...authApp.statements]]
    }
    const asked = [1, ['auth.provider-of-domain', 'auth.lock-address', 'auth.sign-up-invite', 'auth.sign-up']]
    expect(await cost(email)).toEqual(asked)
    expect(await cost('nobody-yet@fjordlab.example')).toEqual(asked)
  })

  test('changes neither the account nor its password nor its auth sessions', async ({ authApp, service }) => {
    const { email, accessToken } = await makeUser(authApp)
    await service.signUp(email, 'some other password')
    expect((await service.client().getUser(accessToken)).data.user?.email).toBe(email)
    expect((await service.client().signInWithPassword({ email, password: 'some other password' })).error?.code).toBe(
      'email_not_confirmed',
    )
    expect((await service.client().signInWithPassword({ email, password: PASSWORD })).error).toBeNull()
    const [{ id } = { id: '' }] = (await service.usersAt(email)) as { id: string }[]
    expect(await service.auditOf(id)).toContainEqual({ action: 'signup_repeated', ip: '127.0.0.1', detail: {} })
  })
})

describe('many sign-ups with one address', () => {
  test('from one network replace each other and send three emails an hour', async ({ authApp, service }) => {
    const email = 'crowd@fjordlab.example'
    for (const n of [1, 2, 3, 4, 5, 6, 7]) await service.signUp(email, `password number ${n}`)
    expect(await service.pendingOf(email)).toHaveLength(1)
    expect(await mailsTo(authApp, email)).toHaveLength(3)
    const newest = await service.client().signInWithPassword({ email, password: 'password number 7' })
    expect(newest.error?.code).toBe('email_not_confirmed')
  })

  test('from one network keep the last emailed link, with the newest password', async ({ authApp, service }) => {
    const email = 'forgetful@fjordlab.example'
    for (const n of [1, 2, 3, 4]) await service.signUp(email, `password number ${n}`)
    const last = await newestLinkToken(authApp, email)
    expect((await service.client().verifyOtp(confirmation(last, 'password number 3'))).error?.code).toBe(
      'invalid_credentials',
    )
    expect((await service.client().verifyOtp(confirmation(last, 'password number 4'))).error).toBeNull()
  })

  test('respect both limits when they are concurrent', async ({ authApp, service }) => {
    const email = 'stampede@fjordlab.example'
    await Promise.all(Array.from({ length: 12 }, () => service.signUp(email)))
    expect(await service.pendingOf(email)).toHaveLength(1)
    expect(await mailsTo(authApp, email)).toHaveLength(3)
  })

  test('threat 12: from many networks send ten emails an hour', async ({ authApp, service }) => {
    const email = 'bombed@fjordlab.example'
    await Promise.all(Array.from({ length: 40 }, (_, n) => service.signUp(email, PASSWORD, `10.12.0.${n % 20}`)))
    expect(await mailsTo(authApp, email)).toHaveLength(10)
  })

  test('send emails again after an hour', async ({ authApp, service }) => {
    const email = 'patient@fjordlab.example'
    for (const _ of [1, 2, 3, 4]) await service.signUp(email)
    authApp.clock.pass(3601)
    await service.signUp(email)
    expect(await mailsTo(authApp, email)).toHaveLength(4)
  })
})

describe('threat 81: a sign-up next to sign-ups of strangers with the same address', () => {
  const MINE = 'the password of the owner'
  const OWNER = '198.51.100.1'

  test('threat 81: is not replaced, and gets its email after strangers have used their share', async ({
    authApp,
    service,
  }) => {
    const email = 'wanted@fjordlab.example'
    for (let n = 1; n <= 20; n++) await service.signUp(email, `stranger number ${n}`, `10.81.0.${n % 4}`)
    expect((await mailsTo(authApp, email)).length).toBeLessThan(10)
    await service.signUp(email, MINE, OWNER)
    const mine = await newestLinkToken(authApp, email)
    for (let n = 1; n <= 20; n++) await service.signUp(email, `stranger number ${n}`, `10.81.1.${n}`)
    expect((await service.client().verifyOtp(confirmation(mine, MINE))).error).toBeNull()
  })

  test('threat 81: is preferred by resend and sign-in on its own network', async ({ authApp, service }) => {
    const email = 'meant@fjordlab.example'
    await service.signUp(email, MINE, OWNER)
    await service.signUp(email, 'the password of somebody else', '10.81.2.1')
    const { error } = await service.client(OWNER).signInWithPassword({ email, password: MINE })
    expect(error?.code).toBe('email_not_confirmed')
    await service.resend(email, OWNER)
    const mine = await newestLinkToken(authApp, email)
    expect((await service.client().verifyOtp(confirmation(mine, MINE))).error).toBeNull()
  })

  test('threat 81: is accepted after sign-ups from a whole IPv6 /48, which counts as one caller', async ({
    authApp,
    service,
  }) => {
    const email = 'sixty.five.thousand@fjordlab.example'
    for (let n = 1; n <= 8; n++) await service.signUp(email, `stranger number ${n}`, `2001:db8:81:${n}::1`)
    expect(await service.pendingOf(email)).toHaveLength(1)
    await service.signUp(email, MINE, OWNER)
    const mine = await newestLinkToken(authApp, email)
    expect((await service.client().verifyOtp(confirmation(mine, MINE))).error).toBeNull()
  })

  test('threat 81: stays when 100 networks sign up with its address; the next one is silently rejected', async ({
    authApp,
    service,
  }) => {
    const email = 'besieged@fjordlab.example'
    await service.signUp(email, MINE, OWNER)
    const mine = await newestLinkToken(authApp, email)
    const fill = statement(
      'test.fill-pending',
      `insert into auth.pending_signups (id, email, caller_network, password_hash, token_hash, created_at, expires_at)
      select gen_random_uuid(), email, '10.99.0.' || n, password_hash, decode(md5(email || n), 'hex'), created_at, expires_at
      from auth.pending_signups, generate_series(1, 99) as n where email = :email`,
    )
    await authApp.auth.db.query(fill, { email })
    const late = await service.signUp(email, 'one too many', '10.81.3.1')
    expect([late.error, late.data.user?.email]).toEqual([null, email])
    expect(await service.pendingOf(email)).toHaveLength(100)
    const { error } = await service.client('10.81.3.1').signInWithPassword({ email, password: 'one too many' })
    expect(error?.code).toBe('invalid_credentials')
    expect((await service.client().verifyOtp(confirmation(mine, MINE))).error).toBeNull()
  })

  test('threat 81: is accepted again when the links of others have expired', async ({ authApp, service }) => {
    const email = 'outlasted@fjordlab.example'
    const fill = statement(
      'test.fill-expired',
      `insert into auth.pending_signups (id, email, caller_network, password_hash, token_hash, created_at, expires_at)
      select gen_random_uuid(), :email, '10.99.0.' || n, '', decode(md5(:email || n), 'hex'), :now, :now
      from generate_series(1, 100) as n`,
    )
    await authApp.auth.db.query(fill, { email, now: authApp.clock.now() })
    await service.signUp(email, MINE, OWNER)
    const mine = await newestLinkToken(authApp, email)
    expect((await service.client().verifyOtp(confirmation(mine, MINE))).error).toBeNull()
  })
})

describe('a sign-up is rejected', () => {
  test.for(['ann', 'ann@', 'ann@localhost', 'ann@b@c.example', '"ann"@b.example', 'ann@b.example\r\nBcc: x@y.example'])(
    'with the invalid address %j',
    async (email, { service }) => {
      const { error } = await service.signUp(email)
      expect([error?.status, error?.code]).toEqual([400, 'validation_failed'])
    },
  )

  test('without an address', async ({ service }) => {
    for (const answer of [await service.client().signInAnonymously(), await service.signUp('')]) {
      expect([answer.error?.status, answer.error?.code]).toEqual([422, 'anonymous_provider_disabled'])
    }
  })

  test('with a password under 8 characters, regardless of its bytes', async ({ service }) => {
    for (const password of ['1234567', '🦦🦦🦦🦦🦦🦦🦦', 'e\u0301'.repeat(7)]) {
      const { error } = await service.signUp('short@fjordlab.example', password)
      expect(error).toMatchObject({ status: 422, code: 'weak_password', reasons: ['length'] })
      expect(error?.message).toBe('Use at least 8 characters for the password.')
    }
    expect(await service.pendingOf('short@fjordlab.example')).toEqual([])
  })

  test('with no password, or one over 128 characters', async ({ service }) => {
    for (const password of ['', 'x'.repeat(129)]) {
      const { error } = await service.signUp('long@fjordlab.example', password)
      expect([error?.status, error?.code]).toEqual([400, 'validation_failed'])
    }
    expect((await service.signUp('longest@fjordlab.example', `seven ${'🦦'.repeat(122)}`)).error).toBeNull()
  })

  test('with metadata that is not an object, too large, or not storable', async ({ authApp, service }) => {
    for (const data of [[1], 'x', 7, { note: 'x'.repeat(5000) }, { note: '\u0000' }, { '\ud800': 1 }]) {
      const payload = { email: 'data@fjordlab.example', password: PASSWORD, data }
      const answer = await authApp.app.inject({ method: 'POST', url: '/auth/v1/signup', payload })
      expect([answer.statusCode, answer.json().code]).toEqual([400, 'validation_failed'])
    }
    const { error, data } = await service.client().signUp({
      email: 'data@fjordlab.example',
      password: PASSWORD,
      options: { data: { path: 'C:\\u0000', nested: JSON.parse('['.repeat(500) + ']'.repeat(500)) } },
    })
    expect([error, data.user?.user_metadata.path]).toEqual([null, 'C:\\u0000'])
  })
})

describe('resend', () => {
  test('sends a new link that works, also after the first has expired', async ({ authApp, service }) => {
    const email = 'again@fjordlab.example'
    await service.signUp(email)
    const first = await newestLinkToken(authApp, email)
    authApp.clock.pass(25 * 3600)
    expect((await service.client().verifyOtp(confirmation(first, PASSWORD))).error?.code).toBe('otp_expired')
    expect((await service.resend(email)).error).toBeNull()
    const second = await newestLinkToken(authApp, email)
    expect((await service.client().verifyOtp(confirmation(second, PASSWORD))).data.session).not.toBeNull()
  })

  test('keeps the last link valid above the email limit', async ({ authApp, service }) => {
    const email = 'impatient@fjordlab.example'
    await service.signUp(email)
    for (const _ of [1, 2, 3]) expect((await service.resend(email)).error).toBeNull()
    expect(await mailsTo(authApp, email)).toHaveLength(3)
    const last = await newestLinkToken(authApp, email)
    expect((await service.client().verifyOtp(confirmation(last, PASSWORD))).error).toBeNull()
  })

  test('has the same response for unknown addresses and for accounts, whose owner gets a notice', async ({
    authApp,
  }) => {
    const { email } = await makeUser(authApp)
    for (const address of [email, 'stranger@fjordlab.example']) {
      const answer = await authApp.app.inject({
        method: 'POST',
        url: '/auth/v1/resend',
        payload: { type: 'signup', email: address },
      })
      expect([answer.statusCode, answer.json()]).toEqual([200, {}])
    }
    expect(await newestMail(authApp, email)).toContain('You already have a deeb account')
    expect(await newestMail(authApp, 'stranger@fjordlab.example')).toBeNull()
  })

  test('rejects another type and an invalid address', async ({ authApp }) => {
    for (const payload of [{ type: 'sms', email: 'a@fjordlab.example' }, { type: 'signup', email: 'a' }, {}]) {
      const answer = await authApp.app.inject({ method: 'POST', url: '/auth/v1/resend', payload })
      expect([answer.statusCode, answer.json().code]).toEqual([400, 'validation_failed'])
    }
  })
})
