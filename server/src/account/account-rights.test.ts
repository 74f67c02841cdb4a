import { deleteAccount, prove, readMyData, updateUsername } from '@deeb/core/account/api'
import { replaySwitches, startFocus } from '@deeb/core/focus/api'
import { saveGoals } from '@deeb/core/goals/api'
import { everyDay } from '@deeb/core/goals/week-of-goals'
import { readHome } from '@deeb/core/home/api'
import { answerRequest, requestConnection } from '@deeb/core/team/api'
import fc from 'fast-check'
import { v7 as uuidv7 } from 'uuid'
import { expect } from 'vitest'
import { statement } from '../db/db.ts'
import { addCompany, connectIdentity, makePasswordless } from '../testing/company.ts'
import { type MadeUser, makeUser, PASSWORD } from '../testing/make.ts'
import { runs } from '../testing/runs.ts'
import { test as base } from '../testing/test.ts'
import { freshToken } from '../testing/test-app.ts'
import { withoutLimits } from '../testing/without-limits.ts'
import { PERSONAL_DATA } from './read-my-data.ts'

const test = base.extend('account', ({ app }) => {
  /** A user with rows in every table. */
  async function makeBusyUser(username: string): Promise<MadeUser> {
    const user = await makeUser(app)
    await app.call(updateUsername, { username }, user)
    await app.call(saveGoals, { goals: everyDay(300) }, user)
    await app.call(startFocus, { sessionId: uuidv7(), timeZone: 'Europe/Berlin' }, user)
    await app.call(startFocus, { sessionId: uuidv7(), timeZone: 'Europe/Berlin' }, user)
    return user
  }
  const download = async (user: MadeUser) => (await app.call(readMyData, {}, user)).body
  return { makeBusyUser, download }
})

test('the download contains all data of the user, no data of others, and no secret', async ({ app, account }) => {
  const [ann, bea] = [await account.makeBusyUser('ann'), await account.makeBusyUser('bea')]
  const connect = statement(
    'test.connect',
    `insert into team_connections (id, requester_id, receiver_id, status, created_at, updated_at)
     values (gen_random_uuid(), :requesterId, :receiverId, 'accepted', now(), now())`,
  )
  await app.db.query(connect, { requesterId: bea.userId, receiverId: ann.userId })
  const data = await account.download(ann)
  expect(data).toMatchObject({
    'auth.users': [{ id: ann.userId, email: ann.email }],
    profiles: [{ username: 'ann' }],
    deeb_sessions: [{ time_zone: 'Europe/Berlin', is_active: true }],
    deeb_session_aliases: [{}],
    user_presence: [{ is_in_deeb_mode: true }],
    team_connections: [{ requester_id: bea.userId }],
  })
  expect(data.daily_goals).toHaveLength(7)
  const text = JSON.stringify(data)
  expect(text).not.toContain(bea.email)
  expect(text).not.toContain('$argon2')
  expect(text).not.toMatch(/token_hash|encrypted_password|"secret"|"binding"/)
})

test('threat 89: a declined request looks pending to the requester, in the download and in a new request', async ({
  app,
  clock,
  people,
  account,
}) => {
  const [ann, bea, cleo] = await people(3)
  const ask = (userId: string) => app.call(requestConnection, { userId }, ann)
  const requestId = (await ask(bea.userId)).body.connectionId
  clock.advance({ minutes: 5 })
  await ask(cleo.userId)
  clock.advance({ minutes: 5 })
  await app.call(answerRequest, { requestId, answer: 'declined' }, bea)

  const { team_connections: rows = [] } = await account.download(ann)
  expect(rows.map((row) => row.receiver_id).sort()).toEqual([bea.userId, cleo.userId].sort())
  // By id: an update moves a row in its table, so another order could reveal which request was declined.
  expect(rows.map((row) => row.id)).toEqual(rows.map((row) => row.id).sort())
  for (const row of rows) expect(row).toMatchObject({ status: 'pending', updated_at: row.created_at })
  const answers = [await ask(bea.userId), await ask(cleo.userId)]
  expect(answers.map(({ error }) => error.code)).toEqual(['request_exists', 'request_exists'])
  expect((await account.download(bea)).team_connections).toMatchObject([{ status: 'declined' }])
})

test('threat 89: the download has no IP address of strangers who entered the email address', async ({
  app,
  account,
}) => {
  const { email, ...ann } = await makeUser(app)
  const stranger = { method: 'POST' as const, remoteAddress: '203.0.113.7' }
  const post = (path: string, payload: object) =>
    app.inject({ ...stranger, url: `/auth/v1/${path}`, payload: { email, ...payload } })
  await post('token?grant_type=password', { password: 'not this one' })
  await post('recover', {})
  await post('signup', { password: 'eleven loud herons' })
  await post('resend', { type: 'signup' })
  const data = await account.download({ ...ann, email })
  const addresses = Object.fromEntries((data['auth.audit_log'] ?? []).map(({ action, ip }) => [action, ip]))
  expect(addresses).toEqual({
    login: '127.0.0.1',
    login_failed: null,
    recovery_requested: null,
    signup_repeated: null,
  })
  expect(JSON.stringify(data)).not.toContain('203.0.113.7')
})

/** An act of Mallory about an address. */
type Act = 'ask' | 'ask other' | 'sign up' | 'resend' | 'recover' | 'sign in' | 'wait' | 'wait a day'
const acts = fc.array(
  fc.constantFrom<Act>(
    ...(['ask', 'ask', 'ask', 'ask other', 'sign up', 'resend', 'recover', 'sign in', 'wait', 'wait a day'] as const),
  ),
  { minLength: 2, maxLength: 8 },
)

test('threat 240, property: no answer and no download tells whether an address has an account', async ({
  startApp,
}) => {
  const open = await startApp({}, { limitStore: withoutLimits(), callLimitStore: withoutLimits() })
  let network = 0
  const makeWorld = async (isKnown: boolean) => {
    const company = `${uuidv7()}.example`
    const [mallory, email] = [await makeUser(open, { email: `mallory@${company}` }), `someone@${company}`]
    if (isKnown) await makeUser(open, { email })
    return { mallory, email, company, ip: `198.51.${network >> 8}.${network++ & 255}`, ids: new Map<string, number>() }
  }
  type World = Awaited<ReturnType<typeof makeWorld>>

  /** Performs an act and returns all that Mallory can read, without what differs between any two companies. */
  const perform = async ({ mallory, email, company, ip, ids }: World, act: Act) => {
    const authorization = `Bearer ${await freshToken(open.auth, mallory, open.clock.now())}`
    const send = async (method: 'GET' | 'POST' | 'PUT', url: string, payload?: object) => {
      const sent = { method, url, headers: { authorization }, remoteAddress: ip, ...(payload && { payload }) }
      const answer = await open.app.inject(sent)
      return [answer.statusCode, answer.json()]
    }
    const password = PASSWORD
    const learned = await {
      ask: () => send('PUT', '/auth/v1/user', { email, current_password: password }),
      'ask other': () => send('PUT', '/auth/v1/user', { email: `other@${company}`, current_password: password }),
      'sign up': () => send('POST', '/auth/v1/signup', { email, password: 'the choice of mallory' }),
      resend: () => send('POST', '/auth/v1/resend', { type: 'signup', email }),
      recover: () => send('POST', '/auth/v1/recover', { email }),
      'sign in': () => send('POST', '/auth/v1/token?grant_type=password', { email, password: 'a guess of mallory' }),
      wait: () => open.clock.advance({ minutes: 25 }),
      'wait a day': () => open.clock.advance({ hours: 25 }),
    }[act]()
    const seen = [learned, await send('GET', '/auth/v1/user'), await send('GET', readMyData.path)]
    const text = JSON.stringify(seen).replaceAll(new RegExp(company, 'gi'), 'company').replaceAll(ip, 'ip')
    return text.replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, (id) => {
      ids.set(id, ids.get(id) ?? ids.size)
      return `id ${ids.get(id)}`
    })
  }

  await fc.assert(
    fc.asyncProperty(acts, async (acts) => {
      const begin = open.clock.now().toISOString()
      const [known, unknown] = [await makeWorld(true), await makeWorld(false)]
      const seen: string[] = []
      for (const act of acts) seen.push(await perform(known, act))
      open.clock.set(begin)
      for (const [i, act] of acts.entries())
        expect(await perform(unknown, act), acts.slice(0, i + 1).join()).toBe(seen[i])
      open.clock.advance({ hours: 25 })
    }),
    {
      ...runs(6, 200),
      examples: [[['ask', 'ask']], [['ask', 'wait', 'ask', 'wait', 'ask']], [['sign up', 'sign in']]],
    },
  )
})

test('an email to another person that a deleted user has caused is deleted', async ({ app, clock }) => {
  const ann = await makeUser(app)
  const written = statement('test.caused', 'select recipient from auth.outbox where asked_by = :userId::text')
  await app.inject({
    method: 'PUT',
    url: '/auth/v1/user',
    headers: { authorization: `Bearer ${await freshToken(app.auth, ann, clock.now())}` },
    payload: { email: `other-${ann.email}`, current_password: PASSWORD },
  })
  expect(await app.db.query(written, { userId: ann.userId })).toHaveLength(1)
  expect((await app.call(deleteAccount, { password: PASSWORD }, ann)).body).toEqual({ deleted: true })
  expect(await app.db.query(written, { userId: ann.userId })).toEqual([])
})

test('every table that references a user is in the download', async ({ app }) => {
  const referring = statement(
    'test.referring',
    `select distinct conrelid::regclass::text as name from pg_constraint
     where contype = 'f' and confrelid in ('auth.users'::regclass, 'profiles'::regclass, 'deeb_sessions'::regclass)`,
  )
  const tables = await app.db.query<{ name: string }>(referring)
  expect(Object.keys(PERSONAL_DATA)).toEqual(expect.arrayContaining(tables.map((table) => table.name)))
})

test('rejects requests of an account that another process has just deleted', async ({ app, clock, account }) => {
  const ann = await account.makeBusyUser('anne')
  const goals = everyDay(60)
  const timeZone = 'UTC'
  const actedAt = clock.now().toISOString()
  const changes = [{ to: 'on' as const, sessionId: uuidv7(), timeZone, actedAt }]
  await app.db.query(statement('test.delete', 'delete from auth.users where id = :userId'), { userId: ann.userId })
  const answers = [
    await app.call(startFocus, { sessionId: uuidv7(), timeZone }, ann),
    await app.call(replaySwitches, { changes, sentAt: actedAt }, ann),
    await app.call(saveGoals, { goals }, ann),
    await app.call(updateUsername, { username: 'annika' }, ann),
    await app.call(readHome, { timeZone }, ann),
  ]
  expect(answers.map(({ status, error }) => [status, error.code])).toEqual(Array(5).fill([401, 'not_signed_in']))
})

test('deleteAccount needs the password and deletes all data', async ({ app, account }) => {
  const ann = await account.makeBusyUser('anna')
  const wrong = await app.call(deleteAccount, { password: 'not this one' }, ann)
  expect([wrong.status, wrong.error.code]).toEqual([403, 'wrong_password'])
  expect((await account.download(ann)).profiles).toHaveLength(1)

  expect((await app.call(deleteAccount, { password: PASSWORD }, ann)).body).toEqual({ deleted: true })
  for (const [table, condition] of Object.entries(PERSONAL_DATA)) {
    const left = statement(`test.left-${table}`, `select * from ${table} where ${condition}`)
    expect(await app.db.query(left, { userId: ann.userId }), table).toEqual([])
  }
  // Immediately, on every device that was signed in.
  const home = await app.call(readHome, { timeZone: 'Europe/Berlin' }, ann)
  expect([home.status, home.error.code]).toEqual([401, 'not_signed_in'])
})

test('threat 77: deleteAccount without a password needs a recent re-authentication', async ({ app, clock, people }) => {
  const [ann, bea] = await people(2)
  const providerId = await addCompany(app.db, 'elsewhere.example')
  await makePasswordless(app.db, { userId: bea.userId, providerId })
  clock.advance({ minutes: 15 })
  for (const user of [ann, bea]) {
    const late = await app.call(deleteAccount, {}, user)
    expect([late.status, late.error.code]).toEqual([403, 'proof_needed'])
    expect((await app.call(deleteAccount, { password: '' }, user)).error.code).toBe('wrong_password')
  }
  await app.call(prove, { password: PASSWORD }, ann)
  expect((await app.call(prove, { password: PASSWORD }, bea)).error.code).toBe('wrong_password')
  const stamp = statement('test.stamp', 'update auth.sessions set proven_at = :now where user_id = :userId')
  await app.db.query(stamp, { userId: bea.userId, now: clock.now() })
  for (const user of [ann, bea]) {
    expect((await app.call(deleteAccount, {}, user)).body).toEqual({ deleted: true })
  }
})

test('the download and the deletion include what a company said of the user, without secrets', async ({
  app,
  people,
  account,
}) => {
  const [ann, bea] = await people(2)
  const providerId = await addCompany(app.db, 'fjordlab.example')
  const fill = statement(
    'test.company-rows',
    `with listed as (
      insert into auth.scim_users (id, provider_id, user_name, active, user_id, created_at, updated_at)
      values (gen_random_uuid(), :providerId, :userId::uuid, true, :userId, now(), now())
    )
    insert into auth.flow_state (id, provider_id, auth_code_hash, code_challenge, claims, created_at)
    values (gen_random_uuid(), :providerId, decode(md5(:userId::uuid::text), 'hex'), '',
      jsonb_build_object('sub', :userId::uuid), now())`,
  )
  for (const { userId } of [ann, bea]) {
    await connectIdentity(app.db, { userId, providerId })
    await app.db.query(fill, { userId, providerId })
  }
  const data = await account.download(ann)
  expect(data).toMatchObject({
    'auth.identities': expect.arrayContaining([expect.objectContaining({ sso_provider_id: providerId })]),
    'auth.scim_users': [{ user_name: ann.userId }],
    'auth.flow_state': [{ claims: { sub: ann.userId } }],
  })
  expect(JSON.stringify(data)).not.toMatch(/auth_code_hash|idp_refresh_token/)
  expect((await app.call(deleteAccount, { password: PASSWORD }, ann)).body).toEqual({ deleted: true })
  const left = statement(
    'test.left-of-company',
    "select user_name as who from auth.scim_users union all select claims->>'sub' from auth.flow_state",
  )
  expect(await app.db.query(left)).toEqual(Array(2).fill({ who: bea.userId }))
})

test('deleteAccount deletes pending sign-ups with the same address', async ({ app }) => {
  const ann = await makeUser(app)
  const payload = { email: ann.email, password: 'some other password' }
  await app.inject({ method: 'POST', url: '/auth/v1/signup', payload })
  const waiting = statement('test.waiting', 'select email from auth.pending_signups where email = :email')
  expect(await app.db.query(waiting, { email: ann.email })).toHaveLength(1)
  expect((await app.call(deleteAccount, { password: PASSWORD }, ann)).body).toEqual({ deleted: true })
  expect(await app.db.query(waiting, { email: ann.email })).toEqual([])
})

test('each owner of an address downloads and deletes only the data of their time', async ({ app, account }) => {
  const ann = await account.makeBusyUser('ann-former')
  const address = `passed-on-${ann.userId}@fjordlab.example`
  const bea = await makeUser(app, { email: address })
  const fill = statement(
    'test.former',
    `with address as (
      insert into auth.former_addresses (user_id, email, until) values (:userId, :address, '2026-06-01T00:00:00Z')
    ), leads as (
      insert into email_leads (id, email, source, created_at) values
        (gen_random_uuid(), :address, 'coming_soon_page', '2026-05-01T00:00:00Z'),
        (gen_random_uuid(), :address, 'main_coming_soon', '2026-06-10T00:00:00Z')
    )
    insert into auth.outbox (id, kind, recipient, subject, body, created_at, next_try_at, sent_at)
    select gen_random_uuid(), 'confirm', :address, subject, '', at::timestamptz, now(), now()
    from (values ('of Ann', '2026-05-01T00:00:00Z'), ('of Bea', '2026-06-10T00:00:00Z')) as emails (subject, at)`,
  )
  await app.db.query(fill, { userId: ann.userId, address })
  const heldOf = async (user: MadeUser) => {
    const { 'auth.outbox': emails = [], email_leads: leads = [] } = await account.download(user)
    return [...emails, ...leads].map(({ subject, source }) => subject ?? source)
  }
  expect(await heldOf(ann)).toEqual(['of Ann', 'coming_soon_page'])
  expect(await heldOf(bea)).toEqual(['of Bea', 'main_coming_soon'])
  await app.call(deleteAccount, { password: PASSWORD }, ann)
  expect(await heldOf(bea)).toEqual(['of Bea', 'main_coming_soon'])
  const left = statement(
    'test.left',
    `select subject as what from auth.outbox where recipient = :address
    union select source from email_leads where email = :address order by what`,
  )
  expect(await app.db.query(left, { address })).toEqual([{ what: 'main_coming_soon' }, { what: 'of Bea' }])
})

test('two changes of ownership of an address mix no data', async ({ app, people, account }) => {
  const [ann, bea] = await people(2)
  const address = `passed-on-${ann.userId}@fjordlab.example`
  const fill = statement(
    'test.former-both',
    `with address as (
      insert into auth.former_addresses (user_id, email, until)
        values (:userId, :address, '2026-06-01T00:00:00Z'), (:otherId, :address, '2026-06-20T00:00:00Z')
    )
    insert into email_leads (id, email, source, created_at) values
      (gen_random_uuid(), :address, 'coming_soon_page', '2026-05-01T00:00:00Z'),
      (gen_random_uuid(), :address, 'main_coming_soon', '2026-06-10T00:00:00Z')`,
  )
  await app.db.query(fill, { userId: ann.userId, otherId: bea.userId, address })
  const sources = async (user: MadeUser) => (await account.download(user)).email_leads?.map(({ source }) => source)
  expect([await sources(ann), await sources(bea)]).toEqual([['coming_soon_page'], ['main_coming_soon']])
  await app.call(deleteAccount, { password: PASSWORD }, bea)
  expect(await sources(ann)).toEqual(['coming_soon_page'])
})

test('deleteAccount fails without events when the password changes concurrently', async ({ app, account }) => {
  const ann = await account.makeBusyUser('ann-changed')
  const change = statement(
    'test.change-hash',
    "update auth.users set encrypted_password = 'changed' where id = :userId",
  )
  let deleting: ReturnType<typeof app.call<typeof deleteAccount>> | undefined
  const verify = app.auth.passwords.verify
  // Between the password check and the deletion.
  app.auth.passwords.verify = async (...args) => {
    const isRight = await verify(...args)
    await app.db.query(change, { userId: ann.userId })
    return isRight
  }
  try {
    deleting = app.call(deleteAccount, { password: PASSWORD }, ann)
    expect((await deleting).error.code).toBe('wrong_password')
  } finally {
    app.auth.passwords.verify = verify
  }
  expect((await account.download(ann)).profiles).toHaveLength(1)
})

test('two concurrent deletions delete one account and no other', async ({ app, account }) => {
  const [ann, bea] = [await account.makeBusyUser('anne'), await account.makeBusyUser('beate')]
  const answers = await Promise.all([1, 2].map(() => app.call(deleteAccount, { password: PASSWORD }, ann)))
  expect(answers.map((answer) => answer.status).every((status) => [200, 401, 403].includes(status))).toBe(true)
  expect((await account.download(bea)).profiles).toHaveLength(1)
})

test('deleteAccount limits a brute force of the password', async ({ app, clock }) => {
  const ann = await makeUser(app)
  const guess = (password: string) => app.call(deleteAccount, { password }, ann)
  for (let n = 1; n <= 6; n++) expect((await guess('not this one')).error.code).toBe('wrong_password')
  const slowed = await guess(PASSWORD)
  expect([slowed.status, slowed.error.code]).toEqual([429, 'too_many_attempts'])
  clock.advance({ seconds: 1 })
  expect((await guess(PASSWORD)).body).toEqual({ deleted: true })
})
