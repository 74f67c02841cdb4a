import { randomUUID } from 'node:crypto'
import { describe, expect } from 'vitest'
import { statement } from '../../db/db.ts'
import { confirmation, createAuthClient, mailsTo, newestLinkToken, newestMail } from '../../testing/auth-client.ts'
import { makeUser, PASSWORD } from '../../testing/make.ts'
import { test as base } from '../../testing/test.ts'

const test = base.extend('service', ({ authApp }) => {
  async function person(domain = 'fjordlab.example') {
    const { email, userId } = await makeUser(authApp, { email: `${randomUUID()}@${domain}` })
    const device = createAuthClient(authApp.app)
    await device.signInWithPassword({ email, password: PASSWORD })
    return { email, userId, device }
  }
  const ask = async ({ device }: Pick<Awaited<ReturnType<typeof person>>, 'device'>, email: string) =>
    device.updateUser({ email, current_password: PASSWORD })
  const open = (token: string) => createAuthClient(authApp.app).verifyOtp(confirmation(token, PASSWORD, 'email_change'))
  const linkTo = (email: string) => newestLinkToken(authApp, email, 'email_change')
  const profile = async (userId: string) => {
    const read = statement('test.profile', 'select email, company_domain as company from profiles where id = :userId')
    const [found] = await authApp.auth.db.query<{ email: string; company: string | null }>(read, { userId })
    return found
  }
  async function connect(one: string, other: string) {
    const insert = statement(
      'test.connect',
      `insert into team_connections (id, requester_id, receiver_id, status, created_at, updated_at)
    values (:id, :one, :other, 'accepted', now(), now())`,
    )
    await authApp.auth.db.query(insert, { id: randomUUID(), one, other })
  }
  const colleaguesOf = async (userId: string) => {
    const read = statement(
      'test.colleagues',
      `select case when requester_id = :userId then receiver_id else requester_id end as id from team_connections
    where :userId in (requester_id, receiver_id)`,
    )
    return (await authApp.auth.db.query<{ id: string }>(read, { userId })).map(({ id }) => id)
  }
  return { person, ask, open, linkTo, profile, connect, colleaguesOf }
})

// Other tests cover the limits.
test.beforeEach(({ authApp }) => authApp.clock.pass(3600))

const freshAddress = (domain = 'fjordlab.example') => `${randomUUID()}@${domain}`

test('auth-js requests the change, the link changes the address, and all auth sessions are revoked', async ({
  authApp,
  service,
}) => {
  const mover = await service.person()
  const next = freshAddress()
  const events: string[] = []
  const { data, error } = await service.ask(mover, next)
  expect([error, data.user?.email]).toEqual([null, mover.email])
  expect((await mover.device.getUser()).data.user?.email).toBe(mover.email)
  const tab = createAuthClient(authApp.app)
  tab.onAuthStateChange((event) => void events.push(event))
  const opened = await tab.verifyOtp(confirmation(await service.linkTo(next), PASSWORD, 'email_change'))
  expect(opened.error).toBeNull()
  expect(opened.data.user).toMatchObject({
    id: mover.userId,
    email: next,
    identities: [{ identity_data: { email: next } }],
  })
  expect(events).toContain('SIGNED_IN')
  expect((await mover.device.getUser()).error?.name).toBe('AuthSessionMissingError')
  expect((await tab.getUser()).data.user?.email).toBe(next)
  const late = createAuthClient(authApp.app)
  const old = await late.signInWithPassword({ email: mover.email, password: PASSWORD })
  expect(old.error?.code).toBe('invalid_credentials')
  expect((await late.signInWithPassword({ email: next, password: PASSWORD })).error).toBeNull()
  expect(await newestMail(authApp, mover.email)).toContain('Subject: The address of your deeb account was changed')
  expect(await newestMail(authApp, mover.email)).not.toContain(next)
})

describe('threat 6: a user with an address of another company', () => {
  test('joins it immediately, loses connections to the old one, and keeps those inside the new one', async ({
    service,
  }) => {
    const mover = await service.person('fjordlab.example')
    const [left, met, also] = await Promise.all([
      service.person(),
      service.person('nordwind.example'),
      service.person('nordwind.example'),
    ])
    for (const { userId } of [left, met]) await service.connect(mover.userId, userId)
    await service.connect(also.userId, mover.userId)
    await service.connect(left.userId, (await service.person()).userId)
    const next = freshAddress('nordwind.example')
    await service.ask(mover, next)
    expect(await service.profile(mover.userId)).toEqual({ email: mover.email, company: 'fjordlab.example' })
    expect((await service.open(await service.linkTo(next))).error).toBeNull()
    expect(await service.profile(mover.userId)).toEqual({ email: next, company: 'nordwind.example' })
    expect((await service.colleaguesOf(mover.userId)).sort()).toEqual([met.userId, also.userId].sort())
    expect(await service.colleaguesOf(left.userId)).toHaveLength(1)
  })

  test('has no connections without a company, not even to other users without one', async ({ service }) => {
    const mover = await service.person()
    const [colleague, nobodys] = await Promise.all([service.person(), service.person('gmail.com')])
    for (const { userId } of [colleague, nobodys]) await service.connect(mover.userId, userId)
    const next = freshAddress('gmail.com')
    await service.ask(mover, next)
    await service.open(await service.linkTo(next))
    expect(await service.profile(mover.userId)).toEqual({ email: next, company: null })
    expect(await service.colleaguesOf(mover.userId)).toEqual([])
  })
})

test('threat 91: the name is derived from the current address only', async ({ authApp, service }) => {
  const { userId, device } = await service.person()
  const columns = "concat_ws(' ', first_name, last_name, first_name_key, last_name_key) as name"
  const read = statement('test.names', `select ${columns} from profiles where id = :userId`)
  const nameAt = async (local: string) => {
    const next = `${local}@${userId}.example`
    expect((await service.ask({ device }, next)).error).toBeNull()
    await device.verifyOtp({ type: 'email_change', token_hash: await service.linkTo(next) })
    return (await authApp.auth.db.query<{ name: string }>(read, { userId }))[0]?.name
  }
  expect(await nameAt('ann')).toBe('')
  expect(await nameAt('ann.meyer')).toBe('Ann Meyer ANN MEYER')
  expect(await nameAt('ann.schulz')).toBe('Ann Schulz ANN SCHULZ')
  expect(await nameAt('aschulz')).toBe('')
})

describe('the change', () => {
  test('needs the current password', async ({ service }) => {
    const { device } = await service.person()
    const without = await device.updateUser({ email: freshAddress() })
    expect([without.error?.status, without.error?.code]).toEqual([400, 'current_password_required'])
    const wrong = await device.updateUser({ email: freshAddress(), current_password: 'wrong' })
    expect([wrong.error?.status, wrong.error?.code]).toEqual([400, 'current_password_invalid'])
    const broken = await device.updateUser({ email: 'no address', current_password: PASSWORD })
    expect([broken.error?.status, broken.error?.code]).toEqual([400, 'validation_failed'])
  })

  test('does nothing for the current address', async ({ authApp, service }) => {
    const { device, email } = await service.person()
    expect((await device.updateUser({ email: ` ${email.toUpperCase()}` })).error).toBeNull()
    expect(await mailsTo(authApp, email)).toEqual([])
  })

  test('threat 16: works once, for 30 minutes, and a newer one replaces it', async ({ authApp, service }) => {
    const mover = await service.person()
    const [first, second] = [freshAddress(), freshAddress()]
    await service.ask(mover, first)
    await service.ask(mover, second)
    expect((await service.open(await service.linkTo(first))).error?.code).toBe('otp_expired')
    expect((await service.open(await service.linkTo(second))).error).toBeNull()
    expect((await service.open(await service.linkTo(second))).error?.code).toBe('otp_expired')
    const late = await service.person()
    const third = freshAddress()
    await service.ask(late, third)
    authApp.clock.pass(31 * 60)
    expect((await service.open(await service.linkTo(third))).error?.code).toBe('otp_expired')
  })
})

describe('a change to an address that has an account', () => {
  test('has the same response as for a free address and notifies only its owner', async ({ authApp, service }) => {
    const [mover, owner] = await Promise.all([service.person(), service.person()])
    const free = await service.ask(mover, freshAddress())
    const taken = await service.ask(mover, owner.email)
    const plain = ({ data }: typeof free) => ({ ...data.user, updated_at: '' })
    expect([taken.error, plain(taken)]).toEqual([null, plain(free)])
    const mail = await newestMail(authApp, owner.email)
    expect(mail).toContain('Subject: You already have a deeb account')
    expect(mail).not.toContain('token_hash')
    expect(mail).not.toContain(mover.email)
  })

  test('changes nothing when the address was taken since, and the link counts as expired', async ({
    authApp,
    service,
  }) => {
    const mover = await service.person()
    const wanted = freshAddress()
    await service.ask(mover, wanted)
    const link = await service.linkTo(wanted)
    const winner = createAuthClient(authApp.app)
    await winner.signUp({ email: wanted, password: PASSWORD })
    await winner.verifyOtp(confirmation(await newestLinkToken(authApp, wanted), PASSWORD))
    expect((await service.open(link)).error?.code).toBe('otp_expired')
    expect((await mover.device.getUser()).data.user?.email).toBe(mover.email)
    expect((await winner.getUser()).data.user?.email).toBe(wanted)
    expect(await service.profile(mover.userId)).toMatchObject({ email: mover.email })
  })

  test('succeeds for one account only when links are opened concurrently', async ({ service }) => {
    const wanted = freshAddress()
    const links: string[] = []
    for (const mover of await Promise.all([service.person(), service.person(), service.person()])) {
      await service.ask(mover, wanted)
      links.push(await service.linkTo(wanted))
    }
    const outcomes = await Promise.all(links.map(service.open))
    expect(outcomes.filter(({ error }) => !error)).toHaveLength(1)
    expect(outcomes.filter(({ error }) => error?.code === 'otp_expired')).toHaveLength(2)
  })

  test('invalidates a pending sign-up with that address', async ({ authApp, service }) => {
    const mover = await service.person()
    const wanted = freshAddress()
    const stranger = createAuthClient(authApp.app)
    await stranger.signUp({ email: wanted, password: PASSWORD })
    const signUpLink = await newestLinkToken(authApp, wanted)
    await service.ask(mover, wanted)
    expect((await service.open(await service.linkTo(wanted))).error).toBeNull()
    const confirmed = await stranger.verifyOtp(confirmation(signUpLink, PASSWORD))
    expect(confirmed.error?.code).toBe('otp_expired')
  })
})
