import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import { statement } from '../../db/db.ts'
import { LIMITS } from '../../limits/limits-table.ts'
import { type CompanyBed, digitsOf, KEY, openCompanyBed, refusalOf, type Tab } from '../../testing/company-bed.ts'
import { enroll, prove, signIn, whoami } from '../../testing/factors.ts'
import { CLIENT, type Employee } from '../../testing/identity-provider.ts'
import { makeUser } from '../../testing/make.ts'

let bed: CompanyBed
beforeAll(async () => {
  bed = await openCompanyBed()
})
afterAll(() => bed.close())
afterEach(() => {
  bed.provider.faults = {}
  vi.useRealTimers()
})

const EVENT = 'http://schemas.openid.net/event/backchannel-logout'
const seconds = () => Math.floor(bed.clock.now().getTime() / 1000)
const stateOf = (tab: Tab) => whoami(bed, tab.client, { cookie: tab.browser.cookie })
const IN = [200, undefined]
const OUT = [401, 'not_signed_in']

/** A valid logout token, with changes. */
function claimsFor(named: object, changed: object = {}): Record<string, unknown> {
  const times = { iat: seconds(), exp: seconds() + 120 }
  return {
    iss: bed.provider.issuer,
    aud: CLIENT.id,
    jti: randomUUID(),
    events: { [EVENT]: {} },
    ...times,
    ...named,
    ...changed,
  }
}

async function send(token: string, key = KEY) {
  const answer = await bed.app.inject({
    method: 'POST',
    url: `/auth/v1/backchannel-logout/${key}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    payload: new URLSearchParams({ logout_token: token }).toString(),
  })
  return [answer.statusCode, answer.body]
}
const DONE = [200, '']
const REFUSED = [400, '{"error":"invalid_request"}']

async function signedIn(employee: Employee = bed.employ()) {
  const tab = bed.newTab()
  const { error } = await bed.signIn(employee, tab)
  if (error) throw error
  return { employee, tab }
}

const findSid = statement(
  'test.sid-of',
  `select sso_sid as sid, aal from auth.sessions join auth.users on users.id = user_id
  where users.email = :email and sso_provider_id is not null order by sessions.created_at desc limit 1`,
)
async function sidOf({ email }: Employee): Promise<string> {
  const [session] = await bed.auth.db.query<{ sid: string }>(findSid, { email })
  return session?.sid ?? ''
}

describe('a sign-out at the provider', () => {
  test('ends the company session of that sign-in immediately, and no other', async () => {
    const { employee, tab } = await signedIn()
    const { tab: phone } = await signedIn(employee)
    const sid = await sidOf(employee)
    expect(sid).toMatch(/^[\w-]{10,}$/)
    // The provider has the clock of the machine.
    bed.clock.pass((Date.now() - bed.clock.now().getTime()) / 1000)
    const spy = vi.spyOn(bed.auth.sessionAlive, 'invalidate')
    await bed.provider.signOut(employee.sub, sid)
    expect([await stateOf(tab), await stateOf(phone)]).toEqual([IN, OUT])
    expect(refusalOf(await phone.client.refreshSession())).toEqual([400, 'refresh_token_not_found'])
    expect(spy).toHaveBeenCalledTimes(1)
  })

  test('threat 63: ends a session that a code of the second factor has raised', async () => {
    const { employee, tab } = await signedIn({ ...bed.employ(), auth_time: seconds() })
    const sid = await sidOf(employee)
    const factor = await enroll(tab.client)
    expect((await prove(bed, tab.client, factor.id)).error).toBeNull()
    expect(await sidOf(employee)).toBe(sid)
    expect(await send(await bed.provider.sign(claimsFor({ sid })))).toEqual(DONE)
    expect(await stateOf(tab)).toEqual(OUT)
  })

  test('threat 63: ends a session that the code from an email has opened', async () => {
    const { email } = await makeUser(bed)
    const employee = { ...bed.employ(), email }
    const tab = bed.newTab()
    const returned = await bed.reach(employee, tab)
    await bed.exchange(tab, returned)
    expect(refusalOf(await bed.enterCode(tab, returned, await digitsOf(bed, email)))).toBeNull()
    expect(await send(await bed.provider.sign(claimsFor({ sid: await sidOf(employee) })))).toEqual(DONE)
    expect(await stateOf(tab)).toEqual(OUT)
  })

  test('threat 62: without a sign-in, ends all company sessions of the person; those of a password stay', async () => {
    const { email } = await makeUser(bed)
    const employee = { ...bed.employ(), email }
    const tab = bed.newTab()
    const returned = await bed.reach(employee, tab)
    await bed.exchange(tab, returned)
    await bed.enterCode(tab, returned, await digitsOf(bed, email))
    const { tab: phone } = await signedIn(employee)
    const password = bed.newTab()
    await signIn(bed, email, password.client)
    const { tab: others } = await signedIn()
    expect(await send(await bed.provider.sign(claimsFor({ sub: employee.sub })))).toEqual(DONE)
    expect(await Promise.all([tab, phone, password, others].map(stateOf))).toEqual([OUT, OUT, IN, IN])
  })

  test('ends a sign-in whose code was not exchanged yet', async () => {
    const [bySub, bySid] = [bed.employ(), { ...bed.employ(), sid: randomUUID() }]
    const waiting = await Promise.all(
      [bySub, bySid].map(async (employee) => {
        const tab = bed.newTab()
        return { tab, returned: await bed.reach(employee, tab) }
      }),
    )
    expect(await send(await bed.provider.sign(claimsFor({ sub: bySub.sub })))).toEqual(DONE)
    expect(await send(await bed.provider.sign(claimsFor({ sub: bySid.sub, sid: bySid.sid })))).toEqual(DONE)
    for (const { tab, returned } of waiting) {
      expect(refusalOf(await bed.exchange(tab, returned))).toEqual([404, 'flow_state_not_found'])
    }
  })

  test('threat 110: also ends the sign-ins of the person that have no `sid`, and no others', async () => {
    const employee = { ...bed.employ(), sid: undefined }
    const [{ tab: unnamed }, { tab: named }] = [
      await signedIn(employee),
      await signedIn({ ...employee, sid: randomUUID() }),
    ]
    const { tab: others } = await signedIn({ ...bed.employ(), sid: undefined })
    const waiting = bed.newTab()
    const returned = await bed.reach(employee, waiting)
    expect(await send(await bed.provider.sign(claimsFor({ sid: randomUUID() })))).toEqual(DONE)
    expect(await stateOf(unnamed)).toEqual(IN)
    expect(await send(await bed.provider.sign(claimsFor({ sub: employee.sub, sid: randomUUID() })))).toEqual(DONE)
    expect(await Promise.all([unnamed, named, others].map(stateOf))).toEqual([OUT, IN, IN])
    expect(refusalOf(await bed.exchange(waiting, returned))).toEqual([404, 'flow_state_not_found'])
  })

  test('is no error for somebody who is not signed in', async () => {
    expect(await send(await bed.provider.sign(claimsFor({ sub: 'unknown', sid: 'unknown' })))).toEqual(DONE)
  })
})

describe('threat 61: a logout token', () => {
  test.each<[string, object, { typ?: string }?]>([
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
  ])('threat 61: %s is refused', async (_, changed, header) => {
    const { employee, tab } = await signedIn()
    bed.clock.pass(60)
    expect(await send(await bed.provider.sign(claimsFor({ sub: employee.sub }, changed), header))).toEqual(REFUSED)
    expect(await stateOf(tab)).toEqual(IN)
  })

  test('threat 61: counts once, also when it is sent eight times concurrently', async () => {
    const { employee } = await signedIn()
    const token = await bed.provider.sign(claimsFor({ sub: employee.sub }))
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => send(token)))
    expect(outcomes.filter(([status]) => status === 200)).toHaveLength(1)
    const { tab } = await signedIn(employee)
    expect(await send(token)).toEqual(REFUSED)
    expect(await stateOf(tab)).toEqual(IN)
  })

  test('threat 61: without the signature of the provider is refused', async () => {
    const { employee, tab } = await signedIn()
    const token = await bed.provider.sign(claimsFor({ sub: employee.sub }))
    const [header = '', payload = '', signature = ''] = token.split('.')
    const none = Buffer.from('{"alg":"none","typ":"logout+jwt"}').toString('base64url')
    const forged = [
      ...[`${none}.${payload}.`, `${none}.${payload}.${signature}`, `${header}.${payload}.`, `${header}.${payload}`],
      ...['', 'x', `${header}.e30.${signature}`, `${header}.${payload}.${signature.slice(0, -8)}AAAAAAAA`],
    ]
    for (const wrong of forged) expect(await send(wrong)).toEqual(REFUSED)
    expect(await send(token, 'nowhere.example')).toEqual(REFUSED)
    expect(await send(token, '%00')).toEqual(REFUSED)
    expect(await stateOf(tab)).toEqual(IN)
  })

  test('threat 62: refused ones are limited per network, and no session ends', async () => {
    const { employee } = await signedIn()
    const rule = LIMITS.companyLogout
    for (let n = 0; n <= rule.burst; n++) expect(await send('x')).toEqual(REFUSED)
    const token = await bed.provider.sign(claimsFor({ sub: employee.sub }))
    expect(await send(token)).toEqual(REFUSED)
    bed.clock.pass(60)
    expect(await send(token)).toEqual(DONE)
  })

  test('threat 116: five refused ones a second from the cloud of the provider do not stop a right one', async () => {
    const { employee, tab } = await signedIn()
    for (let n = 0; n < 300; n++) expect(await send('x')).toEqual(REFUSED)
    expect(await send(await bed.provider.sign(claimsFor({ sub: employee.sub })))).toEqual(DONE)
    expect(await stateOf(tab)).toEqual(OUT)
  })

  test('is verified with the new keys of the provider, and is not lost while it does not answer', async () => {
    const { employee, tab } = await signedIn()
    await bed.provider.rotateKeys()
    // The keys are read again at most once a second, by the clock of the machine.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 2_000 })
    const token = await bed.provider.sign(claimsFor({ sub: employee.sub }))
    bed.provider.faults = { isDown: true }
    expect((await send(token))[0]).toBe(503)
    bed.provider.faults = {}
    bed.clock.pass(10)
    expect(await send(token)).toEqual(DONE)
    expect(await stateOf(tab)).toEqual(OUT)
  })
})
