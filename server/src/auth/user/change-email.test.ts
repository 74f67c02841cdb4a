import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { statement } from '../../db/db.ts'
import { type AuthApp, openAuthApp } from '../../testing/auth-app.ts'
import { confirmation, createAuthClient, mailsTo, newestLinkToken, newestMail } from '../../testing/auth-client.ts'
import { makeUser, PASSWORD } from '../../testing/make.ts'

let authApp: AuthApp
beforeAll(async () => {
  authApp = await openAuthApp()
})
afterAll(() => authApp.close())
// Other tests cover the limits.
beforeEach(() => authApp.clock.pass(3600))

async function person(domain = 'fjordlab.example') {
  const { email, userId } = await makeUser(authApp, { email: `${randomUUID()}@${domain}` })
  const device = createAuthClient(authApp.app)
  await device.signInWithPassword({ email, password: PASSWORD })
  return { email, userId, device }
}

const freshAddress = (domain = 'fjordlab.example') => `${randomUUID()}@${domain}`
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

test('auth-js requests the change, the link changes the address, and all auth sessions are revoked', async () => {
  const mover = await person()
  const next = freshAddress()
  const events: string[] = []
  const { data, error } = await ask(mover, next)
  expect([error, data.user?.email]).toEqual([null, mover.email])
  expect((await mover.device.getUser()).data.user?.email).toBe(mover.email)
  const tab = createAuthClient(authApp.app)
  tab.onAuthStateChange((event) => void events.push(event))
  const opened = await tab.verifyOtp(confirmation(await linkTo(next), PASSWORD, 'email_change'))
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
  test('joins it immediately, loses connections to the old one, and keeps those inside the new one', async () => {
    const mover = await person('fjordlab.example')
    const [left, met, also] = await Promise.all([person(), person('nordwind.example'), person('nordwind.example')])
    for (const { userId } of [left, met]) await connect(mover.userId, userId)
    await connect(also.userId, mover.userId)
    await connect(left.userId, (await person()).userId)
    const next = freshAddress('nordwind.example')
    await ask(mover, next)
    expect(await profile(mover.userId)).toEqual({ email: mover.email, company: 'fjordlab.example' })
    expect((await open(await linkTo(next))).error).toBeNull()
    expect(await profile(mover.userId)).toEqual({ email: next, company: 'nordwind.example' })
    expect((await colleaguesOf(mover.userId)).sort()).toEqual([met.userId, also.userId].sort())
    expect(await colleaguesOf(left.userId)).toHaveLength(1)
  })

  test('has no connections without a company, not even to other users without one', async () => {
    const mover = await person()
    const [colleague, nobodys] = await Promise.all([person(), person('gmail.com')])
    for (const { userId } of [colleague, nobodys]) await connect(mover.userId, userId)
    const next = freshAddress('gmail.com')
    await ask(mover, next)
    await open(await linkTo(next))
    expect(await profile(mover.userId)).toEqual({ email: next, company: null })
    expect(await colleaguesOf(mover.userId)).toEqual([])
  })
})

test('threat 91: the name is derived from the current address only', async () => {
  const { userId, device } = await person()
  const columns = "concat_ws(' ', first_name, last_name, first_name_key, last_name_key) as name"
  const read = statement('test.names', `select ${columns} from profiles where id = :userId`)
  const nameAt = async (local: string) => {
    const next = `${local}@${userId}.example`
    expect((await ask({ device }, next)).error).toBeNull()
    await device.verifyOtp({ type: 'email_change', token_hash: await linkTo(next) })
    return (await authApp.auth.db.query<{ name: string }>(read, { userId }))[0]?.name
  }
  expect(await nameAt('ann')).toBe('')
  expect(await nameAt('ann.meyer')).toBe('Ann Meyer ANN MEYER')
  expect(await nameAt('ann.schulz')).toBe('Ann Schulz ANN SCHULZ')
  expect(await nameAt('aschulz')).toBe('')
})

describe('the change', () => {
  test('needs the current password', async () => {
    const { device } = await person()
    const without = await device.updateUser({ email: freshAddress() })
    expect([without.error?.status, without.error?.code]).toEqual([400, 'current_password_required'])
    const wrong = await device.updateUser({ email: freshAddress(), current_password: 'wrong' })
    expect([wrong.error?.status, wrong.error?.code]).toEqual([400, 'current_password_invalid'])
    const broken = await device.updateUser({ email: 'no address', current_password: PASSWORD })
    expect([broken.error?.status, broken.error?.code]).toEqual([400, 'validation_failed'])
  })

  test('does nothing for the current address', async () => {
    const { device, email } = await person()
    expect((await device.updateUser({ email: ` ${email.toUpperCase()}` })).error).toBeNull()
    expect(await mailsTo(authApp, email)).toEqual([])
  })

  test('threat 16: works once, for 30 minutes, and a newer one replaces it', async () => {
    const mover = await person()
    const [first, second] = [freshAddress(), freshAddress()]
    await ask(mover, first)
    await ask(mover, second)
    expect((await open(await linkTo(first))).error?.code).toBe('otp_expired')
    expect((await open(await linkTo(second))).error).toBeNull()
    expect((await open(await linkTo(second))).error?.code).toBe('otp_expired')
    const late = await person()
    const third = freshAddress()
    await ask(late, third)
    authApp.clock.pass(31 * 60)
    expect((await open(await linkTo(third))).error?.code).toBe('otp_expired')
  })
})

describe('a change to an address that has an account', () => {
  test('has the same response as for a free address and notifies only its owner', async () => {
    const [mover, owner] = await Promise.all([person(), person()])
    const free = await ask(mover, freshAddress())
    const taken = await ask(mover, owner.email)
    const plain = ({ data }: typeof free) => ({ ...data.user, updated_at: '' })
    expect([taken.error, plain(taken)]).toEqual([null, plain(free)])
    const mail = await newestMail(authApp, owner.email)
    expect(mail).toContain('Subject: You already have a deeb account')
    expect(mail).not.toContain('token_hash')
    expect(mail).not.toContain(mover.email)
  })

  test('changes nothing when the address was taken since, and the link counts as expired', async () => {
    const mover = await person()
    const wanted = freshAddress()
    await ask(mover, wanted)
    const link = await linkTo(wanted)
    const winner = createAuthClient(authApp.app)
    await winner.signUp({ email: wanted, password: PASSWORD })
    await winner.verifyOtp(confirmation(await newestLinkToken(authApp, wanted), PASSWORD))
    expect((await open(link)).error?.code).toBe('otp_expired')
    expect((await mover.device.getUser()).data.user?.email).toBe(mover.email)
    expect((await winner.getUser()).data.user?.email).toBe(wanted)
    expect(await profile(mover.userId)).toMatchObject({ email: mover.email })
  })

  test('succeeds for one account only when links are opened concurrently', async () => {
    const wanted = freshAddress()
    const links: string[] = []
    for (const mover of await Promise.all([person(), person(), person()])) {
      await ask(mover, wanted)
      links.push(await linkTo(wanted))
    }
    const outcomes = await Promise.all(links.map(open))
    expect(outcomes.filter(({ error }) => !error)).toHaveLength(1)
    expect(outcomes.filter(({ error }) => error?.code === 'otp_expired')).toHaveLength(2)
  })

  test('invalidates a pending sign-up with that address', async () => {
    const mover = await person()
    const wanted = freshAddress()
    const stranger = createAuthClient(authApp.app)
    await stranger.signUp({ email: wanted, password: PASSWORD })
    const signUpLink = await newestLinkToken(authApp, wanted)
    await ask(mover, wanted)
    expect((await open(await linkTo(wanted))).error).toBeNull()
    const confirmed = await stranger.verifyOtp(confirmation(signUpLink, PASSWORD))
    expect(confirmed.error?.code).toBe('otp_expired')
  })
})
