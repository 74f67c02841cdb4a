import { createHash, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { statement } from '../../db/db.ts'
import { LIMITS } from '../../limits/limits-table.ts'
import { addUser, replaceUser } from '../../scim/users.ts'
import { APPS } from '../../testing/apps.ts'
import { mailsTo, newestMail } from '../../testing/auth-client.ts'
import { type CompanyBed, digitsOf, KEY, openCompanyBed, refusalOf, verifierOf } from '../../testing/company-bed.ts'
import { enroll, makePerson, prove, whoami } from '../../testing/factors.ts'
import { CLIENT } from '../../testing/identity-provider.ts'
import { makeUser } from '../../testing/make.ts'
import { insertCompany, setDomains } from './configure.ts'
import { enterCode } from './exchange.ts'

let bed: CompanyBed
beforeAll(async () => {
  bed = await openCompanyBed({ env: APPS })
})
afterAll(() => bed.close())
// Each test starts with fresh limits.
beforeEach(() => bed.clock.pass(3600))
afterEach(() => {
  bed.provider.faults = {}
})

const NEEDS_CODE = [422, 'provider_email_needs_verification']
const seconds = () => Math.floor(bed.clock.now().getTime() / 1000)

/** An exchange without auth-js, which would refuse some of these itself. */
async function exchange(code: string | null, verifier: string, path = 'token?grant_type=pkce') {
  const payload = { auth_code: code, code_verifier: verifier }
  const answer = await bed.app.inject({ method: 'POST', url: `/auth/v1/${path}`, payload })
  return [answer.statusCode, answer.json().code]
}

/** Adds another company. */
async function addCompany(key: string, domains: string[], issuer = bed.provider.issuer): Promise<string> {
  const { auth } = bed
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

describe('threat 49: login CSRF', () => {
  test('threat 49: an answer of the provider counts in the browser that began only', async () => {
    const [eve, victim] = [bed.newTab(), bed.newTab()]
    await bed.begin(victim)
    const { data } = await bed.begin(eve)
    const answer = await bed.provider.visit(data?.url ?? '', bed.employ())
    expect(await bed.comeBack(answer, victim)).toMatchObject({ code: null, errorCode: 'bad_oauth_state' })
    expect(await bed.comeBack(answer, null)).toMatchObject({ code: null, errorCode: 'bad_oauth_state' })
    expect(await bed.comeBack(answer, eve)).toMatchObject({ errorCode: null })
  })

  test('threat 49: a code of somebody else does nothing in our page: there is no verifier, and no request', async () => {
    const returned = await bed.reach(bed.employ(), bed.newTab())
    const victim = bed.newTab()
    await bed.begin(victim)
    const before = bed.statements.length
    expect((await bed.exchange(victim, returned)).error?.name).toBe('AuthPKCECodeVerifierMissingError')
    expect(bed.statements.slice(before)).toEqual([])
  })

  test('threat 49: a state is ours, of this provider and ten minutes old at most', async () => {
    const tab = bed.newTab()
    const { data } = await bed.begin(tab)
    const answer = await bed.provider.visit(data?.url ?? '', bed.employ())
    const state = answer.searchParams.get('state') ?? ''
    for (const other of ['', 'x', `${state}A`, state.slice(0, -4), `${state.slice(0, -4)}AAAA`, 'A'.repeat(400)]) {
      const forged = new URL(answer)
      forged.searchParams.set('state', other)
      expect(await bed.comeBack(forged, tab)).toMatchObject({ errorCode: 'bad_oauth_state' })
    }
    bed.clock.pass(601)
    expect(await bed.comeBack(answer, tab)).toMatchObject({ errorCode: 'bad_oauth_state' })
  })

  test('returns without a right answer are limited, before the provider is asked', async () => {
    const tab = bed.newTab()
    const { data } = await bed.begin(tab)
    const answer = await bed.provider.visit(data?.url ?? '', bed.employ())
    const at = bed.auth.now()
    const take = () => bed.auth.limits.companyCallback.limit('127.0.0.1', at, async () => undefined)
    for (let n = 1; n < LIMITS.companyCallback.burst; n++) await take()
    // This one asks the provider.
    const forged = new URL(answer)
    forged.searchParams.set('code', 'x')
    await bed.comeBack(forged, tab)
    const before = bed.provider.requests.length
    expect(await bed.comeBack(forged, tab)).toMatchObject({ errorCode: 'bad_oauth_state' })
    expect(await bed.comeBack(answer, tab)).toMatchObject({ errorCode: 'bad_oauth_state' })
    expect(bed.provider.requests).toHaveLength(before)
    bed.clock.pass(150)
    expect(await bed.comeBack(answer, tab)).toMatchObject({ errorCode: null })
  })
})

describe('threat 50: a code from the address bar, the history or a log', () => {
  test('threat 50: is worth nothing without the verifier, and burns', async () => {
    const tab = bed.newTab()
    const returned = await bed.reach(bed.employ(), tab)
    expect(await exchange(returned.code, 'x'.repeat(43))).toEqual([400, 'bad_code_verifier'])
    expect(refusalOf(await bed.exchange(tab, returned))).toEqual([404, 'flow_state_not_found'])
  })

  test('threat 50: works once, also eight times concurrently, and for five minutes', async () => {
    const tab = bed.newTab()
    const returned = await bed.reach(bed.employ(), tab)
    const verifier = verifierOf(tab)
    const outcomes = await Promise.all(Array.from({ length: 8 }, () => exchange(returned.code, verifier)))
    expect(outcomes.map(([status]) => status).sort()).toEqual([200, ...Array(7).fill(404)])

    const late = bed.newTab()
    const returnedLate = await bed.reach(bed.employ(), late)
    bed.clock.pass(301)
    expect(refusalOf(await bed.exchange(late, returnedLate))).toEqual([422, 'flow_state_expired'])
  })

  test('threat 50: six hundred wrong codes use up those of the network', async () => {
    const at = bed.auth.now()
    const take = () => bed.auth.limits.companyExchange.limit('127.0.0.1', at, async () => undefined)
    for (let n = 1; n < LIMITS.companyExchange.burst; n++) await take()
    expect(await exchange('x', 'x')).toEqual([404, 'flow_state_not_found'])
    expect(await exchange('x', 'x')).toEqual([429, 'over_request_rate_limit'])
  })
})

describe('threat 109: a stranger in the network of an office', () => {
  test('threat 109: wrong passwords do not stop the company sign-ins of the others', async () => {
    const payload = { email: 'nobody@fjordlab.example', password: 'not the password' }
    const guess = () => bed.app.inject({ method: 'POST', url: '/auth/v1/token?grant_type=password', payload })
    for (let n = 0; n < LIMITS.signIn.burst; n++) await guess()
    expect((await guess()).statusCode).toBe(429)
    expect(refusalOf(await bed.signIn(bed.employ()))).toBeNull()
  })

  test('threat 109: wrong links do not stop the codes of the others', async () => {
    const { email } = await makeUser(bed)
    const tab = bed.newTab()
    const returned = await bed.reach({ ...bed.employ(), email }, tab)
    await bed.exchange(tab, returned)
    const open = () => bed.newTab().client.verifyOtp({ type: 'recovery', token_hash: 'x' })
    for (let n = 0; n < LIMITS.openLink.burst; n++) await open()
    expect(refusalOf(await open())).toEqual([429, 'over_request_rate_limit'])
    expect(refusalOf(await bed.enterCode(tab, returned, await digitsOf(bed, email)))).toBeNull()
  })
})

test('threat 115: sixty wrong returns a minute in the network of an office do not stop the sign-ins of the others', async () => {
  const wrong = `http://localhost:3000/auth/v1/callback/${KEY}?state=x`
  for (let minute = 0; minute < 5; minute++) {
    for (let n = 0; n < 60; n++) await bed.comeBack(wrong, null)
    expect(refusalOf(await bed.signIn(bed.employ()))).toBeNull()
    bed.clock.pass(60)
  }
})

test('threat 51: an answer counts at its own callback only, and names its issuer (mix-up)', async () => {
  await addCompany('other.example', ['other.example'])
  const tab = bed.newTab()
  const { data } = await bed.begin(tab)
  const answer = await bed.provider.visit(data?.url ?? '', bed.employ())
  const elsewhere = new URL(answer)
  elsewhere.pathname = '/auth/v1/callback/other.example'
  expect(await bed.comeBack(elsewhere, tab)).toMatchObject({ errorCode: 'bad_oauth_state' })
  for (const iss of ['https://evil.example', null]) {
    const changed = new URL(answer)
    if (iss === null) changed.searchParams.delete('iss')
    else changed.searchParams.set('iss', iss)
    expect(await bed.comeBack(changed, tab)).toMatchObject({ code: null, errorCode: 'bad_oauth_callback' })
  }
})

describe('threat 52: a foreign or changed answer', () => {
  test.each<[string, CompanyBed['provider']['faults']]>([
    ['another nonce', { claims: (claims) => ({ ...claims, nonce: 'x' }) }],
    ['no nonce', { claims: ({ nonce: _, ...claims }) => claims }],
    ['another issuer', { claims: (claims) => ({ ...claims, iss: 'https://evil.example' }) }],
    ['another audience', { claims: (claims) => ({ ...claims, aud: 'another-client' }) }],
    ['an end in the past', { claims: (claims) => ({ ...claims, exp: Math.floor(Date.now() / 1000) - 60 }) }],
    ['a broken signature', { idToken: (token) => `${token.slice(0, -8)}AAAAAAAA` }],
    ['no signature', { idToken: (token) => `eyJhbGciOiJub25lIn0.${token.split('.')[1]}.` }],
    ['no subject', { claims: ({ sub: _, ...claims }) => claims }],
    ['a subject that is no text', { claims: (claims) => ({ ...claims, sub: 7 }) }],
  ])('threat 52: an ID token with %s is refused', async (_, faults) => {
    const tab = bed.newTab()
    const { data } = await bed.begin(tab)
    const answer = await bed.provider.visit(data?.url ?? '', bed.employ())
    bed.provider.faults = faults
    expect(await bed.comeBack(answer, tab)).toMatchObject({ code: null, errorCode: 'bad_oauth_callback' })
  })

  test('threat 52: a code of the provider is refused when it is invented, of another sign-in, or used again', async () => {
    const [tab, other] = [bed.newTab(), bed.newTab()]
    const { data } = await bed.begin(tab)
    const answer = await bed.provider.visit(data?.url ?? '', bed.employ())
    const { data: others } = await bed.begin(other)
    const injected = await bed.provider.visit(others?.url ?? '', bed.employ())
    for (const code of ['x'.repeat(43), injected.searchParams.get('code') ?? '']) {
      const forged = new URL(answer)
      forged.searchParams.set('code', code)
      expect(await bed.comeBack(forged, tab)).toMatchObject({ code: null, errorCode: 'bad_oauth_callback' })
    }
    expect(await bed.comeBack(answer, tab)).toMatchObject({ errorCode: null })
    expect(await bed.comeBack(answer, tab)).toMatchObject({ code: null, errorCode: 'bad_oauth_callback' })
  })

  test.each([
    ['access_denied', 'access_denied'],
    ['login_required', 'bad_oauth_callback'],
    ['temporarily_unavailable', 'unexpected_failure'],
    ['<script>', 'bad_oauth_callback'],
  ])('an answer with the error %s leads to the page with %s', async (error, expected) => {
    const tab = bed.newTab()
    const { data } = await bed.begin(tab)
    const state = new URL(data?.url ?? '').searchParams.get('state') ?? ''
    const query = new URLSearchParams({ error, state, iss: bed.provider.issuer })
    const url = `http://localhost:3000/auth/v1/callback/${KEY}?${query}`
    expect(await bed.comeBack(url, tab)).toMatchObject({ code: null, errorCode: expected })
  })
})

describe('threat 53: a colleague claims the address of Ann', () => {
  test.each([true, false])('threat 53: and gets nothing but a code in her mailbox (verified: %s)', async (verified) => {
    const ann = await makePerson(bed)
    const mallory = { ...bed.employ(), email: ann.email, email_verified: verified }
    const tab = bed.newTab()
    const outcome = await bed.signIn(mallory, tab)
    expect([refusalOf(outcome), outcome.data.session]).toEqual([NEEDS_CODE, null])
    expect((await tab.client.getSession()).data.session).toBeNull()
    const email = await newestMail(bed, ann.email)
    expect(email).toContain('will ask\r\nyou for it')
    expect(await whoami(bed, ann.device)).toEqual([200, undefined])
  })

  const codesTo = async (email: string) =>
    (await mailsTo(bed, email)).filter((text) => text.includes('Subject: Your code')).length

  test('threat 53: three codes an hour are emailed for one company account, silently, and ten to one address', async () => {
    const { email } = await makeUser(bed)
    const mallory = { ...bed.employ(), email }
    for (let n = 0; n < 5; n++) expect(refusalOf(await bed.signIn(mallory))).toEqual(NEEDS_CODE)
    expect(await codesTo(email)).toBe(3)
    for (let n = 0; n < 9; n++) expect(refusalOf(await bed.signIn({ ...bed.employ(), email }))).toEqual(NEEDS_CODE)
    expect(await codesTo(email)).toBe(10)
  })

  test('threat 108: a colleague in the same network leaves codes for Ann', async () => {
    const { email } = await makeUser(bed)
    const mallory = { ...bed.employ(), email }
    for (let n = 0; n < 5; n++) await bed.signIn(mallory)
    const tab = bed.newTab()
    const returned = await bed.reach({ ...bed.employ(), email }, tab)
    await bed.exchange(tab, returned)
    expect(await codesTo(email)).toBe(4)
    expect(refusalOf(await bed.enterCode(tab, returned, await digitsOf(bed, email)))).toBeNull()
  })
})

test('threat 113: an account that the directory has moved is connected with no other company account for 24 hours', async () => {
  const { email } = await makeUser(bed)
  const mallory = bed.employ()
  const { id } = await addUser(bed.auth, { providerId: bed.providerId, now: bed.auth.now() }, { userName: email })
  const values = { userName: mallory.email, active: true }
  await replaceUser(bed.auth, { providerId: bed.providerId, now: bed.auth.now() }, id, values)
  expect(refusalOf(await bed.signIn(mallory))).toEqual(NEEDS_CODE)
  expect(await newestMail(bed, mallory.email)).toContain('Until then deeb sends neither')
  bed.clock.pass(24 * 3600)
  const tab = bed.newTab()
  const returned = await bed.reach(mallory, tab)
  await bed.exchange(tab, returned)
  expect(refusalOf(await bed.enterCode(tab, returned, await digitsOf(bed, mallory.email)))).toBeNull()
})

describe('threat 54: Ann is talked into a click or a code', () => {
  async function ask(email: string, employee = bed.employ()) {
    const tab = bed.newTab()
    const returned = await bed.reach({ ...employee, email }, tab)
    expect(refusalOf(await bed.exchange(tab, returned))).toEqual(NEEDS_CODE)
    return { tab, returned, digits: await digitsOf(bed, email) }
  }

  test('threat 54: the email has no link, and its code works in its own sign-in only', async () => {
    const { email } = await makeUser(bed)
    const eve = await ask(email)
    expect(await newestMail(bed, email)).not.toMatch(/https?:/)
    const ann = await ask(email)
    if (eve.digits !== ann.digits) {
      const outcome = await bed.enterCode(eve.tab, eve.returned, ann.digits)
      expect(refusalOf(outcome)).toEqual([400, 'invalid_credentials'])
    }
    expect(refusalOf(await bed.enterCode(ann.tab, ann.returned, ann.digits))).toBeNull()
  })

  test('threat 54: digits that were not sent open nothing', async () => {
    const { email } = await makeUser(bed)
    const employee = bed.employ()
    for (let sent = 0; sent < 3; sent++) await ask(email, employee)
    const tab = bed.newTab()
    const returned = await bed.reach({ ...employee, email }, tab)
    expect(refusalOf(await bed.exchange(tab, returned))).toEqual(NEEDS_CODE)
    const newest = statement(
      'test.newest-proof',
      'select id, proof_hash as hash from auth.flow_state where proof_hash is not null order by created_at desc, id desc limit 1',
    )
    const [flow] = await bed.auth.db.query<{ id: string; hash: Buffer }>(newest)
    const opens = (n: number) =>
      flow?.hash.equals(
        createHash('sha256')
          .update(`${flow.id} ${String(n).padStart(6, '0')}`)
          .digest(),
      )
    expect(Array.from({ length: 1_000_000 }, (_, n) => n).find(opens)).toBeUndefined()
  })

  test('threat 54: five codes, then none counts', async () => {
    const { tab, returned, digits } = await ask((await makeUser(bed)).email)
    const wrong = digits === '000000' ? '000001' : '000000'
    for (const code of [wrong, '', 'x', '1', '1234567']) {
      expect(refusalOf(await bed.enterCode(tab, returned, code))).toEqual([400, 'invalid_credentials'])
    }
    expect(refusalOf(await bed.enterCode(tab, returned, digits))).toEqual([403, 'otp_expired'])
  })

  test('threat 54: the code lasts fifteen minutes, and counts once, also eight times concurrently', async () => {
    const { returned, digits } = await ask((await makeUser(bed)).email)
    const late = await ask((await makeUser(bed)).email)
    // Below HTTP, where one request would be done before the next one begins.
    const input = { token_hash: returned.code ?? '', token: digits }
    const caller = {
      ip: '127.0.0.1',
      userAgent: null,
      browser: { cookie: null, isOnOurPages: false },
      language: 'en' as const,
    }
    const enter = () => enterCode(bed.auth, input, { caller, now: bed.auth.now() })
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, enter))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1)
    bed.clock.pass(901)
    expect(refusalOf(await bed.enterCode(late.tab, late.returned, late.digits))).toEqual([403, 'otp_expired'])
  })

  test('threat 54: a sign-in that asks for a code is not exchanged again', async () => {
    const tab = bed.newTab()
    const returned = await bed.reach({ ...bed.employ(), email: (await makeUser(bed)).email }, tab)
    const verifier = verifierOf(tab)
    expect(await exchange(returned.code, verifier)).toEqual(NEEDS_CODE)
    expect(await exchange(returned.code, verifier)).toEqual([404, 'flow_state_not_found'])
    expect(refusalOf(await bed.enterCode(tab, { ...returned, code: 'x' }, '123456'))).toEqual([403, 'otp_expired'])
  })
})

describe('threat 55: a provider speaks for its own domains only', () => {
  test('threat 55: a domain that moves to another company takes its identities away', async () => {
    const id = await addCompany('moving.example', ['moving.example', 'kept.example'])
    await setDomains(bed.auth.db, bed.providerId, [KEY, 'moving.example'], bed.auth.now())
    const person = { ...bed.employ(), email: `${randomUUID()}@moving.example` }
    const tab = bed.newTab()
    expect(refusalOf(await bed.signIn(person, tab))).toBeNull()
    const ended = await setDomains(bed.auth.db, id, ['moving.example'], bed.auth.now())
    expect(ended).toHaveLength(1)
    expect(refusalOf(await tab.client.refreshSession())).toEqual([400, 'refresh_token_not_found'])
    expect(refusalOf(await bed.signIn(person))).toEqual([422, 'email_address_not_authorized'])
  })

  test('threat 55: an account that moves to another address leaves its company account behind', async () => {
    const person = bed.employ()
    await bed.signIn(person)
    const [user] = await bed.auth.db.query<{ id: string }>(findUser, { email: person.email })
    const move = statement('test.move-address', 'update auth.users set email = :to where id = :id')
    await bed.auth.db.query(move, { id: user?.id, to: `${randomUUID()}@elsewhere.example` })
    expect(refusalOf(await bed.signIn(person))).toEqual([422, 'email_address_not_authorized'])
  })
})

const findUser = statement('test.user-of', 'select id from auth.users where email = :email')

describe('threat 56: Google is one issuer for all organizations', () => {
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
    await bed.auth.db.query(keep, {
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
      now: bed.auth.now(),
    })
    return exchange(code, verifier)
  }

  test('threat 56: only the organization of the domain may sign in', async () => {
    const google = await addCompany('acme.example', ['acme.example', 'acme.test'], 'https://accounts.google.com')
    const email = 'ann@acme.example'
    for (const hostedDomain of [null, 'evil.example', 'acme.test', 'sub.acme.example']) {
      const outcome = await answered(google, { email, hostedDomain })
      expect([hostedDomain, ...outcome]).toEqual([hostedDomain, 422, 'email_address_not_authorized'])
    }
    expect(await answered(google, { email, hostedDomain: 'acme.example' })).toEqual([200, undefined])
  })
})

describe('threat 60: the level of a company sign-in', () => {
  test('threat 60: is that of one factor: an account with an authenticator app is still asked for its code', async () => {
    const person = { ...bed.employ(), auth_time: seconds() }
    const tab = bed.newTab()
    await bed.signIn(person, tab)
    const factor = await enroll(tab.client)
    expect((await prove(bed, tab.client, factor.id)).error).toBeNull()
    const next = bed.newTab()
    await bed.signIn(person, next)
    expect(await whoami(bed, next.client, { cookie: next.browser.cookie })).toEqual([403, 'aal2_required'])
    const strong = bed.newTab()
    await bed.signIn({ ...person, amr: ['pwd', 'mfa'] }, strong)
    expect(await whoami(bed, strong.client, { cookie: strong.browser.cookie })).toEqual([200, undefined])
  })
})

describe('threat 65: a person who has left', () => {
  const tell = statement(
    'test.tell-scim',
    `insert into auth.scim_users (id, provider_id, user_name, email, active, created_at, updated_at)
    values (gen_random_uuid(), :providerId, :userName, :email, :isActive, :now, :now)`,
  )

  test('threat 65: cannot sign in for the first time', async () => {
    const [gone, back, here] = [bed.employ(), bed.employ(), bed.employ()]
    const { providerId } = bed
    const say = ({ email }: { email: string }, isActive: boolean) =>
      bed.auth.db.query(tell, { providerId, userName: randomUUID(), email, isActive, now: bed.auth.now() })
    await say(gone, false)
    await say(here, true)
    // Somebody who was removed and came back has two entries.
    await say(back, false)
    await say(back, true)
    expect(refusalOf(await bed.signIn(gone))).toEqual([403, 'user_banned'])
    expect(refusalOf(await bed.signIn(here))).toBeNull()
    expect(refusalOf(await bed.signIn(back))).toBeNull()
    expect(await bed.auth.db.query(findUser, { email: gone.email })).toEqual([])
  })

  test('threat 70: the block of the administrator and that of the company are separate', async () => {
    const person = bed.employ()
    await bed.signIn(person)
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
      await bed.auth.db.query(set, { email: person.email, isBlocked, isDeactivated })
      expect(refusalOf(await bed.signIn(person))).toEqual([403, 'user_banned'])
    }
    await bed.auth.db.query(set, { email: person.email, isBlocked: false, isDeactivated: false })
    expect(refusalOf(await bed.signIn(person))).toBeNull()
  })
})

test('threat 71: a dump has no secret of a company, and a secret opens in its own row only', async () => {
  const person = bed.employ()
  const tab = bed.newTab()
  const returned = await bed.reach(person, tab)
  const dump = async () => {
    const tables = ['sso_providers', 'identities', 'flow_state', 'sessions', 'audit_log']
    const rows = tables.map((table) => `select to_jsonb(t)::text as row from auth.${table} as t`).join(' union all ')
    const found = await bed.auth.db.query<{ row: string }>(statement('test.company-dump', rows))
    return found.map(({ row }) => row).join('\n')
  }
  const before = await dump()
  await bed.exchange(tab, returned)
  for (const text of [before, await dump()]) {
    expect(text).toContain(person.sub)
    for (const secret of [CLIENT.secret, returned.code ?? '']) {
      expect(secret.length).toBeGreaterThan(10)
      for (const spelling of [secret, Buffer.from(secret).toString('hex')]) expect(text).not.toContain(spelling)
    }
  }
  const other = await addCompany('swapped.example', ['swapped.example'])
  const swap = statement(
    'test.swap-secrets',
    `update auth.sso_providers set updated_at = now(), client_secret =
      (select client_secret from auth.sso_providers where id = :from) where id = :to`,
  )
  await bed.auth.db.query(swap, { from: bed.providerId, to: other })
  expect((await bed.begin(bed.newTab(), { domain: 'swapped.example' })).error?.status).toBe(503)
})

test('threat 72: a provider that redirects is not followed', async () => {
  const redirecting = createServer((request, response) => {
    response.writeHead(302, { location: `${bed.provider.issuer}${request.url}` }).end()
  })
  await new Promise<void>((resolve) => redirecting.listen(0, '127.0.0.1', resolve))
  const { port } = redirecting.address() as AddressInfo
  await addCompany('redirected.example', ['redirected.example'], `http://localhost:${port}`)
  const before = bed.provider.requests.length
  expect((await bed.begin(bed.newTab(), { domain: 'redirected.example' })).error?.status).toBe(503)
  expect(bed.provider.requests).toHaveLength(before)
  redirecting.close()
})

test('threat 72: a provider that says it is another one is not used', async () => {
  const { port } = new URL(bed.provider.issuer)
  await addCompany('alias.example', ['alias.example'], `http://127.0.0.1:${port}`)
  expect((await bed.begin(bed.newTab(), { domain: 'alias.example' })).error?.status).toBe(503)
})

test('threat 76: another app that takes the scheme has a code without its verifier', async () => {
  const tab = bed.newTab()
  tab.browser.origin = 'https://localhost'
  const { data } = await bed.begin(tab)
  const returned = await bed.comeBack(await bed.provider.visit(data?.url ?? '', bed.employ()), null)
  expect(returned.app).toBe('android')
  expect(await exchange(returned.code, 'x'.repeat(64))).toEqual([400, 'bad_code_verifier'])
})

test('threat 77: an account without a password gets none from a session that was not proven', async () => {
  const [person, again] = [bed.employ(), 'http://localhost:3000/app/sso?again=1']
  const silent = bed.newTab()
  await bed.signIn(person, silent)
  const password = 'eleven loud herons'
  expect((await silent.client.updateUser({ password })).error?.code).toBe('reauthentication_needed')
  const proven = bed.newTab()
  await bed.signIn({ ...person, auth_time: seconds() }, proven, again)
  expect((await proven.client.updateUser({ password })).error).toBeNull()
})
