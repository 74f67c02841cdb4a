import { deleteAccount, prove, readAuthSessions, readMyData, readSignIn } from '@deeb/core/account/api'
import { readHome } from '@deeb/core/home/api'
import { expect } from 'vitest'
import { requireSecondFactor } from '../admin/require-second-factor.ts'
import { removeFactors } from '../admin/users.ts'
import { statement } from '../db/db.ts'
import { readAlive } from '../live/read-alive.ts'
import { createAuthClient } from '../testing/auth-client.ts'
import { addPasskey, signInByPasskey } from '../testing/authenticator.ts'
import { addCompany } from '../testing/company.ts'
import { type Device, enroll } from '../testing/factors.ts'
import { openStream } from '../testing/live.ts'
import { authSessionOf, type MadeUser, makeUser, PASSWORD } from '../testing/make.ts'
import { test as base } from '../testing/test.ts'
import { freshToken } from '../testing/test-app.ts'
import { unseal } from './factors/seal.ts'
import { totpCode, totpStep } from './factors/totp.ts'

const test = base.extend('service', ({ app, clock }) => {
  const join = () => makeUser(app, { email: `person${Math.random()}@${domain}` })
  const today = (days = 0) => new Date(clock.now().getTime() + days * 86_400_000).toISOString().slice(0, 10)
  async function require(isOn: boolean, whose = domain): Promise<string[]> {
    return requireSecondFactor(app.db, { domain: whose, isOn }, await app.auth.companyPolicy(), clock.now())
  }
  /** A person who has not added one in the 14 days after the company began to require it. */
  async function overdue(): Promise<MadeUser> {
    const user = await join()
    await require(true)
    clock.advance({ hours: 15 * DAY })
    return user
  }
  const fresh = (user: MadeUser) => freshToken(app.auth, user, clock.now())
  async function homeOf(user: MadeUser) {
    const { status, error } = await app.call(readHome, { timeZone: 'UTC' }, user)
    return status === 200 ? [200] : [status, error.code]
  }
  async function signIn(email: string): Promise<{ device: Device; user: MadeUser }> {
    const device = createAuthClient(app.app)
    const { data, error } = await device.signInWithPassword({ email, password: PASSWORD })
    if (error) throw error
    return { device, user: userOf(email, data.session) }
  }
  async function codeOf(factorId: string): Promise<string> {
    const read = statement('test.secret-of', 'select secret from auth.mfa_factors where id = :factorId')
    const [row] = await app.db.query<{ secret: Buffer }>(read, { factorId })
    return totpCode(unseal(app.auth.keys.sealKeys, row?.secret ?? Buffer.alloc(0), factorId), totpStep(clock.now()))
  }
  /** Adds an authenticator app; returns the user of the new auth session. */
  async function addApp(device: Device, email: string) {
    const { id } = await enroll(device, `App ${Math.random()}`)
    const { error } = await device.mfa.challengeAndVerify({ factorId: id, code: await codeOf(id) })
    if (error) throw error
    clock.advance({ minutes: 2 })
    return { id, user: userOf(email, (await device.getSession()).data.session) }
  }
  return { join, today, require, overdue, fresh, homeOf, signIn, codeOf, addApp }
})

let number = 0
let domain: string
test.beforeEach(({ clock }) => {
  number += 1
  domain = `factor${number}.example`
  clock.advance({ hours: 1 })
})

const DAY = 24
const REQUIRED = [403, 'second_factor_required']

const userOf = (
  email: string,
  session: { access_token: string; refresh_token: string; user: { id: string } } | null,
) => ({
  email,
  userId: session?.user.id ?? '',
  accessToken: session?.access_token ?? '',
  refreshToken: session?.refresh_token ?? '',
})

test('a company requires a second factor after 14 days', async ({ app, clock, service }) => {
  const [ann, outside] = [await service.join(), await makeUser(app)]
  expect((await app.call(readSignIn, {}, ann)).body.secondFactor).toBeNull()
  clock.advance({ hours: 5 * DAY })
  const from = service.today(14)
  const [line] = await service.require(true)
  expect(line).toContain(`need a second factor or a passkey from ${from} on`)
  // Again keeps the day.
  clock.advance({ hours: DAY })
  expect(await service.require(true)).toEqual([line])
  expect((await app.call(readSignIn, {}, ann)).body.secondFactor).toEqual({ requiredFrom: from })
  expect((await app.call(readSignIn, {}, outside)).body.secondFactor).toBeNull()
  clock.set(`${service.today(12)}T23:59:00.000Z`)
  expect(await service.homeOf(ann)).toEqual([200])
  const stream = await openStream(app, { accessToken: await service.fresh(ann) })
  expect(await readAlive(app.db, [authSessionOf(ann)], clock.now())).toEqual(new Set([authSessionOf(ann)]))
  clock.advance({ minutes: 2 })
  expect([service.today(), await service.homeOf(ann), await service.homeOf(outside)]).toEqual([from, REQUIRED, [200]])
  expect((await openStream(app, { accessToken: await service.fresh(ann) })).status).toBe(403)
  // The sweep ends the live streams of all other auth sessions.
  expect(await readAlive(app.db, [authSessionOf(ann)], clock.now())).toEqual(new Set())
  stream.leave()
})

test('the administrator ends it immediately, also on running servers', async ({ clock, service }) => {
  const ann = await service.overdue()
  expect(await service.homeOf(ann)).toEqual(REQUIRED)
  expect(await service.require(false)).toEqual([`People with an address at ${domain} no longer need a second factor.`])
  // The event reaches other processes; the cache of this one expires.
  clock.advance({ seconds: 31 })
  expect(await service.homeOf(ann)).toEqual([200])
  await expect(service.require(false)).rejects.toThrow('does not require')
})

test.for(['gmail.com', 'x', '', 'a@b.example', 'x y.example'])('%s cannot require it', async (text, { service }) => {
  await expect(service.require(true, text)).rejects.toThrow('is no domain of a company')
})

test('without one, a person can still add one, sign out, read how they sign in, and take or delete their data', async ({
  app,
  service,
}) => {
  const ann = await service.overdue()
  expect(await service.homeOf(ann)).toEqual(REQUIRED)
  for (const endpoint of [readSignIn, readAuthSessions, readMyData] as const) {
    expect((await app.call(endpoint, {}, ann)).status).toBe(200)
  }
  expect((await app.call(prove, { password: PASSWORD }, ann)).status).toBe(200)
  const { device, user } = await service.signIn(ann.email)
  expect((await device.getUser()).error).toBeNull()
  expect((await device.refreshSession()).error).toBeNull()
  expect((await device.signOut({ scope: 'local' })).error).toBeNull()
  expect((await app.call(deleteAccount, { password: PASSWORD }, ann)).status).toBe(200)
  expect((await service.homeOf(user))[0]).toBe(401)
})

test('an authenticator app opens the account immediately', async ({ service }) => {
  const { email } = await service.overdue()
  const { device, user } = await service.signIn(email)
  expect(await service.homeOf(user)).toEqual(REQUIRED)
  const phone = await service.addApp(device, email)
  expect(await service.homeOf(phone.user)).toEqual([200])
})

test('a passkey opens the account immediately, in every auth session', async ({ app, service }) => {
  const ann = await service.overdue()
  const { device, user } = await service.signIn(ann.email)
  expect([await service.homeOf(user), await service.homeOf(ann)]).toEqual([REQUIRED, REQUIRED])
  const { authenticator } = await addPasskey(device)
  expect([await service.homeOf(user), await service.homeOf(ann)]).toEqual([[200], [200]])
  const other = createAuthClient(app.app)
  await signInByPasskey(other, authenticator)
  expect(await service.homeOf(userOf(ann.email, (await other.getSession()).data.session))).toEqual([200])
})

test('a passkey does not count where only the company signs in, since it opens nothing there', async ({
  app,
  service,
}) => {
  const ann = await service.overdue()
  const { device, user } = await service.signIn(ann.email)
  await addPasskey(device)
  expect(await service.homeOf(user)).toEqual([200])
  await addCompany(app.db, domain, { onlySso: true })
  // An auth session that was not looked at before: the answer is cached for each.
  expect(await service.homeOf(ann)).toEqual(REQUIRED)
})

test('a company sign-in with several factors counts', async ({ app, clock, service }) => {
  const ann = await service.overdue()
  expect(await service.homeOf(ann)).toEqual(REQUIRED)
  const raise = statement('test.raise', "update auth.sessions set aal = 'aal2' where user_id = :userId")
  await app.db.query(raise, { userId: ann.userId })
  clock.advance({ seconds: 31 })
  expect(await service.homeOf(ann)).toEqual([200])
})

test('an account that is created later has 14 days of its own', async ({ app, clock, service }) => {
  await service.require(true)
  clock.advance({ hours: 20 * DAY })
  const bea = await service.join()
  expect((await app.call(readSignIn, {}, bea)).body.secondFactor).toEqual({ requiredFrom: service.today(14) })
  clock.set(`${service.today(13)}T23:00:00.000Z`)
  expect(await service.homeOf(bea)).toEqual([200])
  clock.advance({ hours: 2 })
  expect(await service.homeOf(bea)).toEqual(REQUIRED)
})

test('the last factor cannot be removed once it is required, any other can', async ({ app, clock, service }) => {
  const { email } = await service.join()
  const { device } = await service.signIn(email)
  const passkey = await addPasskey(device)
  const first = await service.addApp(device, email)
  await service.require(true)
  clock.advance({ hours: 13 * DAY })
  // Before that day everything can be removed.
  const again = await service.signIn(email)
  const authenticated = await again.device.mfa.challengeAndVerify({
    factorId: first.id,
    code: await service.codeOf(first.id),
  })
  expect(authenticated.error).toBeNull()
  clock.advance({ hours: 2 * DAY, minutes: 2 })
  const { device: now } = await service.signIn(email)
  await now.mfa.challengeAndVerify({ factorId: first.id, code: await service.codeOf(first.id) })
  expect((await now.passkey.delete({ passkeyId: passkey.id })).error).toBeNull()
  const refused = await now.mfa.unenroll({ factorId: first.id })
  expect([refused.error?.status, refused.error?.code]).toEqual([422, 'second_factor_required'])
  const second = await addPasskey(now)
  clock.advance({ minutes: 1 })
  expect((await now.mfa.unenroll({ factorId: first.id })).error).toBeNull()
  const last = await now.passkey.delete({ passkeyId: second.id })
  expect([last.error?.status, last.error?.code]).toEqual([422, 'second_factor_required'])
  // The administrator can, for a person who lost it.
  await removeFactors(app.db, email, clock.now())
  clock.advance({ seconds: 31 })
  expect(await service.homeOf((await service.signIn(email)).user)).toEqual(REQUIRED)
  await service.require(false)
})

test('threat 104: two concurrent removals do not remove both of the last two', async ({ service }) => {
  const { email } = await service.overdue()
  const { device } = await service.signIn(email)
  const passkey = await addPasskey(device)
  const { id } = await service.addApp(device, email)
  const answers = await Promise.all([
    device.mfa.unenroll({ factorId: id }),
    device.passkey.delete({ passkeyId: passkey.id }),
  ])
  expect(answers.filter(({ error }) => error === null)).toHaveLength(1)
})
