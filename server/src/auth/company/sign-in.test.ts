import { afterAll, beforeAll, describe, expect, vi } from 'vitest'
import { statement } from '../../db/db.ts'
import { hashOfToken, makeScimToken, providerOfToken, removeScimTokens } from '../../scim/token.ts'
import { APPS } from '../../testing/apps.ts'
import { newestMail } from '../../testing/auth-client.ts'
import { deactivate } from '../../testing/company.ts'
import { type CompanyApp, digitsOf, KEY, openCompanyApp, refusalOf, type Tab } from '../../testing/company-app.ts'
import { levelOf, signIn, whoami } from '../../testing/factors.ts'
import { makeUser, PASSWORD } from '../../testing/make.ts'
import { test as base } from '../../testing/test.ts'
import { recheckIdentities } from './recheck.ts'

const test = base.extend('settings', { scope: 'file' }, APPS).extend('service', ({ sso }) => {
  const seconds = () => Math.floor(sso.clock.now().getTime() / 1000)
  const read = async () => (await sso.app.inject({ url: '/auth/v1/settings' })).json()
  return { seconds, read }
})

// Each test starts with fresh limits.
test.beforeEach(({ sso }) => sso.clock.pass(3600))
test.afterEach(({ sso }) => {
  sso.provider.faults = {}
  vi.useRealTimers()
})

const readAccount = statement(
  'test.company-account',
  `select encrypted_password as password, first_name as first, last_name as last, company_domain as company,
    raw_app_meta_data->'providers' as providers, (select count(*)::int from auth.identities where user_id = users.id) as identities
  from auth.users join profiles using (id) where users.email = :email`,
)
const readSession = statement(
  'test.company-session',
  `select aal, amr, proven_at as "provenAt", extract(epoch from not_after - sessions.created_at)::int / 3600 as lives, sso_provider_id as "providerId"
  from auth.sessions join auth.users on users.id = user_id where users.email = :email
  order by sessions.created_at desc limit 1`,
)
test('a company account makes an account without a password, and signs in to it again', async ({ sso }) => {
  const ann = sso.employ('mara.lind', { given_name: 'Mära', family_name: 'Lind-Øster' })
  const tab = sso.newTab()
  const first = await sso.signIn(ann, tab)
  expect(refusalOf(first)).toBeNull()
  expect(await whoami(sso, tab.client, { cookie: tab.browser.cookie })).toEqual([200, undefined])
  expect(await sso.auth.db.query(readAccount, { email: ann.email })).toEqual([
    {
      ...{ password: null, first: 'Mära', last: 'Lind-Øster', company: 'fjordlab.example' },
      ...{ providers: [`sso:${sso.providerId}`], identities: 1 },
    },
  ])
  expect(await newestMail(sso, ann.email)).toBeNull()
  const second = await sso.signIn(ann)
  expect(second.data.user?.id).toBe(first.data.user?.id)
  // An address that changes at the company does not move the account.
  const renamed = await sso.signIn({ ...ann, email: 'mara.berg@fjordlab.example' })
  expect(renamed.data.user).toMatchObject({ id: first.data.user?.id, email: ann.email })
})

test.for([
  ['nothing but letters', { given_name: 'www.evil.example', family_name: 'Meyer' }],
  ['both names', { family_name: 'Meyer' }],
  ['text', { given_name: 1, family_name: ['Meyer'] }],
] as const)('a name is taken from the company only if it is %s', async ([_, claims], { sso, service }) => {
  const local = `no.name${service.seconds()}`
  const person = sso.employ(local, claims)
  await sso.signIn(person)
  expect(await sso.auth.db.query(readAccount, { email: person.email })).toMatchObject([{ first: null, last: null }])
})

test('two concurrent first sign-ins of one person make one account', async ({ sso }) => {
  const person = sso.employ()
  const begun = await Promise.all(
    [sso.newTab(), sso.newTab()].map(async (tab) => ({ tab, returned: await sso.reach(person, tab) })),
  )
  const outcomes = await Promise.all(begun.map(({ tab, returned }) => sso.exchange(tab, returned)))
  expect(outcomes.map(refusalOf)).toEqual([null, null])
  expect(outcomes[0]?.data.user?.id).toBe(outcomes[1]?.data.user?.id)
})

describe('an address that has an account', () => {
  test('is opened by a code from its mailbox, and from then on without one; the password stays', async ({ sso }) => {
    const { userId, email } = await makeUser(sso)
    const person = { ...sso.employ(), email }
    const tab = sso.newTab()
    const returned = await sso.reach(person, tab)
    const asked = await sso.exchange(tab, returned)
    expect(refusalOf(asked)).toEqual([422, 'provider_email_needs_verification'])
    expect(asked.error?.message).toBe(`We have sent a code to ${email}.`)
    const digits = await digitsOf(sso, email)
    const opened = await sso.enterCode(tab, returned, ` ${digits.slice(0, 3)} ${digits.slice(3)}\u200b`)
    expect([refusalOf(opened), opened.data.user?.id]).toEqual([null, userId])
    expect(await newestMail(sso, email)).toContain('Subject: Your company account opens deeb now')
    expect((await sso.signIn(person)).data.user?.id).toBe(userId)
    await signIn(sso, email)
    expect(await sso.auth.db.query(readAccount, { email })).toMatchObject([
      { providers: ['email', `sso:${sso.providerId}`], identities: 2 },
    ])
  })

  test('is not opened by a second company account', async ({ sso }) => {
    const person = sso.employ()
    await sso.signIn(person)
    const other = { ...sso.employ(), email: person.email }
    expect(refusalOf(await sso.signIn(other))).toEqual([422, 'identity_already_exists'])
    expect(await newestMail(sso, person.email)).toBeNull()
  })
})

test.for([
  ['email_verified', { email_verified: true }, null],
  ['xms_edov of Entra', { email_verified: undefined, xms_edov: '1' }, null],
  ['nothing', { email_verified: undefined }, 'provider_email_needs_verification'],
  ['"true" as a text', { email_verified: 'true' }, null],
  ['"false" as a text', { email_verified: 'false' }, 'provider_email_needs_verification'],
  ['a list', { email_verified: ['true'] }, 'provider_email_needs_verification'],
  ['no address', { email: undefined }, 'email_address_not_authorized'],
  ['an address that is not normal', { email: 'ann@@fjordlab.example' }, 'email_address_not_authorized'],
  ['another domain', { email: 'ann@elsewhere.example' }, 'email_address_not_authorized'],
  ['a subdomain', { email: 'ann@eu.fjordlab.example' }, 'email_address_not_authorized'],
] as const)('a first sign-in with %s', async ([_, claims, expected], { sso }) => {
  const { error } = await sso.signIn({ ...sso.employ(), ...claims })
  expect(error?.code ?? null).toBe(expected)
})

test('a first sign-in with an unverified address makes an account by the code', async ({ sso }) => {
  const person = { ...sso.employ(), email_verified: false }
  const tab = sso.newTab()
  const returned = await sso.reach(person, tab)
  await sso.exchange(tab, returned)
  const opened = await sso.enterCode(tab, returned, await digitsOf(sso, person.email))
  expect([refusalOf(opened), opened.data.user?.email]).toEqual([null, person.email])
})

test('what a company sign-in is worth: the level, the proof and the time depend on the claims', async ({
  sso,
  service,
}) => {
  const worth = async (claims: object, redirectTo?: string) => {
    const person = { ...sso.employ(), ...claims }
    await sso.signIn(person, sso.newTab(), redirectTo)
    const [session] = await sso.auth.db.query<{ aal: string; provenAt: Date | null }>(readSession, {
      email: person.email,
    })
    expect(session).toMatchObject({ amr: [{ method: 'oauth' }], providerId: sso.providerId, lives: 90 * 24 })
    return [session?.aal, session?.provenAt && Math.floor(session.provenAt.getTime() / 1000)]
  }
  const [authTime, again] = [service.seconds() - 30, 'http://localhost:3000/app/sso?again=1']
  expect(await worth({})).toEqual(['aal1', null])
  expect(await worth({ amr: ['pwd', 'mfa'], auth_time: authTime })).toEqual(['aal2', authTime])
  expect(await worth({ amr: 'mfa' })).toEqual(['aal1', null])
  // A first sign-in again without `auth_time` proves nothing either.
  expect(await worth({ auth_time: undefined }, again)).toEqual(['aal1', null])
  expect(await worth({ auth_time: authTime }, again)).toEqual(['aal1', authTime])
  // A provider with a clock that is ahead.
  const [, ahead] = await worth({ auth_time: service.seconds() + 9999 })
  expect(Number(ahead)).toBeLessThanOrEqual(service.seconds())
})

test('a sign-in again asks the provider to authenticate the person', async ({ sso }) => {
  const { data } = await sso.begin(sso.newTab(), { redirectTo: 'http://localhost:3000/app/sso?again=1' })
  const { searchParams } = new URL(data?.url ?? '')
  expect([searchParams.get('prompt'), searchParams.get('max_age')]).toEqual(['login', '0'])
  const { data: silent } = await sso.begin(sso.newTab())
  expect(new URL(silent?.url ?? '').searchParams.has('prompt')).toBe(false)
})

describe('threat 106: a provider that answers silently although the person should authenticate again', () => {
  const again = 'http://localhost:3000/app/sso?again=1'
  const enrollIn = async (tab: Tab) => refusalOf(await tab.client.mfa.enroll({ factorType: 'totp' }))

  test.for([
    ['no auth_time', null],
    ['an old auth_time', 901],
  ] as const)('threat 106: with %s the proof is a code from the mailbox of the account', async ([_, age], { sso }) => {
    const seconds = Math.floor(sso.clock.now().getTime() / 1000)
    const person = { ...sso.employ(), auth_time: age === null ? undefined : seconds - age }
    const tab = sso.newTab()
    expect(refusalOf(await sso.signIn(person, tab))).toBeNull()
    expect(await enrollIn(tab)).toEqual([400, 'reauthentication_needed'])
    const returned = await sso.reach({ ...person, email: 'elsewhere@fjordlab.example' }, tab, again)
    const asked = await sso.exchange(tab, returned)
    expect(refusalOf(asked)).toEqual([422, 'provider_email_needs_verification'])
    expect(asked.error?.message).toBe(`We have sent a code to ${person.email}.`)
    // The session from before is still without a proof.
    expect(await enrollIn(tab)).toEqual([400, 'reauthentication_needed'])
    expect(refusalOf(await sso.enterCode(tab, returned, await digitsOf(sso, person.email)))).toBeNull()
    expect(await enrollIn(tab)).toBeNull()
  })

  test('threat 106: a deactivated person gets no code', async ({ sso }) => {
    const person = sso.employ()
    const { data } = await sso.signIn(person)
    await deactivate(sso.auth.db, data.user?.id ?? '')
    expect(refusalOf(await sso.signIn(person, sso.newTab(), again))).toEqual([403, 'user_banned'])
    expect(await newestMail(sso, person.email)).toBeNull()
  })
})

describe('threat 107: without a refresh token a session lives 24 hours, unless the directory watches this person', () => {
  let unwatched: CompanyApp
  let token: string
  beforeAll(async () => {
    unwatched = await openCompanyApp({ hasRefreshTokens: false })
    token = (await makeScimToken(unwatched.auth.db, KEY, unwatched.clock.now())) ?? ''
  })
  afterAll(() => unwatched.close())

  const livesOf = async ({ email }: { email: string }) => {
    const [session] = await unwatched.auth.db.query<{ lives: number }>(readSession, { email })
    return session?.lives
  }
  async function livesAfterSignIn(person = unwatched.employ()) {
    expect(refusalOf(await unwatched.signIn(person))).toBeNull()
    return livesOf(person)
  }
  const use = () => providerOfToken(unwatched.auth.db, hashOfToken(token) ?? Buffer.of(), unwatched.clock.now())
  const enter = (email: string, isActive = true) =>
    unwatched.auth.db.query(
      statement(
        'test.enter-person',
        `insert into auth.scim_users (id, provider_id, user_name, email, active, created_at, updated_at)
        values (gen_random_uuid(), :providerId, :email, :email, :isActive, now(), now())`,
      ),
      { providerId: unwatched.providerId, email, isActive },
    )

  test('threat 107: an entry of somebody else does not count', async () => {
    const ann = unwatched.employ()
    await enter(ann.email)
    expect(await livesAfterSignIn(ann)).toBe(24)
    await use()
    expect(await livesAfterSignIn(ann)).toBe(90 * 24)
    expect(await livesAfterSignIn()).toBe(24)
    unwatched.clock.pass(25 * 3600)
    expect(await livesAfterSignIn(ann)).toBe(24)
  })

  test('threat 107: a directory that is switched off leaves 24 hours to the sessions that it watched', async () => {
    const [ann, checked] = [unwatched.employ(), unwatched.employ()]
    await use()
    for (const { email } of [ann, checked]) await enter(email)
    for (const person of [ann, checked]) expect(await livesAfterSignIn(person)).toBe(90 * 24)
    const keepToken = statement(
      'test.keep-refresh-token',
      `update auth.identities set idp_refresh_token = '\\x01' from auth.users
      where users.id = user_id and users.email = :email`,
    )
    await unwatched.auth.db.query(keepToken, { email: checked.email })
    unwatched.clock.pass(2 * 3600)
    expect(await removeScimTokens(unwatched.auth.db, KEY, unwatched.clock.now())).toBe(1)
    expect([await livesOf(ann), await livesOf(checked)]).toEqual([26, 90 * 24])
    unwatched.clock.pass(23 * 3600)
    expect(await removeScimTokens(unwatched.auth.db, KEY, unwatched.clock.now())).toBe(0)
    expect(await livesOf(ann)).toBe(26)
  })

  test('threat 117: a directory that is silent for seven days leaves 24 hours, also to a sign-in concurrent with its end', async () => {
    token = (await makeScimToken(unwatched.auth.db, KEY, unwatched.clock.now())) ?? ''
    const [ann, late] = [unwatched.employ(), unwatched.employ()]
    for (const { email } of [ann, late]) await enter(email)
    await use()
    const recheck = () => recheckIdentities({ ...unwatched.auth, logError: () => undefined }, unwatched.clock.now())
    expect(await livesAfterSignIn(ann)).toBe(90 * 24)
    unwatched.clock.pass(6 * 24 * 3600)
    await recheck()
    expect(await livesOf(ann)).toBe(90 * 24)
    unwatched.clock.pass(25 * 3600)
    await recheck()
    expect(await livesOf(ann)).toBe(8 * 24 + 1)

    await use()
    expect(await livesAfterSignIn(late)).toBe(90 * 24)
    // As a sign-in that has read the token of the directory before it was removed.
    await unwatched.auth.db.query(statement('test.remove-tokens', 'delete from auth.scim_tokens'), {})
    await recheck()
    expect(await livesOf(late)).toBe(24)
  })
})

describe('/sso', () => {
  test('names the company and sets the flow cookie, which it keeps', async ({ sso }) => {
    const tab = sso.newTab()
    const { data } = await sso.begin(tab)
    expect(data).toMatchObject({ name: 'Fjordlab', only: false })
    await sso.begin(tab)
    const [first, second] = tab.browser.given
    expect(first).toMatch(/^deeb-flow=[\w-]{43}; Path=\/; Max-Age=600; HttpOnly; SameSite=Lax$/)
    expect(second).toBe(first)
  })

  test('takes a domain in any spelling, or the id of the provider', async ({ sso }) => {
    const tab = sso.newTab()
    expect(refusalOf(await sso.begin(tab, { domain: ' FjordLab.Example' }))).toBeNull()
    expect(refusalOf(await tab.client.signInWithSSO({ providerId: sso.providerId }))).toBeNull()
  })

  test.for(['elsewhere.example', '', 'x', 'a@fjordlab.example', 'fjordlab.example\u0000'])(
    'knows no company of %j',
    async (domain, { sso }) => {
      expect(refusalOf(await sso.begin(sso.newTab(), { domain }))).toEqual([404, 'sso_provider_not_found'])
    },
  )

  test('refuses other pages, and challenges that are not S256', async ({ sso }) => {
    const challenge = { code_challenge: 'x'.repeat(43), code_challenge_method: 's256' }
    const ask = (payload: object, origin?: string) =>
      sso.app.inject({
        method: 'POST',
        url: '/auth/v1/sso',
        payload: { domain: 'fjordlab.example', ...payload },
        headers: { ...(origin && { origin }) },
      })
    const own = 'http://localhost:3000'
    expect((await ask(challenge, own)).statusCode).toBe(200)
    for (const origin of [undefined, 'null', 'https://evil.example', 'http://localhost:3001']) {
      expect((await ask(challenge, origin)).json().code).toBe('validation_failed')
    }
    for (const wrong of [{ code_challenge_method: 'plain' }, { code_challenge: null }, { code_challenge: 'short' }]) {
      expect((await ask({ ...challenge, ...wrong }, own)).json().code).toBe('validation_failed')
    }
  })

  test('writes nothing, however many sign-ins begin', async ({ sso }) => {
    const tab = sso.newTab()
    await sso.begin(tab)
    const before = sso.statements.length
    for (let n = 0; n < 20; n++) await sso.begin(tab)
    const executed = new Set(sso.statements.slice(before))
    expect([...executed].sort()).toEqual(['auth.find-provider', 'auth.provider-of-domain'])
  })

  test('is limited to 600 in five minutes', async ({ sso }) => {
    const at = sso.clock.now()
    const take = () => sso.auth.limits.companySignIn.limit('127.0.0.1', at, async () => undefined)
    for (let n = 0; n < 600; n++) await take()
    expect(refusalOf(await sso.begin(sso.newTab()))).toEqual([429, 'over_request_rate_limit'])
  })
})

describe('a native app', () => {
  test('gets the code for itself: no cookie, and its name in the fragment', async ({ sso }) => {
    const person = sso.employ()
    const tab = sso.newTab()
    tab.browser.origin = 'capacitor://localhost'
    const { data } = await sso.begin(tab)
    expect(tab.browser.given).toEqual([])
    // The system browser has none of the cookies of the app.
    const returned = await sso.comeBack(await sso.provider.visit(data?.url ?? '', person), null)
    expect(returned).toMatchObject({ app: 'ios', errorCode: null })
    expect(refusalOf(await sso.exchange(tab, returned))).toBeNull()
  })
})

describe('settings', () => {
  test('say that a company signs in, and the schemes of the apps', async ({ service }) => {
    expect(await service.read()).toMatchObject({
      sso_enabled: true,
      sso: null,
      app_scheme: { android: 'com.example.deeb', ios: 'com.example.deeb' },
    })
  })
})

describe('a provider that is down', () => {
  test('threat 73: new sign-ins answer 503, and continue when it is back', async ({ sso }) => {
    sso.provider.faults = { isDown: true }
    const { error } = await sso.begin(sso.newTab())
    expect([error?.status, error?.name]).toEqual([503, 'AuthRetryableFetchError'])
    expect(sso.auth.oidc.failures()).toBeGreaterThan(0)
    sso.provider.faults = {}
    sso.clock.pass(5)
    expect(refusalOf(await sso.signIn(sso.employ()))).toBeNull()
  })

  test('threat 73: a sign-in that it interrupts says so', async ({ sso }) => {
    const tab = sso.newTab()
    const { data } = await sso.begin(tab)
    const back = await sso.provider.visit(data?.url ?? '', sso.employ())
    sso.provider.faults = { isDown: true }
    expect(await sso.comeBack(back, tab)).toMatchObject({ code: null, errorCode: 'unexpected_failure' })
  })
})

test('a provider may change its keys', async ({ sso }) => {
  const person = sso.employ()
  expect(refusalOf(await sso.signIn(person))).toBeNull()
  await sso.provider.rotateKeys()
  // The library reads the keys again a minute after the last time, by the clock of the machine.
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 })
  expect(refusalOf(await sso.signIn(person))).toBeNull()
})

test('an account with a password still signs in by it, and has the level of a password', async ({ sso }) => {
  const { email } = await makeUser(sso)
  const device = await signIn(sso, email)
  expect(await levelOf(device)).toBe('aal1')
  expect((await device.signInWithPassword({ email, password: PASSWORD })).error).toBeNull()
})
