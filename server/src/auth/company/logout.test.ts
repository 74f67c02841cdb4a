import { randomUUID } from 'node:crypto'
import { describe, expect, vi } from 'vitest'
import { statement } from '../../db/db.ts'
import { LIMITS } from '../../limits/limits-table.ts'
import { digitsOf, KEY, refusalOf, type Tab } from '../../testing/company-app.ts'
import { enroll, prove, signIn, whoami } from '../../testing/factors.ts'
import { CLIENT, type Employee } from '../../testing/identity-provider.ts'
import { makeUser } from '../../testing/make.ts'
import { test as base } from '../../testing/test.ts'

const test = base.extend('service', ({ sso }) => {
  const seconds = () => Math.floor(sso.clock.now().getTime() / 1000)
  const stateOf = (tab: Tab) => whoami(sso, tab.client, { cookie: tab.browser.cookie })
  /** A valid logout token, with changes. */
  function claimsFor(named: object, changed: object = {}): Record<string, unknown> {
    const times = { iat: seconds(), exp: seconds() + 120 }
    return {
      iss: sso.provider.issuer,
      aud: CLIENT.id,
      jti: randomUUID(),
      events: { [EVENT]: {} },
      ...times,
      ...named,
      ...changed,
    }
  }
  async function send(token: string, key = KEY) {
    const answer = await sso.app.inject({
      method: 'POST',
      url: `/auth/v1/backchannel-logout/${key}`,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ logout_token: token }).toString(),
    })
    return [answer.statusCode, answer.body]
  }
  async function signedIn(employee: Employee = sso.employ()) {
    const tab = sso.newTab()
    const { error } = await sso.signIn(employee, tab)
    if (error) throw error
    return { employee, tab }
  }
  async function sidOf({ email }: Employee): Promise<string> {
    const [session] = await sso.auth.db.query<{ sid: string }>(findSid, { email })
    return session?.sid ?? ''
  }
  return { seconds, stateOf, claimsFor, send, signedIn, sidOf }
})

test.afterEach(({ sso }) => {
  sso.provider.faults = {}
  vi.useRealTimers()
})

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const IN = [200, undefined]
const OUT = [401, 'not_signed_in']
const DONE = [200, '']
const REFUSED = [400, '{"error":"invalid_request"}']

const findSid = statement(
  'test.sid-of',
  `select sso_sid as sid, aal from auth.sessions join auth.users on users.id = user_id
  where users.email = :email and sso_provider_id is not null order by sessions.created_at desc limit 1`,
)

describe('a sign-out at the provider', () => {
  test('ends the company session of that sign-in immediately, and no other', async ({ sso, service }) => {
    const { employee, tab } = await service.signedIn()
    const { tab: phone } = await service.signedIn(employee)
    const sid = await service.sidOf(employee)
    expect(sid).toMatch(/^[\w-]{10,}$/)
    // The provider has the clock of the machine.
    sso.clock.pass((Date.now() - sso.clock.now().getTime()) / 1000)
    const spy = vi.spyOn(sso.auth.sessionAlive, 'invalidate')
    await sso.provider.signOut(employee.sub, sid)
    expect([await service.stateOf(tab), await service.stateOf(phone)]).toEqual([IN, OUT])
    expect(refusalOf(await phone.client.refreshSession())).toEqual([400, 'refresh_token_not_found'])
    expect(spy).toHaveBeenCalledTimes(1)
  })

  test('threat 63: ends a session that a code of the second factor has raised', async ({ sso, service }) => {
    const { employee, tab } = await service.signedIn({ ...sso.employ(), auth_time: service.seconds() })
    const sid = await service.sidOf(employee)
    const factor = await enroll(tab.client)
    expect((await prove(sso, tab.client, factor.id)).error).toBeNull()
    expect(await service.sidOf(employee)).toBe(sid)
    expect(await service.send(await sso.provider.sign(service.claimsFor({ sid })))).toEqual(DONE)
    expect(await service.stateOf(tab)).toEqual(OUT)
  })

  test('threat 63: ends a session that the code from an email has opened', async ({ sso, service }) => {
    const { email } = await makeUser(sso)
    const employee = { ...sso.employ(), email }
    const tab = sso.newTab()
    const returned = await sso.reach(employee, tab)
    await sso.exchange(tab, returned)
    expect(refusalOf(await sso.enterCode(tab, returned, await digitsOf(sso, email)))).toBeNull()
    expect(
      await service.send(await sso.provider.sign(service.claimsFor({ sid: await service.sidOf(employee) }))),
    ).toEqual(DONE)
    expect(await service.stateOf(tab)).toEqual(OUT)
  })

  test('threat 62: without a sign-in, ends all company sessions of the person; those of a password stay', async ({
    sso,
    service,
  }) => {
    const { email } = await makeUser(sso)
    const employee = { ...sso.employ(), email }
    const tab = sso.newTab()
    const returned = await sso.reach(employee, tab)
    await sso.exchange(tab, returned)
    await sso.enterCode(tab, returned, await digitsOf(sso, email))
    const { tab: phone } = await service.signedIn(employee)
    const password = sso.newTab()
    await signIn(sso, email, password.client)
    const { tab: others } = await service.signedIn()
    expect(await service.send(await sso.provider.sign(service.claimsFor({ sub: employee.sub })))).toEqual(DONE)
    expect(await Promise.all([tab, phone, password, others].map(service.stateOf))).toEqual([OUT, OUT, IN, IN])
  })

  test('ends a sign-in whose code was not exchanged yet', async ({ sso, service }) => {
    const [bySub, bySid] = [sso.employ(), { ...sso.employ(), sid: randomUUID() }]
    const waiting = await Promise.all(
      [bySub, bySid].map(async (employee) => {
        const tab = sso.newTab()
        return { tab, returned: await sso.reach(employee, tab) }
      }),
    )
    expect(await service.send(await sso.provider.sign(service.claimsFor({ sub: bySub.sub })))).toEqual(DONE)
    expect(await service.send(await sso.provider.sign(service.claimsFor({ sub: bySid.sub, sid: bySid.sid })))).toEqual(
      DONE,
    )
    for (const { tab, returned } of waiting) {
      expect(refusalOf(await sso.exchange(tab, returned))).toEqual([404, 'flow_state_not_found'])
    }
  })

  test('threat 110: also ends the sign-ins of the person that have no `sid`, and no others', async ({
    sso,
    service,
  }) => {
    const employee = { ...sso.employ(), sid: undefined }
    const [{ tab: unnamed }, { tab: named }] = [
      await service.signedIn(employee),
      await service.signedIn({ ...employee, sid: randomUUID() }),
    ]
    const { tab: others } = await service.signedIn({ ...sso.employ(), sid: undefined })
    const waiting = sso.newTab()
    const returned = await sso.reach(employee, waiting)
    expect(await service.send(await sso.provider.sign(service.claimsFor({ sid: randomUUID() })))).toEqual(DONE)
    expect(await service.stateOf(unnamed)).toEqual(IN)
    expect(
      await service.send(await sso.provider.sign(service.claimsFor({ sub: employee.sub, sid: randomUUID() }))),
    ).toEqual(DONE)
    expect(await Promise.all([unnamed, named, others].map(service.stateOf))).toEqual([OUT, IN, IN])
    expect(refusalOf(await sso.exchange(waiting, returned))).toEqual([404, 'flow_state_not_found'])
  })

  test('is no error for somebody who is not signed in', async ({ sso, service }) => {
    expect(await service.send(await sso.provider.sign(service.claimsFor({ sub: 'unknown', sid: 'unknown' })))).toEqual(
      DONE,
    )
  })
})

describe('threat 61: a logout token', () => {
  test.for<[string, object, { typ?: string }?]>([
    ['of another type', {}, { typ: 'JWT' }],
    ['of another issuer', { iss: 'https://evil.example' }],
    ['for another client', { aud: 'another-client' }],
    ['that has ended', { exp: 1 }],
    ['that is old', { iat: 1 }],
    ['without a time', { iat: undefined }],
    ['without an end', { exp: undefined }],
    ['without an id', { jti: undefined }],
    ['without the event', { events: undefined }],
    ['with another event', { events: { other: {} } }],
    ['with an event that is no object', { events: { [EVENT]: true } }],
    ['with a nonce, like an ID token', { nonce: 'x' }],
    ['that names nobody', { sub: undefined }],
    ['that names no text', { sub: 7 }],
  ])('threat 61: %s is refused', async ([_, changed, header], { sso, service }) => {
    const { employee, tab } = await service.signedIn()
    sso.clock.pass(60)
    expect(
      await service.send(await sso.provider.sign(service.claimsFor({ sub: employee.sub }, changed), header)),
    ).toEqual(REFUSED)
    expect(await service.stateOf(tab)).toEqual(IN)
  })

  test('threat 61: counts once, also when it is sent eight times concurrently', async ({ sso, service }) => {
    const { employee } = await service.signedIn()
    const token = await sso.provider.sign(service.claimsFor({ sub: employee.sub }))
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => service.send(token)))
    expect(outcomes.filter(([status]) => status === 200)).toHaveLength(1)
    const { tab } = await service.signedIn(employee)
    expect(await service.send(token)).toEqual(REFUSED)
    expect(await service.stateOf(tab)).toEqual(IN)
  })

  test('threat 61: without the signature of the provider is refused', async ({ sso, service }) => {
    const { employee, tab } = await service.signedIn()
    const token = await sso.provider.sign(service.claimsFor({ sub: employee.sub }))
    const [header = '', payload = '', signature = ''] = token.split('.')
    const none = Buffer.from('{"alg":"none","typ":"logout+jwt"}').toString('base64url')
    const forged = [
      ...[`${none}.${payload}.`, `${none}.${payload}.${signature}`, `${header}.${payload}.`, `${header}.${payload}`],
      ...['', 'x', `${header}.e30.${signature}`, `${header}.${payload}.${signature.slice(0, -8)}AAAAAAAA`],
    ]
    for (const wrong of forged) expect(await service.send(wrong)).toEqual(REFUSED)
    expect(await service.send(token, 'nowhere.example')).toEqual(REFUSED)
    expect(await service.send(token, '%00')).toEqual(REFUSED)
    expect(await service.stateOf(tab)).toEqual(IN)
  })

  test('threat 62: refused ones are limited per network, and no session ends', async ({ sso, service }) => {
    const { employee } = await service.signedIn()
    const rule = LIMITS.companyLogout
    for (let n = 0; n <= rule.burst; n++) expect(await service.send('x')).toEqual(REFUSED)
    const token = await sso.provider.sign(service.claimsFor({ sub: employee.sub }))
    expect(await service.send(token)).toEqual(REFUSED)
    sso.clock.pass(60)
    expect(await service.send(token)).toEqual(DONE)
  })

  test('threat 116: five refused ones a second from the cloud of the provider do not stop a right one', async ({
    sso,
    service,
  }) => {
    const { employee, tab } = await service.signedIn()
    for (let n = 0; n < 300; n++) expect(await service.send('x')).toEqual(REFUSED)
    expect(await service.send(await sso.provider.sign(service.claimsFor({ sub: employee.sub })))).toEqual(DONE)
    expect(await service.stateOf(tab)).toEqual(OUT)
  })

  test('is verified with the new keys of the provider, and is not lost while it does not answer', async ({
    sso,
    service,
  }) => {
    const { employee, tab } = await service.signedIn()
    await sso.provider.rotateKeys()
    // The keys are read again at most once a second, by the clock of the machine.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2_000 })
    const token = await sso.provider.sign(service.claimsFor({ sub: employee.sub }))
    sso.provider.faults = { isDown: true }
    expect((await service.send(token))[0]).toBe(503)
    sso.provider.faults = {}
    sso.clock.pass(10)
    expect(await service.send(token)).toEqual(DONE)
    expect(await service.stateOf(tab)).toEqual(OUT)
  })
})
