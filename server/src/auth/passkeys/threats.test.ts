import { randomBytes } from 'node:crypto'
import { describe, expect, vi } from 'vitest'
import { statement } from '../../db/db.ts'
import type { AuthApp } from '../../testing/auth-app.ts'
import { restartWith } from '../../testing/auth-app.ts'
import { createAuthClient } from '../../testing/auth-client.ts'
import { type Authenticator, addPasskey, createAuthenticator, signInByPasskey } from '../../testing/authenticator.ts'
import {
  type Device,
  enroll,
  levelOf,
  makePerson,
  makeProtectedPerson,
  prove,
  signIn,
  whoami,
} from '../../testing/factors.ts'
import { test as base, type FixturesOf } from '../../testing/test.ts'

const test = base.extend('service', ({ authApp }) => {
  const newDevice = () => createAuthClient(authApp.app)
  async function makePasskeyPerson() {
    const person = await makePerson(authApp)
    return { ...person, ...(await addPasskey(person.device)) }
  }
  return { newDevice, makePasskeyPerson }
})

// Each test starts with fresh limits.
test.beforeEach(({ authApp }) => authApp.clock.pass(3600))

const codeOf = ({ error }: { error: unknown }) => {
  if (!error) return null
  const { status, code } = error as { status?: number; code?: string }
  return [status, code]
}

/** A registration that is changed in flight. */
async function register(device: Device, tampering: Parameters<Authenticator['create']>[1]) {
  const { data: begun } = await device.passkey.startRegistration()
  const credential = createAuthenticator().create(begun?.options ?? {}, tampering) as never
  return device.passkey.verifyRegistration({ challengeId: begun?.challenge_id ?? '', credential })
}

const UNVERIFIED = [400, 'webauthn_verification_failed']
const UNKNOWN_CHALLENGE = [400, 'webauthn_challenge_not_found']

test.for([
  ['threat 38: on a page of another origin', { origin: 'http://localhost:3001' }],
  ['threat 38: for another relying party', { rpId: 'evil.example' }],
  ['threat 40: without user verification', { isVerified: false }],
] as const)('a passkey used %s is refused, when it is added and at a sign-in', async ([_, tampering], { service }) => {
  const { device, authenticator } = await service.makePasskeyPerson()
  expect(codeOf(await register(device, tampering))).toEqual(UNVERIFIED)
  expect((await device.passkey.list()).data).toHaveLength(1)
  expect(codeOf(await signInByPasskey(service.newDevice(), authenticator, tampering))).toEqual(UNVERIFIED)
})

type Service = FixturesOf<typeof test>['service']

describe('threat 39: a recorded answer of a passkey', () => {
  /** A passkey that is synchronised between devices: its counter is always 0. */
  const synchronised = { counter: 0 }

  async function record({ newDevice }: Pick<Service, 'newDevice'>, authenticator: Authenticator) {
    const { data: begun } = await newDevice().passkey.startAuthentication()
    const credential = authenticator.get(begun?.options ?? {}, synchronised) as never
    return () => newDevice().passkey.verifyAuthentication({ challengeId: begun?.challenge_id ?? '', credential })
  }

  test('threat 39: signs in once, also when it is sent eight times concurrently', async ({ service }) => {
    const { authenticator } = await service.makePasskeyPerson()
    const replay = await record(service, authenticator)
    const outcomes = await Promise.all(Array.from({ length: 8 }, replay))
    expect(outcomes.filter(({ error }) => !error)).toHaveLength(1)
    for (const outcome of outcomes.filter(({ error }) => error)) expect(codeOf(outcome)).toEqual(UNKNOWN_CHALLENGE)
    expect(codeOf(await replay())).toEqual(UNKNOWN_CHALLENGE)
  })

  test('threat 39: is worth nothing after five minutes', async ({ authApp, service }) => {
    const { authenticator } = await service.makePasskeyPerson()
    const replay = await record(service, authenticator)
    authApp.clock.pass(301)
    expect(codeOf(await replay())).toEqual([400, 'webauthn_challenge_expired'])
  })

  test('threat 39: fits only the challenge that it answers', async ({ service }) => {
    const [ann, eve] = [await service.makePasskeyPerson(), await service.makePasskeyPerson()]
    const { data: begun } = await service.newDevice().passkey.startAuthentication()
    const { data: other } = await service.newDevice().passkey.startAuthentication()
    const credential = ann.authenticator.get(begun?.options ?? {}) as never
    const verify = (challengeId: string) =>
      service.newDevice().passkey.verifyAuthentication({ challengeId, credential })
    expect(codeOf(await verify(other?.challenge_id ?? ''))).toEqual(UNVERIFIED)
    const { data: anns } = await ann.device.passkey.startRegistration()
    for (const id of [
      anns?.challenge_id ?? '',
      '',
      'x',
      `${begun?.challenge_id}=`,
      randomBytes(69).toString('base64url'),
    ]) {
      expect(codeOf(await verify(id))).toEqual(UNKNOWN_CHALLENGE)
    }
    const made = createAuthenticator().create(anns?.options ?? {}) as never
    for (const challengeId of [anns?.challenge_id ?? '', begun?.challenge_id ?? '']) {
      const outcome = await eve.device.passkey.verifyRegistration({ challengeId, credential: made })
      expect(codeOf(outcome)).toEqual(UNKNOWN_CHALLENGE)
    }
  })

  test('threat 39: a challenge from before a rotation of the server secret still counts', async ({
    authApp,
    service,
  }) => {
    const { authenticator } = await service.makePasskeyPerson()
    const { keys } = authApp.auth
    const { data: begun } = await service.newDevice().passkey.startAuthentication()
    const credential = authenticator.get(begun?.options ?? {}) as never
    const app = await restartWith(authApp, { keys: { ...keys, passkeyKeys: [randomBytes(32), ...keys.passkeyKeys] } })
    const { passkey } = createAuthClient(app)
    const { error } = await passkey.verifyAuthentication({ challengeId: begun?.challenge_id ?? '', credential })
    expect(error).toBeNull()
    await app.close()
  })
})

test('threat 41: a clone of a passkey is refused and audited', async ({ authApp, service }) => {
  const { userId, id, authenticator } = await service.makePasskeyPerson()
  expect((await signInByPasskey(service.newDevice(), authenticator, { counter: 7 })).error).toBeNull()
  for (const counter of [7, 6, 0]) {
    expect(codeOf(await signInByPasskey(service.newDevice(), authenticator, { counter }))).toEqual(UNVERIFIED)
  }
  expect((await signInByPasskey(service.newDevice(), authenticator, { counter: 8 })).error).toBeNull()
  const refused = statement(
    'test.refused-passkeys',
    "select detail from auth.audit_log where user_id = :userId and action = 'passkey_refused' order by id",
  )
  expect(await authApp.auth.db.query(refused, { userId })).toEqual(
    [7, 6, 0].map((counter) => ({ detail: { passkey: id, counter, last_counter: 7 } })),
  )
})

test('a passkey of another user does not sign in', async ({ service }) => {
  const [ann, eve] = [await service.makePasskeyPerson(), await service.makePasskeyPerson()]
  const userHandle = Buffer.from(ann.userId.replaceAll('-', ''), 'hex').toString('base64url')
  expect(codeOf(await signInByPasskey(service.newDevice(), eve.authenticator, { userHandle }))).toEqual(UNVERIFIED)
})

test('the attestation of a passkey is ignored: no certificate makes the server call another one (SSRF)', async ({
  authApp,
}) => {
  const { device } = await makePerson(authApp)
  const fetched = vi.spyOn(globalThis, 'fetch')
  const statement = new Map<string, unknown>([
    ['alg', -7],
    ['sig', randomBytes(70)],
    ['x5c', [randomBytes(300)]],
  ])
  for (const format of ['packed', 'tpm', 'invented']) {
    expect((await register(device, { attestation: { format, statement } })).error).toBeNull()
  }
  expect(fetched).not.toHaveBeenCalled()
  fetched.mockRestore()
})

const forgetProof = statement('test.forget-proof', 'update auth.sessions set proven_at = null where user_id = :userId')

test.for([
  ['16 minutes after the sign-in', async ({ clock }: AuthApp) => clock.pass(16 * 60)],
  // A company sign-in that does not say when the user authenticated.
  [
    'that was never proven',
    async ({ auth }: AuthApp, userId: string) => void (await auth.db.query(forgetProof, { userId })),
  ],
] as const)(
  'threat 42: an auth session %s neither adds nor removes a passkey',
  async ([_, age], { authApp, service }) => {
    const { userId, device, id } = await service.makePasskeyPerson()
    const { data: begun } = await device.passkey.startRegistration()
    const credential = createAuthenticator().create(begun?.options ?? {}) as never
    await age(authApp, userId)
    const outcomes = [
      await device.passkey.startRegistration(),
      await device.passkey.delete({ passkeyId: id }),
      await device.mfa.enroll({ factorType: 'totp', friendlyName: 'New' }),
    ]
    for (const outcome of outcomes) expect(codeOf(outcome)).toEqual([400, 'reauthentication_needed'])
    const verified = await device.passkey.verifyRegistration({ challengeId: begun?.challenge_id ?? '', credential })
    expect(codeOf(verified)?.[1]).toMatch(/reauthentication_needed|webauthn_challenge_expired/)
    expect((await device.passkey.list()).data).toHaveLength(1)
  },
)

test('threat 43: an attacker with the password but without the second factor changes no passkey', async ({
  authApp,
}) => {
  const { email, device } = await makeProtectedPerson(authApp)
  const { id } = await addPasskey(device)
  const { data: begun } = await device.passkey.startRegistration()
  const credential = createAuthenticator().create(begun?.options ?? {}) as never
  const { passkey } = await signIn(authApp, email)
  const outcomes = [
    await passkey.startRegistration(),
    await passkey.verifyRegistration({ challengeId: begun?.challenge_id ?? '', credential }),
    await passkey.update({ passkeyId: id, friendlyName: 'Mine' }),
    await passkey.delete({ passkeyId: id }),
  ]
  for (const outcome of outcomes) expect(codeOf(outcome)).toEqual([403, 'insufficient_aal'])
  expect((await device.passkey.list()).data).toMatchObject([{ id, friendly_name: 'Passkey 1' }])
})

describe('threat 44: a removed passkey', () => {
  test('threat 44: loses the auth sessions that it opened, also after a code; others stay', async ({
    authApp,
    service,
  }) => {
    const { device, id, authenticator } = await service.makePasskeyPerson()
    const other = await addPasskey(device)
    const [opened, raised, others] = [service.newDevice(), service.newDevice(), service.newDevice()]
    await signInByPasskey(opened, authenticator)
    await signInByPasskey(raised, authenticator)
    await signInByPasskey(others, other.authenticator)
    const factor = await enroll(raised)
    expect((await prove(authApp, raised, factor.id)).error).toBeNull()
    authApp.clock.pass(60)
    // The code ended the auth session of the device: it was aal1.
    const { error } = await others.passkey.delete({ passkeyId: id })
    expect(error).toBeNull()
    for (const gone of [opened, raised]) {
      expect(await whoami(authApp, gone)).toEqual([401, 'not_signed_in'])
      expect((await gone.refreshSession()).error?.code).toBe('refresh_token_not_found')
    }
    expect(await whoami(authApp, others)).toEqual([200, undefined])
    expect(await levelOf(others)).toBe('aal2')
  })

  test('threat 44: leaves the auth session that removes it at the level of a password', async ({
    authApp,
    service,
  }) => {
    const { id, authenticator } = await service.makePasskeyPerson()
    const device = service.newDevice()
    await signInByPasskey(device, authenticator)
    expect((await device.passkey.delete({ passkeyId: id })).error).toBeNull()
    await device.refreshSession()
    expect([await levelOf(device), await whoami(authApp, device)]).toEqual(['aal1', [200, undefined]])
  })
})

test('threat 45: opening sign-in pages stores nothing and queries nothing', async ({ authApp, service }) => {
  const before = authApp.statements.length
  for (let n = 0; n < 300; n++) expect((await service.newDevice().passkey.startAuthentication()).error).toBeNull()
  expect(authApp.statements.slice(before)).toEqual([])
})

test('thirty failed sign-ins with a passkey use up those of the network', async ({ authApp, service }) => {
  const { authenticator } = await service.makePasskeyPerson()
  for (let n = 0; n < 30; n++) {
    expect(codeOf(await signInByPasskey(service.newDevice(), authenticator, { rpId: 'evil.example' }))).toEqual(
      UNVERIFIED,
    )
  }
  expect(codeOf(await signInByPasskey(service.newDevice(), authenticator))).toEqual([429, 'over_request_rate_limit'])
  authApp.clock.pass(300)
  for (let n = 0; n < 40; n++) expect((await signInByPasskey(service.newDevice(), authenticator)).error).toBeNull()
})
