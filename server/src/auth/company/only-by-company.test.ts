import { describe, expect } from 'vitest'
import { resetUser } from '../../admin/users.ts'
import { statement } from '../../db/db.ts'
import { confirmation, createAuthClient, newestLinkToken } from '../../testing/auth-client.ts'
import { addPasskey, createAuthenticator, signInByPasskey } from '../../testing/authenticator.ts'
import { addCompany, addDomain, markSession } from '../../testing/company.ts'
import { type Device, enroll, prove, signIn, whoami } from '../../testing/factors.ts'
import { makeUser, PASSWORD } from '../../testing/make.ts'
import { test as base } from '../../testing/test.ts'
import { closeDomain } from './close-domain.ts'

const test = base.extend('service', ({ authApp }) => {
  const newDevice = () => createAuthClient(authApp.app)
  /** A company with an open domain, and a person in it who is signed in. */
  async function makeCompany() {
    number += 1
    const domain = `company${number}.example`
    const providerId = await addCompany(authApp.auth.db, domain)
    const email = `ann@${domain}`
    const { userId } = await makeUser(authApp, { email })
    return { domain, providerId, email, userId, device: await signIn(authApp, email) }
  }
  async function close(domain: string) {
    for (const id of (await closeDomain(authApp.auth.db, domain)) ?? []) authApp.auth.sessionAlive.invalidate(id)
  }
  /** Signs in as the company's own sign-in would. */
  async function signInByCompany({
    providerId,
    email,
    domain,
  }: Awaited<ReturnType<typeof makeCompany>>): Promise<Device> {
    const device = await signIn(authApp, email)
    await markSession(authApp.auth.db, await sessionOf(device), providerId)
    await close(domain)
    return device
  }
  return { newDevice, makeCompany, close, signInByCompany }
})

let number = 0
// Each test starts with fresh limits.
test.beforeEach(({ authApp }) => authApp.clock.pass(3600))

const MANAGED = [422, 'user_sso_managed']
const codeOf = ({ error }: { error: unknown }) => {
  if (!error) return null
  const { status, code } = error as { status?: number; code?: string }
  return [status, code]
}

/** The id of the auth session of a device. */
async function sessionOf(device: Device): Promise<string> {
  const { data } = await device.getClaims()
  return String(data?.claims.session_id)
}

describe('threat 58: where accounts sign in by their company only', () => {
  test.for<[string, (device: Device, email: string) => Promise<{ error: unknown }>]>([
    ['a sign-up', (device, email) => device.signUp({ email, password: PASSWORD })],
    ['a sign-up with a weak password', (device, email) => device.signUp({ email, password: 'x' })],
    ['another confirmation email', (device, email) => device.resend({ type: 'signup', email })],
    ['a recovery', (device, email) => device.resetPasswordForEmail(email)],
    ['the right password', (device, email) => device.signInWithPassword({ email, password: PASSWORD })],
    ['a wrong password', (device, email) => device.signInWithPassword({ email, password: 'x' })],
  ])('%s is refused for a known and an unknown address, in any letter case', async ([_, way], { service }) => {
    const { domain, email } = await service.makeCompany()
    await service.close(domain)
    for (const address of [email, email.toUpperCase(), `nobody@${domain}`]) {
      expect(codeOf(await way(service.newDevice(), address))).toEqual(MANAGED)
    }
  })

  test('other domains stay as they were, also a subdomain, and one whose provider is disabled', async ({
    authApp,
    service,
  }) => {
    const { domain, email } = await service.makeCompany()
    await service.close(domain)
    const other = await makeUser(authApp, { email: `ann@sub.${domain}` })
    await signIn(authApp, other.email)
    const disable = statement(
      'test.disable-provider',
      'update auth.sso_providers set disabled_at = now() where key = :domain',
    )
    await authApp.auth.db.query(disable, { domain })
    await signIn(authApp, email)
  })

  test('links from before open nothing', async ({ authApp, service }) => {
    const { domain, email, device } = await service.makeCompany()
    const [joining, moving] = [`bea@${domain}`, `cleo@other${domain}`]
    await service.newDevice().signUp({ email: joining, password: PASSWORD })
    await service.newDevice().resetPasswordForEmail(email)
    await device.updateUser({ email: moving, current_password: PASSWORD } as object)
    const stranger = await makeUser(authApp, { email: `dan@elsewhere${domain}` })
    const outside = await signIn(authApp, stranger.email)
    await outside.updateUser({ email: `dan@${domain}`, current_password: PASSWORD } as object)
    const [signup, recovery, out, into] = [
      await newestLinkToken(authApp, joining),
      await newestLinkToken(authApp, email, 'recovery'),
      await newestLinkToken(authApp, moving, 'email_change'),
      await newestLinkToken(authApp, `dan@${domain}`, 'email_change'),
    ]
    await service.close(domain)
    expect(codeOf(await service.newDevice().verifyOtp(confirmation(signup, PASSWORD)))).toEqual(MANAGED)
    const recovered = await service.newDevice().verifyOtp({ type: 'recovery', token_hash: recovery })
    expect(codeOf(recovered)).toEqual([403, 'otp_expired'])
    expect(codeOf(await service.newDevice().verifyOtp(confirmation(out, PASSWORD, 'email_change')))).toEqual(MANAGED)
    expect(codeOf(await outside.verifyOtp(confirmation(into, PASSWORD, 'email_change')))).toEqual(MANAGED)
  })

  test('the switch ends all auth sessions but those of the company', async ({ authApp, service }) => {
    const company = await service.makeCompany()
    const { domain, email, providerId, device } = company
    const byCompany = await signIn(authApp, email)
    await markSession(authApp.auth.db, await sessionOf(byCompany), providerId)
    const elsewhere = await makeUser(authApp, { email: `ann@elsewhere${domain}` })
    const other = await signIn(authApp, elsewhere.email)
    await service.close(domain)
    expect(await whoami(authApp, device)).toEqual([401, 'not_signed_in'])
    expect(codeOf(await device.refreshSession())).toEqual([400, 'refresh_token_not_found'])
    expect((await whoami(authApp, byCompany))[0]).toBe(200)
    expect((await byCompany.refreshSession()).error).toBeNull()
    expect((await whoami(authApp, other))[0]).toBe(200)
  })

  test('a passkey neither signs in nor is added, but can be removed', async ({ service }) => {
    const company = await service.makeCompany()
    const { authenticator } = await addPasskey(company.device)
    const device = await service.signInByCompany(company)
    expect(codeOf(await signInByPasskey(service.newDevice(), authenticator))).toEqual(MANAGED)
    // Only the owner of a passkey learns it.
    const unknown = await signInByPasskey(service.newDevice(), authenticator, { origin: 'http://localhost:3001' })
    expect(codeOf(unknown)).toEqual([400, 'webauthn_verification_failed'])
    expect(codeOf(await device.passkey.startRegistration())).toEqual(MANAGED)
    const [passkey] = (await device.passkey.list()).data ?? []
    expect((await device.passkey.delete({ passkeyId: passkey?.id ?? '' })).error).toBeNull()
  })

  test('a registration that began before the switch adds no passkey', async ({ authApp, service }) => {
    const company = await service.makeCompany()
    const { data } = await company.device.passkey.startRegistration()
    await markSession(authApp.auth.db, await sessionOf(company.device), company.providerId)
    await service.close(company.domain)
    const credential = createAuthenticator().create(data?.options ?? {}) as never
    const added = await company.device.passkey.verifyRegistration({ challengeId: data?.challenge_id ?? '', credential })
    expect(codeOf(added)).toEqual(MANAGED)
  })

  test('a person sets no password and leaves the company by no change of address; the rest works', async ({
    authApp,
    service,
  }) => {
    const company = await service.makeCompany()
    const device = await service.signInByCompany(company)
    const change = (values: object) => device.updateUser({ current_password: PASSWORD, ...values } as object)
    expect(codeOf(await change({ password: 'nine loud herons' }))).toEqual(MANAGED)
    expect(codeOf(await change({ email: `ann@elsewhere${company.domain}` }))).toEqual(MANAGED)
    expect(codeOf(await device.updateUser({ data: { theme: 'dark' } }))).toBeNull()
    const { id } = await enroll(device)
    expect((await prove(authApp, device, id)).error).toBeNull()
    expect((await whoami(authApp, device))[0]).toBe(200)
    const outside = await makeUser(authApp, { email: `bea@elsewhere${company.domain}` })
    const other = await signIn(authApp, outside.email)
    const into = await other.updateUser({ email: `bea@${company.domain}`, current_password: PASSWORD } as object)
    expect(codeOf(into)).toEqual(MANAGED)
  })

  test('an address changes between domains of one company, in the company sign-in only', async ({
    authApp,
    service,
  }) => {
    const company = await service.makeCompany()
    const second = `second${company.domain}`
    await addDomain(authApp.auth.db, second, company.providerId)
    const device = await service.signInByCompany(company)
    await service.close(second)
    expect(codeOf(await device.updateUser({ email: `ann@${second}` }))).toBeNull()
    const link = await newestLinkToken(authApp, `ann@${second}`, 'email_change')
    const typed = { ...confirmation(link, PASSWORD, 'email_change') }
    expect(codeOf(await service.newDevice().verifyOtp(typed))).toEqual(MANAGED)
    expect((await device.verifyOtp({ type: 'email_change', token_hash: link })).error).toBeNull()
    const read = statement(
      'test.sso-of-session',
      'select sso_provider_id as "providerId" from auth.sessions where id = :id',
    )
    expect(await authApp.auth.db.query(read, { id: await sessionOf(device) })).toEqual([
      { providerId: company.providerId },
    ])
  })

  test('the link of an administrator opens the account once, and still sets no password', async ({
    authApp,
    service,
  }) => {
    const { auth, config } = authApp
    const company = await service.makeCompany()
    await service.close(company.domain)
    const [, link = ''] = await resetUser(auth.db, company.email, config.publicUrl, auth.now())
    const token_hash = /token_hash=([\w-]+)/.exec(link)?.[1] ?? ''
    const device = service.newDevice()
    expect((await device.verifyOtp({ type: 'recovery', token_hash })).error).toBeNull()
    expect((await whoami(authApp, device))[0]).toBe(200)
    expect(codeOf(await device.updateUser({ password: 'nine loud herons' }))).toEqual(MANAGED)
    expect(codeOf(await service.newDevice().verifyOtp({ type: 'recovery', token_hash }))).toEqual([403, 'otp_expired'])
  })

  test('a password that was checked before the switch opens nothing after it', async ({ authApp, service }) => {
    const { domain, email } = await service.makeCompany()
    const { passwords } = authApp.auth
    const { verify } = passwords
    passwords.verify = async (...args) => {
      const isRight = await verify(...args)
      await service.close(domain)
      return isRight
    }
    const answer = await service.newDevice().signInWithPassword({ email, password: PASSWORD })
    passwords.verify = verify
    expect(codeOf(answer)).toEqual(MANAGED)
  })
})

describe('threat 59: a domain that signs in by its company only', () => {
  test('does not tell whether an address has an account: same answer, same statements, same time', async ({
    authApp,
    service,
  }) => {
    const { domain, email } = await service.makeCompany()
    await service.close(domain)
    const answers = async (address: string) => {
      authApp.statements.length = 0
      const started = performance.now()
      const payload = { email: address, password: PASSWORD }
      const bodies: unknown[] = []
      for (const path of ['token?grant_type=password', 'signup', 'recover', 'resend']) {
        const body = { ...payload, type: 'signup' }
        const answer = await authApp.app.inject({ method: 'POST', url: `/auth/v1/${path}`, payload: body })
        bodies.push([answer.statusCode, answer.json()])
      }
      return { ms: performance.now() - started, bodies, statements: [...authApp.statements] }
    }
    const times: Record<'known' | 'unknown', number[]> = { known: [], unknown: [] }
    for (let round = 0; round < 21; round++) {
      authApp.clock.pass(3600)
      const [known, unknown] = [await answers(email), await answers(`nobody@${domain}`)]
      expect(known.bodies).toEqual(unknown.bodies)
      expect(known.statements).toEqual(unknown.statements)
      // No hash was computed and no row written.
      expect(new Set(known.statements)).toEqual(new Set(['auth.provider-of-domain']))
      times.known.push(known.ms)
      times.unknown.push(unknown.ms)
    }
    // The shortest times: other work on the machine only makes a round longer.
    const ratio = Math.min(...times.known) / Math.min(...times.unknown)
    expect(ratio).toBeGreaterThan(1 / 3)
    expect(ratio).toBeLessThan(3)
  })
})
