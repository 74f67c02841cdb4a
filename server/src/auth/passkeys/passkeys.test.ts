import { decodeJwt } from 'jose'
import { describe, expect } from 'vitest'
import { statement } from '../../db/db.ts'
import { createAuthClient, createBrowser, mailsTo } from '../../testing/auth-client.ts'
import { addPasskey, createAuthenticator, signInByPasskey } from '../../testing/authenticator.ts'
import { levelOf, makePerson, makeProtectedPerson, signIn, whoami } from '../../testing/factors.ts'
import { makeUser, PASSWORD } from '../../testing/make.ts'
import { test as base } from '../../testing/test.ts'
import { relyingPartyOf } from './relying-party.ts'

const test = base.extend(
  'newDevice',
  ({ authApp }) =>
    () =>
      createAuthClient(authApp.app),
)

// Each test starts with fresh limits.
test.beforeEach(({ authApp }) => authApp.clock.pass(3600))

const codeOf = ({ error }: { error: unknown }) => {
  if (!error) return null
  const { status, code } = error as { status?: number; code?: string }
  return [status, code]
}

const audited = statement(
  'test.passkey-audit',
  `select action, detail->>'passkey' as passkey, detail->>'method' as method from auth.audit_log
  where user_id = :userId and action <> 'logout' order by id`,
)

describe('a passkey', () => {
  test('is added with auth-js, notifies the owner, and signs in with two factors', async ({ authApp }) => {
    const { email, userId, device } = await makePerson(authApp)
    const { data: begun } = await device.passkey.startRegistration()
    expect(begun).toEqual({
      challenge_id: expect.stringMatching(/^[\w-]{92}$/),
      expires_at: Math.floor(authApp.clock.now().getTime() / 1000) + 300,
      options: {
        rp: { name: 'deeb', id: 'localhost' },
        user: {
          id: Buffer.from(userId.replaceAll('-', ''), 'hex').toString('base64url'),
          name: email,
          displayName: email,
        },
        challenge: expect.stringMatching(/^[\w-]{43}$/),
        pubKeyCredParams: [-7, -257, -8].map((alg) => ({ type: 'public-key', alg })),
        timeout: 300_000,
        attestation: 'none',
        excludeCredentials: [],
        authenticatorSelection: { residentKey: 'required', requireResidentKey: true, userVerification: 'required' },
      },
    })
    const { id, authenticator } = await addPasskey(device)
    expect((await mailsTo(authApp, email)).at(-1)).toContain('Subject: A passkey was added to your deeb account')
    // It changes nothing for the password.
    expect(await whoami(authApp, await signIn(authApp, email))).toEqual([200, undefined])

    const browser = createBrowser()
    const tab = createAuthClient(authApp.app, browser)
    const events: string[] = []
    tab.onAuthStateChange((event) => void events.push(event))
    const { data, error } = await signInByPasskey(tab, authenticator)
    expect([error, data?.user?.email]).toEqual([null, email])
    expect(events).toContain('SIGNED_IN')
    expect(await levelOf(tab)).toBe('aal2')
    expect(decodeJwt(data?.session?.access_token ?? '')).toMatchObject({ aal: 'aal2', amr: [{ method: 'passkey' }] })
    expect(browser.given).toHaveLength(1)
    expect(await whoami(authApp, tab, { cookie: browser.cookie })).toEqual([200, undefined])
    expect(await whoami(authApp, tab)).toEqual([401, 'not_signed_in'])
    expect((await tab.refreshSession()).error).toBeNull()
    expect(await authApp.auth.db.query(audited, { userId })).toMatchObject([
      ...[
        { action: 'login', method: 'password' },
        { action: 'login', method: 'password' },
      ],
      { action: 'passkey_added', passkey: id },
      ...[
        { action: 'login', method: 'password' },
        { action: 'login', method: 'passkey' },
      ],
    ])
  })

  test('is listed, renamed and removed', async ({ authApp, newDevice }) => {
    const { email, device } = await makePerson(authApp)
    const { id, authenticator } = await addPasskey(device)
    const second = await addPasskey(device)
    const created_at = expect.any(String)
    expect((await device.passkey.list()).data).toEqual([
      { id, friendly_name: 'Passkey 1', created_at },
      { id: second.id, friendly_name: 'Passkey 2', created_at },
    ])
    await signInByPasskey(newDevice(), authenticator)
    const renamed = await device.passkey.update({ passkeyId: id, friendlyName: ' Blue key ' })
    expect(renamed.data).toEqual({ id, friendly_name: 'Blue key', created_at, last_used_at: expect.any(String) })
    for (const friendlyName of ['', '  ', 'a\u200bb', 'a\u2028b', 'x'.repeat(121)]) {
      const { error } = await device.passkey.update({ passkeyId: id, friendlyName })
      expect([error?.status, error?.code]).toEqual([400, 'validation_failed'])
    }
    const { data: begun } = await device.passkey.startRegistration()
    expect(begun?.options.excludeCredentials).toHaveLength(2)
    expect(begun?.options.excludeCredentials?.[0]).toMatchObject({ type: 'public-key', transports: ['internal'] })
    expect((await device.passkey.delete({ passkeyId: id })).error).toBeNull()
    expect((await mailsTo(authApp, email)).at(-1)).toContain('Subject: A passkey of your deeb account was removed')
    expect(codeOf(await device.passkey.delete({ passkeyId: id }))).toEqual([404, 'webauthn_credential_not_found'])
    expect(codeOf(await signInByPasskey(newDevice(), authenticator))).toEqual([400, 'webauthn_verification_failed'])
    await addPasskey(device)
    expect((await device.passkey.list()).data?.map(({ friendly_name }) => friendly_name)).toEqual([
      'Passkey 2',
      'Passkey 1',
    ])
  })

  test('is registered once, and an account has at most ten', async ({ authApp }) => {
    const { device } = await makePerson(authApp)
    const authenticator = createAuthenticator()
    await addPasskey(device, authenticator)
    const { data: begun } = await device.passkey.startRegistration()
    const { data: again } = await device.passkey.startRegistration()
    const credential = authenticator.create(begun?.options ?? {})
    const verify = (challengeId = '', credential: object = {}) =>
      device.passkey.verifyRegistration({ challengeId, credential: credential as never })
    expect((await verify(begun?.challenge_id, credential)).error).toBeNull()
    expect(codeOf(await verify(begun?.challenge_id, credential))).toEqual([400, 'webauthn_challenge_not_found'])
    expect(codeOf(await verify(again?.challenge_id, credential))).toEqual([400, 'webauthn_verification_failed'])
    expect(codeOf(await verify(again?.challenge_id, {}))).toEqual([400, 'validation_failed'])
    const copy = authenticator.create(again?.options ?? {}, { keepsKey: true })
    expect(codeOf(await verify(again?.challenge_id, copy))).toEqual([422, 'webauthn_credential_exists'])
    for (let n = 2; n < 10; n++) await addPasskey(device)
    expect(codeOf(await device.passkey.startRegistration())).toEqual([422, 'too_many_passkeys'])
    expect(codeOf(await verify(again?.challenge_id, authenticator.create(again?.options ?? {})))).toEqual([
      422,
      'too_many_passkeys',
    ])
  })

  test('of an account with a second factor asks for no code', async ({ authApp, newDevice }) => {
    const { device } = await makeProtectedPerson(authApp)
    const { authenticator } = await addPasskey(device)
    const other = newDevice()
    await signInByPasskey(other, authenticator)
    expect(await whoami(authApp, other)).toEqual([200, undefined])
  })

  test('makes the network familiar and is a re-authentication', async ({ authApp }) => {
    const { userId, device } = await makePerson(authApp)
    const { authenticator } = await addPasskey(device)
    authApp.clock.pass(15 * 60)
    const other = createAuthClient(authApp.app, undefined, '203.0.113.7')
    await signInByPasskey(other, authenticator)
    const read = statement(
      'test.familiar',
      'select ip_key as network from auth.known_addresses where user_id = :userId',
    )
    expect(await authApp.auth.db.query(read, { userId })).toContainEqual({ network: '203.0.113.7' })
    expect((await other.passkey.startRegistration()).error).toBeNull()
    expect(codeOf(await device.passkey.startRegistration())).toEqual([400, 'reauthentication_needed'])
  })

  test('of a blocked account is refused', async ({ authApp, newDevice }) => {
    const { userId, device } = await makePerson(authApp)
    const { authenticator } = await addPasskey(device)
    const block = statement('test.block', "update auth.users set banned_until = 'infinity' where id = :userId")
    await authApp.auth.db.query(block, { userId })
    expect(codeOf(await signInByPasskey(newDevice(), authenticator))).toEqual([403, 'user_banned'])
  })

  test('is ignored by the browser of another user (session fixation)', async ({ authApp }) => {
    const { device } = await makePerson(authApp)
    const { authenticator } = await addPasskey(device)
    const { email } = await makeUser(authApp)
    const browser = createBrowser()
    const tab = createAuthClient(authApp.app, browser)
    await tab.signInWithPassword({ email, password: PASSWORD })
    const before = browser.cookie
    await signInByPasskey(tab, authenticator)
    expect(browser.cookie).not.toBe(before)
  })
})

test.each([
  ['https://deeb.example.com', 'deeb.example.com'],
  ['http://localhost:3000', 'localhost'],
  ['http://deeb.localhost:3000', 'deeb.localhost'],
  ['http://deeb.example.com', undefined],
  ['https://192.0.2.7', undefined],
  ['http://127.0.0.1:3000', undefined],
  ['https://[2001:db8::7]', undefined],
])('the passkeys of %s belong to %s', (publicUrl, id) => {
  expect(relyingPartyOf(publicUrl)?.id).toBe(id)
})

test('a server without https has no passkeys', async ({ startAuthApp }) => {
  const plain = await startAuthApp({ PUBLIC_URL: 'http://deeb.example.com' })
  expect((await plain.app.inject('/auth/v1/settings')).json()).toMatchObject({ passkeys_enabled: false })
  const { device } = await makePerson(plain)
  for (const start of [device.passkey.startAuthentication, device.passkey.startRegistration]) {
    expect(codeOf(await start())).toEqual([404, 'passkey_disabled'])
  }
  expect((await device.passkey.list()).data).toEqual([])
})
