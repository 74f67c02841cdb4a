import { createHash, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect } from 'vitest'
import { statement } from '../../db/db.ts'
import { LIMITS } from '../../limits/limits-table.ts'
import { addUser, replaceUser } from '../../scim/users.ts'
import { APPS } from '../../testing/apps.ts'
import { mailsTo, newestMail } from '../../testing/auth-client.ts'
import { type CompanyApp, digitsOf, KEY, refusalOf, verifierOf } from '../../testing/company-app.ts'
import { enroll, makePerson, prove, whoami } from '../../testing/factors.ts'
import { CLIENT } from '../../testing/identity-provider.ts'
import { makeUser } from '../../testing/make.ts'
import { test as base } from '../../testing/test.ts'
import { insertCompany, setDomains } from './configure.ts'
import { enterCode } from './exchange.ts'

const test = base.extend('settings', { scope: 'file' }, APPS).extend('service', ({ sso }) => {
  const seconds = () => Math.floor(sso.clock.now().getTime() / 1000)
  /** An exchange without auth-js, which would refuse some of these itself. */
  async function exchange(code: string | null, verifier: string, path = 'token?grant_type=pkce') {
    const payload = { auth_code: code, code_verifier: verifier }
    const answer = await sso.app.inject({ method: 'POST', url: `/auth/v1/${path}`, payload })
    return [answer.statusCode, answer.json().code]
  }
  /** Adds another company. */
  async function addCompany(key: string, domains: string[], issuer = sso.provider.issuer): Promise<string> {
    const { auth } = sso
    const company = { key, name: key, issuer, clientId: randomUUID(), clientSecret: CLIENT.secret }
    const id = await insertCompany(
      auth.db,
      auth.keys,
      { ...company, trustsEmail: false, isFromSettings: false },
      auth.now(),
    )
    await setDomains(auth.db, id, domains, auth.now())
    return id
  }
  const codesTo = async (email: string) =>
    (await mailsTo(sso, email)).filter((text) => text.includes('Subject: Your code')).length
  async function ask(email: string, employee = sso.employ()) {
    const tab = sso.newTab()
    const returned = await sso.reach({ ...employee, email }, tab)
    expect(refusalOf(await sso.exchange(tab, returned))).toEqual(NEEDS_CODE)
    return { tab, returned, digits: await digitsOf(sso, email) }
  }
  /** Stores what a callback would have stored, and exchanges it. */
  async function answered(providerId: string, claims: object) {
    const [code, verifier] = [randomUUID(), 'v'.repeat(43)]
    const sha256 = (text: string) => createHash('sha256').update(text).digest()
    const keep = statement(
      'test.keep-claims',
      `insert into auth.flow_state (id, provider_id, auth_code_hash, code_challenge, claims, created_at)
      values (gen_random_uuid(), :providerId, :codeHash, :challenge, :claims, :now)`,
    )
    const about = { sub: randomUUID(), isEmailVerified: true, hostedDomain: null, authTime: null, sid: null }
    await sso.auth.db.query(keep, {
      providerId,
      codeHash: sha256(code),
      challenge: sha256(verifier).toString('base64url'),
      claims: JSON.stringify({
        ...about,
        firstName: null,
        lastName: null,
        hasSecondFactor: false,
        isAgain: false,
        ...claims,
      }),
      now: sso.auth.now(),
    })
    return exchange(code, verifier)
  }
  return { seconds, exchange, addCompany, codesTo, ask, answered }
})

// Each test starts with fresh limits.
test.beforeEach(({ sso }) => sso.clock.pass(3600))
test.afterEach(({ sso }) => {
  sso.provider.faults = {}
})

const NEEDS_CODE = [422, 'provider_email_needs_verification']

describe('threat 49: login CSRF', () => {
  test('threat 49: an answer of the provider counts in the browser that began only', async ({ sso }) => {
    const [eve, victim] = [sso.newTab(), sso.newTab()]
    await sso.begin(victim)
    const { data } = await sso.begin(eve)
    const answer = await sso.provider.visit(data?.url ?? '', sso.employ())
    expect(await sso.comeBack(answer, victim)).toMatchObject({ code: null, errorCode: 'bad_oauth_state' })
    expect(await sso.comeBack(answer, null)).toMatchObject({ code: null, errorCode: 'bad_oauth_state' })
    expect(await sso.comeBack(answer, eve)).toMatchObject({ errorCode: null })
  })

  test('threat 49: a code of somebody else does nothing in our page: there is no verifier, and no request', async ({
    sso,
  }) => {
    const returned = await sso.reach(sso.employ(), sso.newTab())
    const victim = sso.newTab()
    await sso.begin(victim)
    const before = sso.statements.length
    expect((await sso.exchange(victim, returned)).error?.name).toBe('AuthPKCECodeVerifierMissingError')
    expect(sso.statements.slice(before)).toEqual([])
  })

  test('threat 49: a state is ours, of this provider and ten minutes old at most', async ({ sso }) => {
    const tab = sso.newTab()
    const { data } = await sso.begin(tab)
    const answer = await sso.provider.visit(data?.url ?? '', sso.employ())
    const state = answer.searchParams.get('state') ?? ''
    for (const other of ['', 'x', `${state}A`, state.slice(0, -4), `${state.slice(0, -4)}AAAA`, 'A'.repeat(400)]) {
      const forged = new URL(answer)
      forged.searchParams.set('state', other)
      expect(await sso.comeBack(forged, tab)).toMatchObject({ errorCode: 'bad_oauth_state' })
    }
    sso.clock.pass(601)
    expect(await sso.comeBack(answer, tab)).toMatchObject({ errorCode: 'bad_oauth_state' })
  })

  test('returns without a right answer are limited, before the provider is asked', async ({ sso }) => {
    const tab = sso.newTab()
    const { data } = await sso.begin(tab)
    const answer = await sso.provider.visit(data?.url ?? '', sso.employ())
    const at = sso.auth.now()
    const take = () => sso.auth.limits.companyCallback.limit('127.0.0.1', at, async () => undefined)
    for (let n = 1; n < LIMITS.companyCallback.burst; n++) await take()
    // This one asks the provider.
    const forged = new URL(answer)
    forged.searchParams.set('code', 'x')
    await sso.comeBack(forged, tab)
    const before = sso.provider.requests.length
    expect(await sso.comeBack(forged, tab)).toMatchObject({ errorCode: 'bad_oauth_state' })
    expect(await sso.comeBack(answer, tab)).toMatchObject({ errorCode: 'bad_oauth_state' })
    expect(sso.provider.requests).toHaveLength(before)
    sso.clock.pass(150)
    expect(await sso.comeBack(answer, tab)).toMatchObject({ errorCode: null })
  })
})

describe('threat 50: a code from the address bar, the history or a log', () => {
  test('threat 50: is worth nothing without the verifier, and burns', async ({ sso, service }) => {
    const tab = sso.newTab()
    const returned = await sso.reach(sso.employ(), tab)
    expect(await service.exchange(returned.code, 'x'.repeat(43))).toEqual([400, 'bad_code_verifier'])
    expect(refusalOf(await sso.exchange(tab, returned))).toEqual([404, 'flow_state_not_found'])
  })

  test('threat 50: works once, also eight times concurrently, and for five minutes', async ({ sso, service }) => {
    const tab = sso.newTab()
    const returned = await sso.reach(sso.employ(), tab)
    const verifier = verifierOf(tab)
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => service.exchange(returned.code, verifier)))
    expect(outcomes.map(([status]) => status).sort()).toEqual([200, ...Array(7).fill(404)])

    const late = sso.newTab()
    const returnedLate = await sso.reach(sso.employ(), late)
    sso.clock.pass(301)
    expect(refusalOf(await sso.exchange(late, returnedLate))).toEqual([422, 'flow_state_expired'])
  })

  test('threat 50: six hundred wrong codes use up those of the network', async ({ sso, service }) => {
    const at = sso.auth.now()
    const take = () => sso.auth.limits.companyExchange.limit('127.0.0.1', at, async () => undefined)
    for (let n = 1; n < LIMITS.companyExchange.burst; n++) await take()
    expect(await service.exchange('x', 'x')).toEqual([404, 'flow_state_not_found'])
    expect(await service.exchange('x', 'x')).toEqual([429, 'over_request_rate_limit'])
  })
})

describe('threat 109: a stranger in the network of an office', () => {
  test('threat 109: wrong passwords do not stop the company sign-ins of the others', async ({ sso }) => {
    const payload = { email: 'nobody@fjordlab.example', password: 'not the password' }
    const guess = () => sso.app.inject({ method: 'POST', url: '/auth/v1/token?grant_type=password', payload })
    for (let n = 0; n < LIMITS.signIn.burst; n++) await guess()
    expect((await guess()).statusCode).toBe(429)
    expect(refusalOf(await sso.signIn(sso.employ()))).toBeNull()
  })

  test('threat 109: wrong links do not stop the codes of the others', async ({ sso }) => {
    const { email } = await makeUser(sso)
    const tab = sso.newTab()
    const returned = await sso.reach({ ...sso.employ(), email }, tab)
    await sso.exchange(tab, returned)
    const open = () => sso.newTab().client.verifyOtp({ type: 'recovery', token_hash: 'x' })
    for (let n = 0; n < LIMITS.openLink.burst; n++) await open()
    expect(refusalOf(await open())).toEqual([429, 'over_request_rate_limit'])
    expect(refusalOf(await sso.enterCode(tab, returned, await digitsOf(sso, email)))).toBeNull()
  })
})

test('threat 115: sixty wrong returns a minute in the network of an office do not stop the sign-ins of the others', async ({
  sso,
}) => {
  const wrong = `http://localhost:3000/auth/v1/callback/${KEY}?state=x`
  for (let minute = 0; minute < 5; minute++) {
    for (let n = 0; n < 60; n++) await sso.comeBack(wrong, null)
    expect(refusalOf(await sso.signIn(sso.employ()))).toBeNull()
    sso.clock.pass(60)
  }
})

test('threat 51: an answer counts at its own callback only, and names its issuer (mix-up)', async ({
  sso,
  service,
}) => {
  await service.addCompany('other.example', ['other.example'])
  const tab = sso.newTab()
  const { data } = await sso.begin(tab)
  const answer = await sso.provider.visit(data?.url ?? '', sso.employ())
  const elsewhere = new URL(answer)
  elsewhere.pathname = '/auth/v1/callback/other.example'
  expect(await sso.comeBack(elsewhere, tab)).toMatchObject({ errorCode: 'bad_oauth_state' })
  for (const iss of ['https://evil.example', null]) {
    const changed = new URL(answer)
    if (iss === null) changed.searchParams.delete('iss')
    else changed.searchParams.set('iss', iss)
    expect(await sso.comeBack(changed, tab)).toMatchObject({ code: null, errorCode: 'bad_oauth_callback' })
  }
})

describe('threat 52: a foreign or changed answer', () => {
  test.for<[string, CompanyApp['provider']['faults']]>([
    ['another nonce', { claims: (claims) => ({ ...claims, nonce: 'x' }) }],
    ['no nonce', { claims: ({ nonce: _, ...claims }) => claims }],
    ['another issuer', { claims: (claims) => ({ ...claims, iss: 'https://evil.example' }) }],
    ['another audience', { claims: (claims) => ({ ...claims, aud: 'another-client' }) }],
    ['an end in the past', { claims: (claims) => ({ ...claims, exp: Math.floor(Date.now() / 1000) - 60 }) }],
    ['a broken signature', { idToken: (token) => `${token.slice(0, -8)}AAAAAAAA` }],
    ['no signature', { idToken: (token) => `eyJhbGciOiJub25lIn0.${token.split('.')[1]}.` }],
    ['no subject', { claims: ({ sub: _, ...claims }) => claims }],
    ['a subject that is no text', { claims: (claims) => ({ ...claims, sub: 7 }) }],
  ])('threat 52: an ID token with %s is refused', async ([_, faults], { sso }) => {
    const tab = sso.newTab()
    const { data } = await sso.begin(tab)
    const answer = await sso.provider.visit(data?.url ?? '', sso.employ())
    sso.provider.faults = faults
    expect(await sso.comeBack(answer, tab)).toMatchObject({ code: null, errorCode: 'bad_oauth_callback' })
  })

  test('threat 52: a code of the provider is refused when it is invented, of another sign-in, or used again', async ({
    sso,
  }) => {
    const [tab, other] = [sso.newTab(), sso.newTab()]
    const { data } = await sso.begin(tab)
    const answer = await sso.provider.visit(data?.url ?? '', sso.employ())
    const { data: others } = await sso.begin(other)
    const injected = await sso.provider.visit(others?.url ?? '', sso.employ())
    for (const code of ['x'.repeat(43), injected.searchParams.get('code') ?? '']) {
      const forged = new URL(answer)
      forged.searchParams.set('code', code)
      expect(await sso.comeBack(forged, tab)).toMatchObject({ code: null, errorCode: 'bad_oauth_callback' })
    }
    expect(await sso.comeBack(answer, tab)).toMatchObject({ errorCode: null })
    expect(await sso.comeBack(answer, tab)).toMatchObject({ code: null, errorCode: 'bad_oauth_callback' })
  })

  test.for([
    ['access_denied', 'access_denied'],
    ['login_required', 'bad_oauth_callback'],
    ['temporarily_unavailable', 'unexpected_failure'],
    ['<script>', 'bad_oauth_callback'],
  ] as const)('an answer with the error %s leads to the page with %s', async ([error, expected], { sso }) => {
    const tab = sso.newTab()
    const { data } = await sso.begin(tab)
    const state = new URL(data?.url ?? '').searchParams.get('state') ?? ''
    const query = new URLSearchParams({ error, state, iss: sso.provider.issuer })
    const url = `http://localhost:3000/auth/v1/callback/${KEY}?${query}`
    expect(await sso.comeBack(url, tab)).toMatchObject({ code: null, errorCode: expected })
  })
})

describe('threat 53: a colleague claims the address of Ann', () => {
  test.for([true, false])(
    'threat 53: and gets nothing but a code in her mailbox (verified: %s)',
    async (verified, { sso }) => {
      const ann = await makePerson(sso)
      const mallory = { ...sso.employ(), email: ann.email, email_verified: verified }
      const tab = sso.newTab()
      const outcome = await sso.signIn(mallory, tab)
      expect([refusalOf(outcome), outcome.data.session]).toEqual([NEEDS_CODE, null])
      expect((await tab.client.getSession()).data.session).toBeNull()
      const email = await newestMail(sso, ann.email)
      expect(email).toContain('will ask\r\nyou for it')
      expect(await whoami(sso, ann.device)).toEqual([200, undefined])
    },
  )

  test('threat 53: three codes an hour are emailed for one company account, silently, and ten to one address', async ({
    sso,
    service,
  }) => {
    const { email } = await makeUser(sso)
    const mallory = { ...sso.employ(), email }
    for (let n = 0; n < 5; n++) expect(refusalOf(await sso.signIn(mallory))).toEqual(NEEDS_CODE)
    expect(await service.codesTo(email)).toBe(3)
    for (let n = 0; n < 9; n++) expect(refusalOf(await sso.signIn({ ...sso.employ(), email }))).toEqual(NEEDS_CODE)
    expect(await service.codesTo(email)).toBe(10)
  })

  test('threat 108: a colleague in the same network leaves codes for Ann', async ({ sso, service }) => {
    const { email } = await makeUser(sso)
    const mallory = { ...sso.employ(), email }
    for (let n = 0; n < 5; n++) await sso.signIn(mallory)
    const tab = sso.newTab()
    const returned = await sso.reach({ ...sso.employ(), email }, tab)
    await sso.exchange(tab, returned)
    expect(await service.codesTo(email)).toBe(4)
    expect(refusalOf(await sso.enterCode(tab, returned, await digitsOf(sso, email)))).toBeNull()
  })
})

test('threat 113: an account that the directory has moved is connected with no other company account for 24 hours', async ({
  sso,
}) => {
  const { email } = await makeUser(sso)
  const mallory = sso.employ()
  const { id } = await addUser(sso.auth, { providerId: sso.providerId, now: sso.auth.now() }, { userName: email })
  const values = { userName: mallory.email, active: true }
  await replaceUser(sso.auth, { providerId: sso.providerId, now: sso.auth.now() }, id, values)
  expect(refusalOf(await sso.signIn(mallory))).toEqual(NEEDS_CODE)
  expect(await newestMail(sso, mallory.email)).toContain('Until then deeb sends neither')
  sso.clock.pass(24 * 3600)
  const tab = sso.newTab()
  const returned = await sso.reach(mallory, tab)
  await sso.exchange(tab, returned)
  expect(refusalOf(await sso.enterCode(tab, returned, await digitsOf(sso, mallory.email)))).toBeNull()
})

describe('threat 54: Ann is talked into a click or a code', () => {
  test('threat 54: the email has no link, and its code works in its own sign-in only', async ({ sso, service }) => {
    const { email } = await makeUser(sso)
    const eve = await service.ask(email)
    expect(await newestMail(sso, email)).not.toMatch(/https?:/)
    const ann = await service.ask(email)
    if (eve.digits !== ann.digits) {
      const outcome = await sso.enterCode(eve.tab, eve.returned, ann.digits)
      expect(refusalOf(outcome)).toEqual([400, 'invalid_credentials'])
    }
    expect(refusalOf(await sso.enterCode(ann.tab, ann.returned, ann.digits))).toBeNull()
  })

  test('threat 54: digits that were not sent open nothing', async ({ sso, service }) => {
    const { email } = await makeUser(sso)
    const employee = sso.employ()
    for (let sent = 0; sent < 3; sent++) await service.ask(email, employee)
    const tab = sso.newTab()
    const returned = await sso.reach({ ...employee, email }, tab)
    expect(refusalOf(await sso.exchange(tab, returned))).toEqual(NEEDS_CODE)
    const newest = statement(
      'test.newest-proof',
      'select id, proof_hash as hash from auth.flow_state where proof_hash is not null order by created_at desc, id desc limit 1',
    )
    const [flow] = await sso.auth.db.query<{ id: string; hash: Buffer }>(newest)
    const opens = (n: number) =>
      flow?.hash.equals(
        createHash('sha256')
          .update(`${flow.id} ${String(n).padStart(6, '0')}`)
          .digest(),
      )
    expect(Array.from({ length: 1_000_000 }, (_, n) => n).find(opens)).toBeUndefined()
  })

  test('threat 54: five codes, then none counts', async ({ sso, service }) => {
    const { tab, returned, digits } = await service.ask((await makeUser(sso)).email)
    const wrong = digits === '000000' ? '000001' : '000000'
    for (const code of [wrong, '', 'x', '1', '1234567']) {
      expect(refusalOf(await sso.enterCode(tab, returned, code))).toEqual([400, 'invalid_credentials'])
    }
    expect(refusalOf(await sso.enterCode(tab, returned, digits))).toEqual([403, 'otp_expired'])
  })

  test('threat 54: the code lasts fifteen minutes, and counts once, also eight times concurrently', async ({
    sso,
    service,
  }) => {
    const { returned, digits } = await service.ask((await makeUser(sso)).email)
    const late = await service.ask((await makeUser(sso)).email)
    // Below HTTP, where one request would be done before the next one begins.
    const input = { token_hash: returned.code ?? '', token: digits }
    const caller = {
      ip: '127.0.0.1',
      userAgent: null,
      browser: { cookie: null, isOnOurPages: false },
      language: 'en' as const,
    }
    const enter = () => enterCode(sso.auth, input, { caller, now: sso.auth.now() })
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, enter))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    sso.clock.pass(901)
    expect(refusalOf(await sso.enterCode(late.tab, late.returned, late.digits))).toEqual([403, 'otp_expired'])
  })

  test('threat 54: a sign-in that asks for a code is not exchanged again', async ({ sso, service }) => {
    const tab = sso.newTab()
    const returned = await sso.reach({ ...sso.employ(), email: (await makeUser(sso)).email }, tab)
    const verifier = verifierOf(tab)
    expect(await service.exchange(returned.code, verifier)).toEqual(NEEDS_CODE)
    expect(await service.exchange(returned.code, verifier)).toEqual([404, 'flow_state_not_found'])
    expect(refusalOf(await sso.enterCode(tab, { ...returned, code: 'x' }, '123456'))).toEqual([403, 'otp_expired'])
  })
})

describe('threat 55: a provider speaks for its own domains only', () => {
  test('threat 55: a domain that moves to another company takes its identities away', async ({ sso, service }) => {
    const id = await service.addCompany('moving.example', ['moving.example', 'kept.example'])
    await setDomains(sso.auth.db, sso.providerId, [KEY, 'moving.example'], sso.auth.now())
    const person = { ...sso.employ(), email: `${randomUUID()}@moving.example` }
    const tab = sso.newTab()
    expect(refusalOf(await sso.signIn(person, tab))).toBeNull()
    const ended = await setDomains(sso.auth.db, id, ['moving.example'], sso.auth.now())
    expect(ended).toHaveLength(1)
    expect(refusalOf(await tab.client.refreshSession())).toEqual([400, 'refresh_token_not_found'])
    expect(refusalOf(await sso.signIn(person))).toEqual([422, 'email_address_not_authorized'])
  })

  test('threat 55: an account that moves to another address leaves its company account behind', async ({ sso }) => {
    const person = sso.employ()
    await sso.signIn(person)
    const [user] = await sso.auth.db.query<{ id: string }>(findUser, { email: person.email })
    const move = statement('test.move-address', 'update auth.users set email = :to where id = :id')
    await sso.auth.db.query(move, { id: user?.id, to: `${randomUUID()}@elsewhere.example` })
    expect(refusalOf(await sso.signIn(person))).toEqual([422, 'email_address_not_authorized'])
  })
})

const findUser = statement('test.user-of', 'select id from auth.users where email = :email')

describe('threat 56: Google is one issuer for all organizations', () => {
  test('threat 56: only the organization of the domain may sign in', async ({ service }) => {
    const google = await service.addCompany(
      'acme.example',
      ['acme.example', 'acme.test'],
      'https://accounts.google.com',
    )
    const email = 'ann@acme.example'
    for (const hostedDomain of [null, 'evil.example', 'acme.test', 'sub.acme.example']) {
      const outcome = await service.answered(google, { email, hostedDomain })
      expect([hostedDomain, ...outcome]).toEqual([hostedDomain, 422, 'email_address_not_authorized'])
    }
    expect(await service.answered(google, { email, hostedDomain: 'acme.example' })).toEqual([200, undefined])
  })
})

describe('threat 60: the level of a company sign-in', () => {
  test('threat 60: is that of one factor: an account with an authenticator app is still asked for its code', async ({
    sso,
    service,
  }) => {
    const person = { ...sso.employ(), auth_time: service.seconds() }
    const tab = sso.newTab()
    await sso.signIn(person, tab)
    const factor = await enroll(tab.client)
    expect((await prove(sso, tab.client, factor.id)).error).toBeNull()
    const next = sso.newTab()
    await sso.signIn(person, next)
    expect(await whoami(sso, next.client, { cookie: next.browser.cookie })).toEqual([403, 'aal2_required'])
    const strong = sso.newTab()
    await sso.signIn({ ...person, amr: ['pwd', 'mfa'] }, strong)
    expect(await whoami(sso, strong.client, { cookie: strong.browser.cookie })).toEqual([200, undefined])
  })
})

describe('threat 65: a person who has left', () => {
  const tell = statement(
    'test.tell-scim',
    `insert into auth.scim_users (id, provider_id, user_name, email, active, created_at, updated_at)
    values (gen_random_uuid(), :providerId, :userName, :email, :isActive, :now, :now)`,
  )

  test('threat 65: cannot sign in for the first time', async ({ sso }) => {
    const [gone, back, here] = [sso.employ(), sso.employ(), sso.employ()]
    const { providerId } = sso
    const say = ({ email }: { email: string }, isActive: boolean) =>
      sso.auth.db.query(tell, { providerId, userName: randomUUID(), email, isActive, now: sso.auth.now() })
    await say(gone, false)
    await say(here, true)
    // Somebody who was removed and came back has two entries.
    await say(back, false)
    await say(back, true)
    expect(refusalOf(await sso.signIn(gone))).toEqual([403, 'user_banned'])
    expect(refusalOf(await sso.signIn(here))).toBeNull()
    expect(refusalOf(await sso.signIn(back))).toBeNull()
    expect(await sso.auth.db.query(findUser, { email: gone.email })).toEqual([])
  })

  test('threat 70: the block of the administrator and that of the company are separate', async ({ sso }) => {
    const person = sso.employ()
    await sso.signIn(person)
    const set = statement(
      'test.set-blocks',
      `update auth.users set banned_until = case when :isBlocked then 'infinity'::timestamptz end,
        deactivated_at = case when :isDeactivated then now() end where email = :email`,
    )
    for (const [isBlocked, isDeactivated] of [
      [true, true],
      [true, false],
      [false, true],
    ]) {
      await sso.auth.db.query(set, { email: person.email, isBlocked, isDeactivated })
      expect(refusalOf(await sso.signIn(person))).toEqual([403, 'user_banned'])
    }
    await sso.auth.db.query(set, { email: person.email, isBlocked: false, isDeactivated: false })
    expect(refusalOf(await sso.signIn(person))).toBeNull()
  })
})

test('threat 71: a dump has no secret of a company, and a secret opens in its own row only', async ({
  sso,
  service,
}) => {
  const person = sso.employ()
  const tab = sso.newTab()
  const returned = await sso.reach(person, tab)
  const dump = async () => {
    const tables = ['sso_providers', 'identities', 'flow_state', 'sessions', 'audit_log']
    const rows = tables.map((table) => `select to_jsonb(t)::text as row from auth.${table} as t`).join(' union all ')
    const found = await sso.auth.db.query<{ row: string }>(statement('test.company-dump', rows))
    return found.map(({ row }) => row).join('\n')
  }
  const before = await dump()
  await sso.exchange(tab, returned)
  for (const text of [before, await dump()]) {
    expect(text).toContain(person.sub)
    for (const secret of [CLIENT.secret, returned.code ?? '']) {
      expect(secret.length).toBeGreaterThan(10)
      for (const spelling of [secret, Buffer.from(secret).toString('hex')]) expect(text).not.toContain(spelling)
    }
  }
  const other = await service.addCompany('swapped.example', ['swapped.example'])
  const swap = statement(
    'test.swap-secrets',
    `update auth.sso_providers set updated_at = now(), client_secret =
      (select client_secret from auth.sso_providers where id = :from) where id = :to`,
  )
  await sso.auth.db.query(swap, { from: sso.providerId, to: other })
  expect((await sso.begin(sso.newTab(), { domain: 'swapped.example' })).error?.status).toBe(503)
})

test('threat 72: a provider that redirects is not followed', async ({ sso, service }) => {
  const redirecting = createServer((request, response) => {
    response.writeHead(302, { location: `${sso.provider.issuer}${request.url}` }).end()
  })
  await new Promise<void>((resolve) => redirecting.listen(0, '127.0.0.1', resolve))
  const { port } = redirecting.address() as AddressInfo
  await service.addCompany('redirected.example', ['redirected.example'], `http://localhost:${port}`)
  const before = sso.provider.requests.length
  expect((await sso.begin(sso.newTab(), { domain: 'redirected.example' })).error?.status).toBe(503)
  expect(sso.provider.requests).toHaveLength(before)
  redirecting.close()
})

test('threat 72: a provider that says it is another one is not used', async ({ sso, service }) => {
  const { port } = new URL(sso.provider.issuer)
  await service.addCompany('alias.example', ['alias.example'], `http://127.0.0.1:${port}`)
  expect((await sso.begin(sso.newTab(), { domain: 'alias.example' })).error?.status).toBe(503)
})

test('threat 76: another app that takes the scheme has a code without its verifier', async ({ sso, service }) => {
  const tab = sso.newTab()
  tab.browser.origin = 'https://localhost'
  const { data } = await sso.begin(tab)
  const returned = await sso.comeBack(await sso.provider.visit(data?.url ?? '', sso.employ()), null)
  expect(returned.app).toBe('android')
  expect(await service.exchange(returned.code, 'x'.repeat(64))).toEqual([400, 'bad_code_verifier'])
})

test('threat 77: an account without a password gets none from a session that was not proven', async ({
  sso,
  service,
}) => {
  const [person, again] = [sso.employ(), 'http://localhost:3000/app/sso?again=1']
  const silent = sso.newTab()
  await sso.signIn(person, silent)
  const password = 'eleven loud herons'
  expect((await silent.client.updateUser({ password })).error?.code).toBe('reauthentication_needed')
  const proven = sso.newTab()
  await sso.signIn({ ...person, auth_time: service.seconds() }, proven, again)
  expect((await proven.client.updateUser({ password })).error).toBeNull()
})
