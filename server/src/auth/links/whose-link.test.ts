import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { statement } from '../../db/db.ts'
import {
  confirmation,
  createAuthClient,
  createBrowser,
  newestLinkToken,
  newestMail,
} from '../../testing/auth-client.ts'
import { authorizationOf, type Device, makePerson, makeProtectedPerson, signIn, whoami } from '../../testing/factors.ts'
import { PASSWORD } from '../../testing/make.ts'
import { test as base, type FixturesOf } from '../../testing/test.ts'

const test = base.extend('service', ({ authApp }) => {
  const newDevice = () => createAuthClient(authApp.app)
  /** Requests a change of address and returns the new address with the token of its link. */
  async function askForChange(device: Device) {
    const email = `${randomUUID()}@nordwind.example`
    const { error } = await device.updateUser({ email, current_password: PASSWORD })
    if (error) throw error
    return { email, token: await newestLinkToken(authApp, email, 'email_change') }
  }
  const openWithPassword = async (token: string, password: string, device = newDevice()) =>
    codeOf(await device.verifyOtp(confirmation(token, password, 'email_change')))
  async function addressOf(userId: string): Promise<string | undefined> {
    const read = statement('test.address', 'select email from auth.users where id = :userId')
    return (await authApp.auth.db.query<{ email: string }>(read, { userId }))[0]?.email
  }
  return { newDevice, askForChange, openWithPassword, addressOf }
})

// Other tests cover the limits of emails.
test.beforeEach(({ authApp }) => authApp.clock.pass(3600))

type Answer = Awaited<ReturnType<Device['verifyOtp']>>
const codeOf = ({ error }: Answer) => error?.code ?? 'opened'

const openChange = async (device: Device, token_hash: string) =>
  codeOf(await device.verifyOtp({ type: 'email_change', token_hash }))

describe('threat 78: an email-change link', () => {
  test('does not sign in the owner of the new mailbox', async ({ authApp, service }) => {
    const mallory = await makePerson(authApp)
    const { email: victim, token } = await service.askForChange(mallory.device)
    const { error } = await service.newDevice().verifyOtp({ type: 'email_change', token_hash: token })
    expect([error?.status, error?.code]).toEqual([400, 'reauthentication_needed'])
    const asVictim = await service.newDevice().signInWithPassword({ email: victim, password: PASSWORD })
    expect(asVictim.error?.code).toBe('invalid_credentials')
    expect(await service.addressOf(mallory.userId)).toBe(mallory.email)
    await service.newDevice().signUp({ email: victim, password: 'nine loud herons' })
    expect(await newestMail(authApp, victim)).toContain('Subject: Confirm your address for deeb')
  })

  test('works with an auth session of the account and revokes the others', async ({ authApp, service }) => {
    const { userId, email: former, device } = await makePerson(authApp)
    const other = await signIn(authApp, former)
    const { email, token } = await service.askForChange(device)
    expect(await openChange(device, token)).toBe('opened')
    expect(await service.addressOf(userId)).toBe(email)
    expect((await other.getUser()).error?.name).toBe('AuthSessionMissingError')
    expect((await device.getUser()).data.user?.email).toBe(email)
  })

  test('works with the password of the account and stays valid after a wrong one', async ({ authApp, service }) => {
    const { userId, device } = await makePerson(authApp)
    const { email, token } = await service.askForChange(device)
    expect(await service.openWithPassword(token, 'nine loud herons')).toBe('invalid_credentials')
    expect(await service.openWithPassword(token, '')).toBe('reauthentication_needed')
    expect(await service.openWithPassword(token, PASSWORD)).toBe('opened')
    expect(await service.addressOf(userId)).toBe(email)
  })

  test('does not work with an ended auth session or a stolen token', async ({ authApp, service }) => {
    const { email, device } = await makePerson(authApp)
    const browser = createBrowser()
    const tab = createAuthClient(authApp.app, browser)
    await signIn(authApp, email, tab)
    const { token } = await service.askForChange(tab)
    const open = async (authorization: string) => {
      const payload = { type: 'email_change', token_hash: token }
      const headers = { authorization }
      return (await authApp.app.inject({ method: 'POST', url: '/auth/v1/verify', headers, payload })).json().code
    }
    const ended = await authorizationOf(device)
    await device.signOut({ scope: 'local' })
    expect(await open(ended)).toBe('reauthentication_needed')
    expect(await open(await authorizationOf(tab))).toBe('reauthentication_needed')
    expect(await open('Bearer x.y.z')).toBe('reauthentication_needed')
    expect(await openChange(tab, token)).toBe('opened')
  })

  test('does not work with an auth session that ends concurrently', async ({ authApp, service }) => {
    const { userId, email, device } = await makePerson(authApp)
    const { token } = await service.askForChange(device)
    expect((await device.getUser()).error).toBeNull()
    // Another process ended it, and the cache of this one is still stale.
    const end = statement('test.end', 'delete from auth.sessions where user_id = :userId returning id')
    await authApp.auth.db.query(end, { userId })
    expect(await openChange(device, token)).toBe('reauthentication_needed')
    expect(await service.addressOf(userId)).toBe(email)
  })

  test('has the rate limits of a sign-in for the password and does not lock the owner out', async ({
    authApp,
    service,
  }) => {
    const { email, device } = await makePerson(authApp)
    const { token } = await service.askForChange(device)
    const guesses = await Promise.all(
      Array.from({ length: 12 }, () => service.openWithPassword(token, 'nine loud herons')),
    )
    expect(guesses.filter((code) => code === 'invalid_credentials')).toHaveLength(6)
    expect(guesses.filter((code) => code === 'over_request_rate_limit')).toHaveLength(6)
    const signedIn = await service.newDevice().signInWithPassword({ email, password: PASSWORD })
    expect(signedIn.error?.code).toBe('over_request_rate_limit')
    const misses = statement('test.misses', 'select failed_attempts as misses from auth.users where email = :email')
    expect(await authApp.auth.db.query(misses, { email })).toEqual([{ misses: 6 }])
    expect(await openChange(device, token)).toBe('opened')
  })

  test('opens an aal1 auth session if the account has a second factor', async ({ authApp, service }) => {
    for (const opener of ['session', 'password'] as const) {
      const { device } = await makeProtectedPerson(authApp)
      const { token } = await service.askForChange(device)
      const tab = opener === 'session' ? device : service.newDevice()
      expect(await service.openWithPassword(token, PASSWORD, tab)).toBe('opened')
      expect(await whoami(authApp, tab)).toEqual([403, 'aal2_required'])
    }
  })

  test('changes nothing for a blocked account', async ({ authApp, service }) => {
    const { userId, email, device } = await makePerson(authApp)
    const { token } = await service.askForChange(device)
    const ban = statement('test.ban', "update auth.users set banned_until = 'infinity' where id = :userId returning id")
    await authApp.auth.db.query(ban, { userId })
    expect(await service.openWithPassword(token, PASSWORD)).toBe('user_banned')
    expect(await openChange(device, token)).toBe('user_banned')
    expect(await service.addressOf(userId)).toBe(email)
  })
})

describe('threat 79: login CSRF: while another user is signed in, a link', () => {
  type Fixtures = Pick<FixturesOf<typeof test>, 'authApp' | 'service'>
  const links: Record<string, (fixtures: Fixtures) => Promise<Parameters<Device['verifyOtp']>[0]>> = {
    async 'of a sign-up'({ authApp, service }) {
      const email = `${randomUUID()}@nordwind.example`
      await service.newDevice().signUp({ email, password: PASSWORD })
      return confirmation(await newestLinkToken(authApp, email), PASSWORD)
    },
    async 'of a recovery'({ authApp, service }) {
      const { email } = await makePerson(authApp)
      await service.newDevice().resetPasswordForEmail(email)
      return { type: 'recovery', token_hash: await newestLinkToken(authApp, email, 'recovery') }
    },
    async 'of an email change, with its password,'({ authApp, service }) {
      const { token } = await service.askForChange((await makePerson(authApp)).device)
      return confirmation(token, PASSWORD, 'email_change')
    },
  }
  test.for(Object.keys(links))('%s does nothing until that user has signed out', async (name, { authApp, service }) => {
    const ben = await makePerson(authApp)
    const link = (await links[name]?.({ authApp, service })) as Parameters<Device['verifyOtp']>[0]
    const { error } = await ben.device.verifyOtp(link)
    expect([error?.status, error?.code]).toEqual([409, 'another_account'])
    expect((await ben.device.getUser()).data.user?.id).toBe(ben.userId)
    await ben.device.signOut({ scope: 'local' })
    const opened = await ben.device.verifyOtp(link)
    expect(opened.error).toBeNull()
    expect(opened.data.user?.id).not.toBe(ben.userId)
  })
})
