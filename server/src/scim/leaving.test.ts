import { randomUUID } from 'node:crypto'
import { readMyData } from '@deeb/core/account/api'
import { startFocus } from '@deeb/core/focus/api'
import { readHome } from '@deeb/core/home/api'
import { readTeam, requestConnection } from '@deeb/core/team/api'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect } from 'vitest'
import { companyCommand } from '../admin/company.ts'
import { blockUser, unblockUser } from '../admin/users.ts'
import { statement } from '../db/db.ts'
import { confirmation, createAuthClient, mailsTo, newestLinkToken } from '../testing/auth-client.ts'
import { addDomain, connectIdentity } from '../testing/company.ts'
import { type Directory, ENTERPRISE, openDirectory } from '../testing/directory.ts'
import { openStream } from '../testing/live.ts'
import { type MadeUser, makeConnection, makeUser, PASSWORD } from '../testing/make.ts'
import { test as base } from '../testing/test.ts'

const test = base.extend('scim', ({ app }) => {
  const emailsTo = (address: string) => mailsTo({ config: app.auth.config, mailer: app.mailer }, address)
  /** A person with an account and an entry in the directory. */
  async function join(name: string, domain = directory.domain) {
    const user = await makeUser(app, { email: `${name}@${domain}` })
    const { id } = await directory.add(user.email)
    return { ...user, id }
  }
  const stateOf = async ({ userId }: Pick<MadeUser, 'userId'>) => (await app.db.query(state, { userId }))[0]
  async function statusOf(user: MadeUser): Promise<number> {
    return (await app.call(readTeam, {}, user)).status
  }
  async function signIn(email: string) {
    const { error } = await createAuthClient(app.app).signInWithPassword({ email, password: PASSWORD })
    return error?.code ?? null
  }
  /** Changes the address as the person does, by the link in the email. */
  async function changeAddress(email: string, next: string): Promise<void> {
    const device = createAuthClient(app.app)
    await device.signInWithPassword({ email, password: PASSWORD })
    const { error } = await device.updateUser({ email: next, current_password: PASSWORD })
    if (error) throw error
    const deps = { config: app.auth.config, mailer: app.mailer }
    const token_hash = await newestLinkToken(deps, next, 'email_change')
    const changed = await device.verifyOtp({ type: 'email_change', token_hash })
    if (changed.error) throw changed.error
  }
  return { emailsTo, join, stateOf, statusOf, signIn, changeAddress }
})

let directory: Directory
let number = 0
test.beforeEach(async ({ app, clock }) => {
  number += 1
  directory = await openDirectory(app, `leaving${number}.example`)
  clock.advance({ hours: 1 })
})

const OFF = { op: 'replace', path: 'active', value: false }
const ON = { op: 'replace', path: 'active', value: true }

const state = statement(
  'test.account-state',
  `select email, deactivated_at is not null as "isDeactivated", banned_until is not null as "isBlocked" from auth.users where id = :userId`,
)

const tokenColumns = statement(
  'test.token-columns',
  `select distinct table_name as name from information_schema.columns where table_schema = 'auth'
    and (column_name ~ '(token|code|proof|binding|hash)' or column_name in ('secret', 'public_key'))
  order by 1`,
)

const insertTokens = statement(
  'test.insert-tokens',
  `with factor as (
    insert into auth.mfa_factors (id, user_id, factor_type, status, created_at, updated_at)
    values (gen_random_uuid(), :userId, 'totp', 'unverified', :now, :now) returning id
  ), challenge as (
    insert into auth.mfa_challenges (id, factor_id, created_at) select gen_random_uuid(), id, :now from factor
  )
  insert into auth.flow_state (id, provider_id, auth_code_hash, code_challenge, claims, created_at)
  values (gen_random_uuid(), :providerId, decode(md5(:userId::text), 'hex'), 'x', jsonb_build_object('sub', :userId::text), :now)`,
)

const tokensOf = statement(
  'test.tokens-of',
  `select (select count(*)::int from auth.sessions where user_id = :userId) as sessions,
    (select count(*)::int from auth.one_time_tokens where user_id = :userId) as links,
    (select count(*)::int from auth.flow_state where claims->>'sub' = :userId::text) as flows,
    (select count(*)::int from auth.identities where user_id = :userId and idp_refresh_token is not null) as refreshes`,
)

/** How each table with a token ends for a leaver. */
const ENDINGS: Record<string, string> = {
  flow_state: 'deleted',
  identities: 'the refresh token of the provider is deleted',
  mfa_challenges: 'needs a live auth session',
  mfa_factors: 'needs a live auth session',
  mfa_recovery_codes: 'needs a live auth session',
  one_time_tokens: 'deleted',
  personal_tokens: 'deleted',
  pending_signups: 'belongs to no account',
  scim_tokens: 'belongs to the company',
  sessions: 'deleted, with the refresh tokens that are made of their rows',
  spent_tokens: 'opens nothing',
  sso_providers: 'belongs to the company',
  users: 'the password is refused',
  webauthn_credentials: 'the passkey is refused',
}

describe('threat 64: a leaver', () => {
  test('every table with a token says how it ends', async ({ app }) => {
    const tables = (await app.db.query<{ name: string }>(tokenColumns)).map(({ name }) => name)
    expect(tables.filter((name) => !(name in ENDINGS))).toEqual(NO_TOKENS)
  })

  test.for([
    ['a PATCH', (id: string) => directory.patch(id, { op: 'Replace', path: 'active', value: 'False' })],
    ['a PUT', (id: string) => directory.send('PUT', `/Users/${id}`, { userName: randomUUID(), active: false })],
    ['a DELETE', (id: string) => directory.send('DELETE', `/Users/${id}`)],
  ] as const)('loses every stream, token and the focus session with %s', async ([_, leave], { app, clock, scim }) => {
    const ann = await scim.join('ann')
    const bea = await scim.join('bea')
    await makeConnection(app, ann, bea)
    await connectIdentity(app.db, { userId: ann.userId, providerId: directory.providerId })
    await createAuthClient(app.app).resetPasswordForEmail(ann.email)
    const link = await newestLinkToken({ config: app.auth.config, mailer: app.mailer }, ann.email, 'recovery')
    await app.db.query(insertTokens, {
      userId: ann.userId,
      providerId: directory.providerId,
      now: clock.now(),
    })
    await app.call(startFocus, { sessionId: uuidv7(), timeZone: 'UTC' }, ann)
    const [own, colleagues] = [await openStream(app, ann), await openStream(app, bea)]
    expect((await app.db.query(tokensOf, { userId: ann.userId }))[0]).toEqual({
      sessions: 1,
      links: 1,
      flows: 1,
      refreshes: 1,
    })

    // Less than the shortest life of a stream: a heartbeat would end those of colleagues too.
    clock.advance({ minutes: 9 })
    const started = performance.now()
    expect((await leave(ann.id)).status).toBeLessThan(300)
    await own.until(({ hasEnded }) => hasEnded)
    expect(performance.now() - started).toBeLessThan(5_000)
    expect(own.of('bye')).toEqual([{ type: 'bye', reason: 'renew' }])
    expect((await openStream(app, ann)).status).toBe(401)
    expect(await scim.statusOf(ann)).toBe(401)
    const refresh = await createAuthClient(app.app).refreshSession({ refresh_token: ann.refreshToken })
    expect(refresh.error?.code).toBe('refresh_token_not_found')
    expect(await scim.signIn(ann.email)).toBe('user_banned')
    const recovery = await createAuthClient(app.app).verifyOtp({ type: 'recovery', token_hash: link })
    expect(recovery.error?.code).toBe('otp_expired')
    expect((await app.db.query(tokensOf, { userId: ann.userId }))[0]).toEqual({
      sessions: 0,
      links: 0,
      flows: 0,
      refreshes: 0,
    })

    // Colleagues see the switch go off, and then the person leave.
    await colleagues.until((stream) => stream.of('team-changed').length > 0)
    colleagues.leave()
    const [presence] = await app.db.query(
      statement('test.presence-of', 'select current_session_id as open from user_presence where user_id = :userId'),
      { userId: ann.userId },
    )
    expect(presence).toEqual({ open: null })
    const seconds = statement(
      'test.seconds-of',
      'select total_seconds as seconds from daily_stats where user_id = :userId',
    )
    expect(await app.db.query(seconds, { userId: ann.userId })).toEqual([{ seconds: 540 }])
    expect((await app.call(readTeam, {}, bea)).body.connections).toEqual([])
  })

  test('is not counted or shown to colleagues, and comes back with all data', async ({ app, scim }) => {
    const [ann, bea] = [await scim.join('ann'), await scim.join('bea')]
    await app.call(requestConnection, { userId: bea.userId }, ann)
    const requests = async () => (await app.call(readHome, { timeZone: 'UTC' }, bea)).body.requests
    expect(await requests()).toBe(1)
    await directory.patch(ann.id, OFF)
    expect(await requests()).toBe(0)
    await directory.patch(ann.id, ON)
    expect(await requests()).toBe(1)
    expect(await scim.signIn(ann.email)).toBeNull()
  })

  test('switching off is idempotent and audited once', async ({ app, scim }) => {
    const ann = await scim.join('ann')
    for (const _ of [1, 2]) expect((await directory.patch(ann.id, OFF)).status).toBe(200)
    await directory.patch(ann.id, ON)
    await directory.patch(ann.id, ON)
    const audit = statement(
      'test.audit-of',
      `select action from auth.audit_log where user_id = :userId and action like 'user_%activated' order by id`,
    )
    const actions = await app.db.query(audit, { userId: ann.userId })
    expect(actions).toEqual([{ action: 'user_deactivated' }, { action: 'user_reactivated' }])
  })

  test('concurrent requests about one person leave the entry and the account in the same state', async ({ scim }) => {
    const ann = await scim.join('ann')
    const answers = await Promise.all(
      [OFF, ON, OFF, ON, OFF, ON, OFF].map((operation) => directory.patch(ann.id, operation)),
    )
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
    const { body } = await directory.send('GET', `/Users/${ann.id}`)
    expect(await scim.stateOf(ann)).toMatchObject({ isDeactivated: !body.active })
  })

  test('an entry that is inactive from the start deactivates the account; a new active one lifts it', async ({
    app,
    scim,
  }) => {
    const ann = await makeUser(app, { email: `ann@${directory.domain}` })
    const { id } = await directory.add(ann.email, { active: false })
    expect(await scim.stateOf(ann)).toMatchObject({ isDeactivated: true })
    await directory.send('DELETE', `/Users/${id}`)
    expect(await scim.stateOf(ann)).toMatchObject({ isDeactivated: true })
    await directory.add(ann.email)
    expect(await scim.stateOf(ann)).toMatchObject({ isDeactivated: false })
  })

  test('a user name that is an address finds the account of a person without an address', async ({ app, scim }) => {
    const ann = await makeUser(app, { email: `ann@${directory.domain}` })
    const { body } = await directory.send('POST', '/Users', { userName: ann.email.toUpperCase() })
    await directory.patch(body.id, OFF)
    expect(await scim.stateOf(ann)).toMatchObject({ isDeactivated: true })
  })

  test('creating an entry creates no account', async ({ app, scim }) => {
    const email = `nobody@${directory.domain}`
    await directory.add(email)
    expect(await scim.signIn(email)).toBe('invalid_credentials')
    const count = statement('test.count-accounts', 'select count(*)::int as count from auth.users where email = :email')
    expect(await app.db.query(count, { email })).toEqual([{ count: 0 }])
  })

  test('threat 103: a person whose entry is inactive creates no account by a sign-up either', async ({ app }) => {
    const email = `ann@${directory.domain}`
    const { id } = await directory.add(email, { active: false })
    const device = createAuthClient(app.app)
    await device.signUp({ email, password: PASSWORD })
    const token_hash = await newestLinkToken({ config: app.auth.config, mailer: app.mailer }, email)
    const open = async () => (await device.verifyOtp(confirmation(token_hash, PASSWORD))).error?.code
    expect(await open()).toBe('user_banned')
    await directory.patch(id, ON)
    expect(await open()).toBeUndefined()
  })
})

describe('threat 66: the directory of one company', () => {
  test('neither reads nor changes the entries of another', async ({ app, scim }) => {
    const ann = await scim.join('ann')
    const other = await openDirectory(app, `other-${directory.domain}`)
    for (const [method, body] of [
      ['GET', undefined],
      ['PUT', { userName: 'x', active: false }],
      ['PATCH', { Operations: [OFF] }],
      ['DELETE', undefined],
    ] as const) {
      expect((await other.send(method, `/Users/${ann.id}`, body)).status).toBe(404)
    }
    expect((await other.send('GET', '/Users')).body.totalResults).toBe(0)
    for (const filter of [`id eq "${ann.id}"`, `userName eq "${ann.email}"`]) {
      expect((await other.send('GET', `/Users?filter=${encodeURIComponent(filter)}`)).body.totalResults).toBe(0)
    }
    expect(await scim.stateOf(ann)).toMatchObject({ isDeactivated: false })
    expect(await scim.statusOf(ann)).toBe(200)
  })

  test('touches no account of another company or of none, whatever its entries say', async ({ app, scim }) => {
    const ann = await scim.join('ann')
    const free = await makeUser(app, { email: `free@none-${directory.domain}` })
    const own = await makeUser(app, { email: `own@evil-${directory.domain}` })
    const evil = await openDirectory(app, `evil-${directory.domain}`)
    for (const victim of [ann, free]) {
      const before = await scim.stateOf(victim)
      // An entry with the address of the victim.
      const { id } = await evil.add(victim.email)
      await evil.patch(id, OFF)
      await evil.patch(id, { op: 'replace', path: 'emails[type eq "work"].value', value: `x@${evil.domain}` })
      await evil.send('DELETE', `/Users/${id}`)
      expect(await scim.stateOf(victim)).toEqual(before)
      expect(await scim.statusOf(victim)).toBe(200)
    }
    // An entry of its own account takes the address of a victim, and one that is free at the other company.
    const { id } = await evil.add(own.email)
    for (const address of [ann.email, `new@${directory.domain}`, free.email]) {
      await evil.patch(id, { op: 'replace', path: 'emails[type eq "work"].value', value: address })
      expect(await scim.stateOf(own)).toMatchObject({ email: own.email })
      await evil.patch(id, { op: 'replace', path: 'emails[type eq "work"].value', value: own.email })
    }
    expect(await scim.stateOf(ann)).toMatchObject({ email: ann.email, isDeactivated: false })
  })

  test('touches an account no longer when its domain belongs to another company', async ({ app, scim }) => {
    const ann = await scim.join('ann')
    const next = await openDirectory(app, `next-${directory.domain}`)
    const give = statement(
      'test.move-domain',
      'update auth.sso_domains set provider_id = :providerId where domain = :domain',
    )
    await app.db.query(give, { providerId: next.providerId, domain: directory.domain })
    await directory.patch(ann.id, OFF)
    expect(await scim.stateOf(ann)).toMatchObject({ isDeactivated: false })
    const { id } = await next.add(ann.email)
    await next.patch(id, OFF)
    expect(await scim.stateOf(ann)).toMatchObject({ isDeactivated: true })
  })

  test('a second entry with the address of a person does not touch the account', async ({ scim }) => {
    const ann = await scim.join('ann')
    const { body } = await directory.send('POST', '/Users', {
      userName: 'other',
      emails: [{ type: 'work', value: ann.email }],
      active: false,
    })
    expect(body.active).toBe(false)
    expect(await scim.stateOf(ann)).toMatchObject({ isDeactivated: false })
  })

  test('its token ends with the provider', async ({ app }) => {
    const disable = statement(
      'test.disable',
      'update auth.sso_providers set disabled_at = now() where id = :providerId',
    )
    await app.db.query(disable, { providerId: directory.providerId })
    expect((await directory.send('GET', '/Users')).status).toBe(401)
  })
})

describe('an address that the directory changes', () => {
  const moveTo = (id: string, value: string) =>
    directory.patch(id, { op: 'replace', path: 'emails[type eq "work"].value', value })

  test('moves the account within the company, keeps its sessions, and tells the old address', async ({ app, scim }) => {
    const ann = await scim.join('ann.berg')
    const bea = await scim.join('bea')
    await makeConnection(app, ann, bea)
    const stream = await openStream(app, bea)
    const address = `ann.dahl@${directory.domain}`
    await moveTo(ann.id, address)
    expect(await scim.stateOf(ann)).toMatchObject({ email: address })
    expect((await app.call(readHome, { timeZone: 'UTC' }, ann)).body.profile).toMatchObject({
      email: address,
      lastName: 'Dahl',
    })
    expect((await scim.emailsTo(ann.email)).at(-1)).toContain('your company changed the email address')
    expect((await app.call(readTeam, {}, bea)).body.connections).toHaveLength(1)
    stream.leave()
    expect(await scim.signIn(address)).toBeNull()
    expect(JSON.stringify((await app.call(readMyData, {}, ann)).body['auth.former_addresses'])).toContain(ann.email)
  })

  test('threat 113: gets neither a recovery link nor the code of a company account for 24 hours', async ({
    app,
    clock,
    scim,
  }) => {
    const ann = await scim.join('ann')
    const mallory = `mallory@${directory.domain}`
    await moveTo(ann.id, mallory)
    expect((await scim.emailsTo(ann.email)).at(-1)).toContain('after 24 hours')
    const links = async () => (await app.db.query(tokensOf, { userId: ann.userId }))[0] as { links: number } | undefined
    const recover = () => createAuthClient(app.app).resetPasswordForEmail(mallory)
    expect((await recover()).error).toBeNull()
    expect((await scim.emailsTo(mallory)).at(-1)).toContain('less\r\nthan 24 hours ago')
    expect(await links()).toMatchObject({ links: 0 })
    clock.advance({ hours: 24 })
    expect((await recover()).error).toBeNull()
    expect((await scim.emailsTo(mallory)).at(-1)).toContain('reset-password#token_hash=')
    expect(await links()).toMatchObject({ links: 1 })
  })

  test('does not move the account if another account has it, or if it is outside the company', async ({ scim }) => {
    const [ann, bea] = [await scim.join('ann'), await scim.join('bea')]
    for (const address of [bea.email, `ann@elsewhere-${directory.domain}`]) {
      expect((await moveTo(ann.id, address)).status).toBe(200)
      expect(await scim.stateOf(ann)).toMatchObject({ email: ann.email })
      await moveTo(ann.id, ann.email)
    }
    expect(await scim.stateOf(bea)).toMatchObject({ email: bea.email })
    expect(await scim.emailsTo(ann.email)).toEqual([])
  })

  test('does not undo a change by the person within the company', async ({ app, scim }) => {
    const ann = await scim.join('ann')
    await addDomain(app.db, `second-${directory.domain}`, directory.providerId)
    const own = `ann@second-${directory.domain}`
    const change = statement('test.change-address', 'update auth.users set email = :email where id = :userId')
    await app.db.query(change, { email: own, userId: ann.userId })
    await directory.patch(ann.id, { op: 'replace', path: 'displayName', value: 'x' })
    const { body } = await directory.send('GET', `/Users/${ann.id}`)
    await directory.send('PUT', `/Users/${ann.id}`, body)
    expect(await scim.stateOf(ann)).toMatchObject({ email: own })
    await directory.patch(ann.id, OFF)
    expect(await scim.stateOf(ann)).toMatchObject({ isDeactivated: true })
  })
})

test("threat 70: the directory does not lift the administrator's block, nor the administrator the directory's", async ({
  app,
  scim,
}) => {
  const ann = await scim.join('ann')
  const { db, now } = app.auth
  await blockUser(db, ann.email, now())
  await directory.patch(ann.id, OFF)
  await directory.patch(ann.id, ON)
  expect(await scim.stateOf(ann)).toMatchObject({ isBlocked: true, isDeactivated: false })
  expect(await scim.signIn(ann.email)).toBe('user_banned')
  await directory.patch(ann.id, OFF)
  await unblockUser(db, ann.email, now())
  expect(await scim.stateOf(ann)).toMatchObject({ isBlocked: false, isDeactivated: true })
  expect(await scim.signIn(ann.email)).toBe('user_banned')
})

test('the administrator lets a person sign in again whose entry the directory has removed', async ({ app, scim }) => {
  const ann = await scim.join('ann')
  const { db, now } = app.auth
  await directory.send('DELETE', `/Users/${ann.id}`)
  expect(await scim.signIn(ann.email)).toBe('user_banned')
  expect(await unblockUser(db, ann.email, now())).toEqual([`${ann.email} can sign in again.`])
  expect(await scim.signIn(ann.email)).toBeNull()
})

/** Tables with such a column that is no token: counts and hashes of nothing secret. */
const NO_TOKENS: string[] = []

describe('threat 105: a leaver who changed the address', () => {
  test('is blocked by the directory, also if the entry is older than the account', async ({ app, scim }) => {
    const email = `ann@${directory.domain}`
    const { id } = await directory.add(email)
    await makeUser(app, { email })
    const next = `ann+x@${directory.domain}`
    await scim.changeAddress(email, next)
    await directory.patch(id, OFF)
    expect(await scim.signIn(next)).toBe('user_banned')
  })

  test('is not blocked after leaving the company, but the second account of the address is', async ({ app, scim }) => {
    const ann = await scim.join('ann')
    const elsewhere = `ann${number}@elsewhere.example`
    await scim.changeAddress(ann.email, elsewhere)
    await makeUser(app, { email: ann.email })
    await directory.patch(ann.id, OFF)
    expect([await scim.signIn(ann.email), await scim.signIn(elsewhere)]).toEqual(['user_banned', null])
  })
})

test('threat 58: an account that its directory moves into a closed domain keeps no other auth session', async ({
  app,
  scim,
}) => {
  const closed = `closed${number}.example`
  await addDomain(app.db, closed, directory.providerId)
  await app.db.query(statement('test.close', 'update auth.sso_domains set only_sso = true where domain = :closed'), {
    closed,
  })
  const ann = await scim.join('ann')
  const device = createAuthClient(app.app)
  await device.signInWithPassword({ email: ann.email, password: PASSWORD })
  const emails = [{ value: `ann@${closed}`, type: 'work', primary: true }]
  await directory.patch(ann.id, { op: 'replace', path: 'emails', value: emails })
  expect(await scim.stateOf(ann)).toMatchObject({ email: `ann@${closed}` })
  expect((await device.refreshSession()).error?.code).toBe('refresh_token_not_found')
})

describe('a directory switches off the account of its person', () => {
  const add = async (more: object) => {
    const { body } = await directory.send('POST', '/Users', { active: true, ...more })
    return body.id
  }

  test.for([
    ['a private address', () => [{ value: 'lea@gmail.com', type: 'home' }]],
    ['an address at work elsewhere', () => [{ value: 'lea@agency.example', type: 'work', primary: true }]],
    ['a text that is no address', () => [{ value: 'lea', type: 'work' }]],
    ['an empty address', () => [{ value: '', type: 'work' }]],
    [
      'the address of the company among others',
      () => [
        { value: 'lea@agency.example', type: 'work', primary: true },
        { value: `lea@${directory.domain}`, type: 'other' },
      ],
    ],
  ] as const)(
    'threat 250: by its user name or any address of the company, beside %s',
    async ([_name, emails], { app, scim }) => {
      const lea = await makeUser(app, { email: `lea@${directory.domain}` })
      const id = await add({ userName: `lea@${directory.domain}`, emails: emails() })
      expect((await directory.patch(id, { op: 'Replace', path: 'active', value: 'False' })).body.active).toBe(false)
      expect(await scim.statusOf(lea)).toBe(401)
    },
  )

  test('threat 250: also one whose address was stored before', async ({ app, scim }) => {
    const lea = await makeUser(app, { email: `lea@${directory.domain}` })
    const id = await add({ userName: `lea@${directory.domain}` })
    const stored = statement('test.old-address', 'update auth.scim_users set email = :email where id = :id')
    await app.db.query(stored, { id, email: 'lea@gmail.com' })
    await directory.patch(id, OFF)
    expect(await scim.statusOf(lea)).toBe(401)
  })

  test.for([
    ['a tab in a name', { op: 'Replace', path: 'displayName', value: 'Le\taver' }],
    ['a lone surrogate in a name', { op: 'Replace', path: 'name.givenName', value: 'L\ud800' }],
    ['a name that is no object', { op: 'Replace', path: 'name', value: 'Lea' }],
    ['a long department', { op: 'Replace', path: `${ENTERPRISE}:department`, value: 'x'.repeat(5_000) }],
    ['a name that is no text', { op: 'Replace', path: 'displayName', value: { a: [1] } }],
  ] as const)('threat 251: in a change that also has %s', async ([_name, odd], { scim }) => {
    const lea = await scim.join('lea')
    expect((await directory.patch(lea.id, odd, { op: 'Replace', path: 'active', value: 'False' })).status).toBe(200)
    expect(await scim.statusOf(lea)).toBe(401)
  })

  test('an account keeps its address when the directory removes that and has another user name', async ({
    app,
    scim,
  }) => {
    const lea = await makeUser(app, { email: `lea.meyer@${directory.domain}` })
    const emails = [{ value: lea.email, type: 'work' }]
    const id = await add({ userName: `lmeyer@${directory.domain}`, emails })
    await directory.patch(id, { op: 'remove', path: 'emails' })
    expect(await scim.stateOf(lea)).toMatchObject({ email: lea.email })
    await directory.patch(id, { op: 'Replace', path: 'active.value', value: 'False' })
    expect(await scim.statusOf(lea)).toBe(401)
  })

  test.for([[[{ $ref: null, value: 'False' }]], [[{ value: false }]], [{ value: 'false' }]] as const)(
    'threat 251: by active as %j',
    async ([value], { scim }) => {
      const lea = await scim.join('lea')
      expect((await directory.patch(lea.id, { op: 'Replace', path: 'active', value })).status).toBe(200)
      expect(await scim.statusOf(lea)).toBe(401)
    },
  )

  test('threat 250: and a log line, the list of companies and a metric tell where there is none', async ({ app }) => {
    const { id } = await directory.add(`nobody@${directory.domain}`)
    const before = app.log.length
    await directory.patch(id, OFF)
    await directory.patch(id, OFF)
    const lines = app.log.slice(before).filter((line) => line.includes('without an account here'))
    expect(lines).toHaveLength(1)
    expect(lines[0]).not.toContain('nobody')
    const list = companyCommand(['list'])
    const listed = await list?.(app.db, app.auth.config, async () => '')
    expect(listed?.join('\n')).toContain('switched off 1, of them 1 without an account here')
    const metrics = await app.inject('/metrics')
    expect(metrics.body).toMatch(/^deeb_directory_leavers_without_account [1-9]/m)
  })
})

test('a slash behind a path changes nothing, and the base address answers as SCIM', async () => {
  const { id } = await directory.add(`ann@${directory.domain}`)
  const filter = encodeURIComponent(`userName eq "ann@${directory.domain}"`)
  expect((await directory.send('GET', `/Users/?filter=${filter}`)).body.totalResults).toBe(1)
  expect((await directory.send('GET', `/Users/${id}/`)).body.id).toBe(id)
  for (const path of ['', '/']) {
    const known = await directory.send('GET', path)
    expect([known.status, known.body.schemas]).toEqual([200, [expect.stringContaining('ServiceProviderConfig')]])
    const unknown = await directory.send('GET', path, undefined, { authorization: 'Bearer x' })
    expect([unknown.status, unknown.headers['www-authenticate']]).toEqual([401, 'Bearer'])
  }
})
