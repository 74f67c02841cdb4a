import { prove } from '@deeb/core/account/api'
import type { Endpoint } from '@deeb/core/endpoint'
import { startFocus, stopFocus } from '@deeb/core/focus/api'
import { readFocus } from '@deeb/core/focus/program-api'
import { readHome } from '@deeb/core/home/api'
import type { Scope } from '@deeb/core/scopes'
import { readSign } from '@deeb/core/signs/api'
import { SIGN_LIVE_PATH } from '@deeb/core/signs/display'
import { readTeam } from '@deeb/core/team/api'
import { createToken, readTokens, revokeToken } from '@deeb/core/tokens/api'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, vi } from 'vitest'
import { makeToken } from '../auth/personal-tokens/token-format.ts'
import { statement } from '../db/db.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { mailsTo } from '../testing/auth-client.ts'
import { makePersonalToken, makeUser, PASSWORD } from '../testing/make.ts'
import { test as base } from '../testing/test.ts'

const test = base
  .extend('ann', ({ app }) => makeUser(app))
  .extend('access', ({ app, ann }) => {
    /** Calls an endpoint with a personal access token. */
    async function use({ method, path }: Endpoint, token: string, input: object = {}) {
      const response = await app.inject({
        method,
        url: path,
        headers: { authorization: `Bearer ${token}` },
        ...(method === 'GET' ? { query: input as Record<string, string> } : { payload: input }),
      })
      return { status: response.statusCode, body: response.json() }
    }
    async function create(scopes: Scope[] = ['switch'], more: { name?: string; days?: number } = {}, user = ann) {
      const input = { name: 'Desk light', scopes, days: 365, ...more }
      return app.call(createToken, input, user)
    }
    return { use, create }
  })

const stored = statement('test.stored-token', 'select to_jsonb(personal_tokens)::text as row from auth.personal_tokens')
const audited = statement(
  'test.token-events',
  `select action, detail from auth.audit_log where user_id = :userId and action like 'token%' order by id`,
)

describe('a personal access token', () => {
  test('threat 160: is shown once and stored as its hash, within its scopes', async ({ app, ann, access }) => {
    const { status, body } = await access.create(['team', 'switch', 'switch'])
    expect(status).toBe(200)
    expect(body.token).toMatch(/^deeb_pat_[0-9A-Za-z]{43}[0-9A-Za-z]{6}$/)
    expect(body.details).toMatchObject({ name: 'Desk light', scopes: ['switch', 'team'], lastUsedAt: null })
    const { tokens } = (await app.call(readTokens, {}, ann)).body
    expect(tokens).toEqual([body.details])
    const rows = JSON.stringify(await app.db.query(stored))
    expect(rows).toContain(body.details.id)
    expect(rows).not.toContain(body.token.slice('deeb_pat_'.length))
  })

  test('switches deeb mode and reads it', async ({ access }) => {
    const { token } = (await access.create(['switch'])).body
    const sessionId = uuidv7()
    expect((await access.use(startFocus, token, { sessionId, timeZone: 'UTC' })).status).toBe(200)
    expect((await access.use(readFocus, token)).body).toMatchObject({ openSession: { id: sessionId } })
    expect((await access.use(stopFocus, token, { sessionId })).status).toBe(200)
    expect((await access.use(readFocus, token)).body).toMatchObject({ openSession: null })
    expect(await access.use(readHome, token, { timeZone: 'UTC' })).toMatchObject({
      status: 403,
      body: { code: 'scope_needed' },
    })
    expect((await access.use(readTeam, token)).status).toBe(403)
  })

  test('reads the deeb mode of its owner like a sign, without a name', async ({ app, clock, ann, access }) => {
    const { token } = (await access.create(['sign'])).body
    expect((await access.use(readSign, token)).body).toMatchObject({ state: 'free', since: null, until: null })
    const { session } = (await app.call(startFocus, { sessionId: uuidv7(), timeZone: 'UTC' }, ann)).body
    const asOf = clock.now().toISOString()
    const { startedAt: since } = session
    expect((await access.use(readSign, token)).body).toEqual({ state: 'deep', since, until: null, asOf })
    const other = await makePersonalToken(app, ann, ['switch', 'read', 'team'])
    expect((await access.use(readSign, other.token)).body.code).toBe('scope_needed')
    const live = { url: SIGN_LIVE_PATH, headers: { authorization: `Bearer ${token}` } }
    expect((await app.inject(live)).statusCode).toBe(401)
  })

  test('is created, and reported by email and in the audit log, only with a recent sign-in', async ({
    app,
    clock,
    ann,
    access,
  }) => {
    clock.advance({ hours: 1 })
    expect((await access.create()).error.code).toBe('proof_needed')
    expect((await app.call(readTokens, {}, ann)).body).toEqual({ tokens: [] })
    await app.call(prove, { password: PASSWORD }, ann)
    const { details } = (await access.create(['read'])).body
    await app.call(revokeToken, { id: details.id }, ann)
    await app.call(revokeToken, { id: details.id }, ann)
    expect(await app.db.query(audited, { userId: ann.userId })).toEqual([
      { action: 'token_created', detail: { token: details.id, scopes: ['read'] } },
      { action: 'token_revoked', detail: { token: details.id } },
    ])
    const emails = await mailsTo({ config: app.auth.config, mailer: app.mailer }, ann.email)
    expect(emails.filter((mail) => mail.includes('An app was connected to your deeb account'))).toHaveLength(1)
  })

  test('has a name, a scope and an end', async ({ app, ann }) => {
    const refused: [string, object][] = [
      ['no name', { name: '  ' }],
      ['a long name', { name: 'x'.repeat(61) }],
      ['a name of two lines', { name: 'a\nb' }],
      ['no scope', { scopes: [] }],
      ['an unknown scope', { scopes: ['account'] }],
      ['no day', { days: 0 }],
      ['three years', { days: 1096 }],
    ]
    for (const [what, wrong] of refused) {
      const input = { name: 'Desk light', scopes: ['switch' as const], days: 365, ...wrong }
      expect([what, (await app.call(createToken, input, ann)).status]).toEqual([what, 400])
    }
  })

  test('is refused with a typing error, without a query', async ({ app, access }) => {
    const { token } = (await access.create()).body
    const query = vi.spyOn(app.db, 'query')
    const typo = token.slice(0, -1) + (token.endsWith('0') ? '1' : '0')
    expect((await access.use(readFocus, typo)).status).toBe(401)
    expect((await access.use(readFocus, 'deeb_pat_')).status).toBe(401)
    expect(query).not.toHaveBeenCalled()
    expect((await access.use(readFocus, token)).status).toBe(200)
    expect(query).toHaveBeenCalled()
    query.mockRestore()
  })

  test('threat 164: made-up ones are limited per network before the database is asked, and push no real one out of the cache', async ({
    app,
    clock,
    access,
  }) => {
    const { token } = (await access.create()).body
    expect((await access.use(readFocus, token)).status).toBe(200)
    const madeUp = () => access.use(readFocus, makeToken().token)
    for (let n = 0; n < LIMITS.unknownToken.burst; n++) expect((await madeUp()).status).toBe(401)
    const query = vi.spyOn(app.db, 'query')
    const refused = await madeUp()
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_attempts'])
    expect(query).not.toHaveBeenCalled()
    query.mockRestore()
    // Also after its entry of the cache is stale.
    clock.advance({ seconds: 31 })
    for (let n = 0; n < 40; n++) await madeUp()
    expect((await access.use(readFocus, token)).status).toBe(200)
    clock.advance({ minutes: 5 })
  })

  test('threat 164: a program that continues with a revoked one uses up no limit of its network', async ({
    app,
    ann,
    access,
  }) => {
    const { token, details } = (await access.create()).body
    await app.call(revokeToken, { id: details.id }, ann)
    for (let n = 0; n < LIMITS.unknownToken.burst + 10; n++)
      expect((await access.use(readFocus, token)).status).toBe(401)
    expect((await access.use(readFocus, makeToken().token)).status).toBe(401)
  })

  test('expires', async ({ clock, access }) => {
    const { token, details } = (await access.create(['switch'], { days: 1 })).body
    expect((await access.use(readFocus, token)).status).toBe(200)
    clock.set(details.expiresAt)
    expect((await access.use(readFocus, token)).status).toBe(401)
  })

  test('is one of at most 20, also with concurrent calls', async ({ app, ann, access }) => {
    for (let i = 0; i < 19; i++) await makePersonalToken(app, ann, ['switch'])
    const answers = await Promise.all([access.create(), access.create()])
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409])
    expect((await access.create()).error.code).toBe('too_many_tokens')
  })

  test('may be used 120 times a minute, and does not use up the limit of its owner', async ({ app, ann, access }) => {
    const { token } = await makePersonalToken(app, ann, ['switch'])
    const other = await makePersonalToken(app, ann, ['switch'])
    const statuses = await Promise.all(
      Array.from({ length: 121 }, async () => (await access.use(readFocus, token)).status),
    )
    expect(statuses.filter((status) => status === 429)).toHaveLength(1)
    expect((await access.use(readFocus, other.token)).status).toBe(200)
    expect((await app.call(readFocus, {}, ann)).status).toBe(200)
  })

  test('notes its last use once an hour', async ({ app, clock, ann, access }) => {
    const { token } = await makePersonalToken(app, ann, ['switch'])
    const lastUse = async () => (await app.call(readTokens, {}, ann)).body.tokens[0]?.lastUsedAt
    await access.use(readFocus, token)
    const first = clock.now().toISOString()
    expect(await lastUse()).toBe(first)
    clock.advance({ minutes: 59 })
    await access.use(readFocus, token)
    expect(await lastUse()).toBe(first)
    clock.advance({ minutes: 2 })
    await access.use(readFocus, token)
    expect(await lastUse()).toBe(clock.now().toISOString())
  })

  test('of somebody else cannot be revoked or seen', async ({ app, ann, access }) => {
    const { token, id } = await makePersonalToken(app, ann, ['switch'])
    const bea = await makeUser(app)
    expect((await app.call(revokeToken, { id }, bea)).body).toEqual({ revoked: true })
    expect((await app.call(readTokens, {}, bea)).body).toEqual({ tokens: [] })
    expect((await access.use(readFocus, token)).status).toBe(200)
  })
})

test('the OpenAPI document marks the scopes of each call', async ({ app }) => {
  const { paths } = (await app.inject('/api/openapi.json')).json() as {
    paths: Record<string, Record<string, { security?: object[]; 'x-scopes'?: string[] }>>
  }
  const marked = Object.entries(paths).flatMap(([path, calls]) =>
    Object.entries(calls).flatMap(([method, { security = [], 'x-scopes': scopes }]) => {
      expect([path, security.some((kind) => 'personalToken' in kind)]).toEqual([path, scopes !== undefined])
      return scopes ? [[`${method} ${path}`, scopes.join()]] : []
    }),
  )
  expect(Object.fromEntries(marked)).toMatchObject({
    'post /api/focus/start': 'switch',
    'get /api/home': 'read',
    'get /api/team': 'team',
    'get /api/live': 'switch,read,team',
    'get /api/sign': 'sign',
  })
  expect(
    marked.map(([call]) => call).filter((call) => /account|tokens|push|company|profile/.test(String(call))),
  ).toEqual(['get /api/tokens/own'])
})
