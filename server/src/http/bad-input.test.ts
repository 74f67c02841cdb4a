// Runs in npm run test:all.
import { ErrorBody } from '@deeb/core/errors'
import fc from 'fast-check'
import type { InjectOptions } from 'fastify'
import * as v from 'valibot'
import { describe, expect } from 'vitest'
import { digestTables, ONE_MOMENT } from '../backup/tables.ts'
import { APPS } from '../testing/apps.ts'
import {
  absurdHeaders,
  brokenJson,
  oddlyFilled,
  oddQuery,
  oddSegment,
  wrongAuthorization,
  wrongQuery,
  wrongType,
  wrongValue,
} from '../testing/bad-input.ts'
import { askedBy } from '../testing/request-schemas.ts'
import { type Scene, setScene } from '../testing/roles.ts'
import { type Asked, test as base } from '../testing/routes.ts'
import { runs } from '../testing/runs.ts'
import type { FixturesOf } from '../testing/test.ts'
import { type Row, WHO_MAY_WHAT } from '../testing/who-may-what.ts'
import { withoutLimits } from '../testing/without-limits.ts'

const test = base
  .extend('settings', { scope: 'file' }, APPS)
  .extend('stores', { scope: 'file' }, { limitStore: withoutLimits(), callLimitStore: withoutLimits() })
  .extend('scene', { scope: 'file', auto: true }, ({ app }) => setScene(app, 'oneself'))
  .extend('site', ({ routes, app, clock, scene }) => {
    function targetOf(route: string, row: Row, { data, token }: Scene): Target {
      const [method = '', path = ''] = route.split(' ')
      const asked = askedBy(route, routes.get(route) ?? {}) ?? {}
      const valid = row.input?.(data, clock.now()) ?? {}
      const [url = '', query = ''] = (row.url?.(data) ?? path).split('?')
      const fields = new URLSearchParams(method === 'GET' ? (valid as Record<string, string>) : query)
      const headers: Record<string, string> = { 'content-type': row.isForm ? FORM : 'application/json' }
      if (isForSignedIn(row)) headers.authorization = `Bearer ${token}`
      const key = keyOf(row)
      if (key) headers.authorization = `Admin ${key}`
      const payload = row.isForm
        ? new URLSearchParams(valid as Record<string, string>).toString()
        : JSON.stringify(valid)
      const good = { url: fields.size > 0 ? `${url}?${fields}` : url, headers, ...(method !== 'GET' && { payload }) }
      return { route, method: method as Target['method'], row, asked, valid, good }
    }
    const keyOf = ({ forAdmin }: Row) => (forAdmin && forAdmin !== 'here' ? app.auth.keys[forAdmin] : null)
    /** Sends from a new IP address, so that no rate limit applies. Requests of the administrator come from this machine. */
    async function send({ method, row }: Target, { url, headers, payload }: Request) {
      callers += 1
      const elsewhere = `10.${(callers >> 16) & 255}.${(callers >> 8) & 255}.${callers & 255}`
      const remoteAddress = row.forAdmin ? '127.0.0.1' : elsewhere
      return app.inject({ method, url, headers, remoteAddress, ...(payload !== undefined && { payload }) })
    }
    /** Requests that must be refused. */
    function wrongRequests({ row, method, asked, valid, good }: Target): fc.Arbitrary<Request>[] {
      const [path = '', query = ''] = good.url.split('?')
      const having = (changes: fc.Arbitrary<Partial<Request>>) => changes.map((changed) => ({ ...good, ...changed }))
      const withHeader = (name: string) => (value: string) => ({ headers: { ...good.headers, [name]: value } })
      const wrong: fc.Arbitrary<Request>[] = []
      if (isForSignedIn(row)) {
        wrong.push(having(wrongAuthorization(scene.token ?? '').map(withHeader('authorization'))))
      }
      const key = keyOf(row)
      if (key) {
        const nearly = fc.constantFrom('Admin', 'Admin ', `Admin ${key}x`, `Bearer ${key}`)
        wrong.push(having(fc.oneof(nearly, wrongAuthorization(key)).map(withHeader('authorization'))))
      }
      if (/[\da-f]{8}-/.test(path)) {
        wrong.push(having(oddSegment.map((odd) => ({ url: path.replace(/[\da-f]{8}[\da-f-]{28}/, odd) }))))
      }
      if (asked.querystring && query) {
        const fields = Object.fromEntries(new URLSearchParams(query))
        wrong.push(having(wrongQuery(asked.querystring, fields).map((text) => ({ url: `${path}?${text}` }))))
      }
      if (asked.body && row.isForm) {
        const noAddress = fc.record({ email: oddSegment }).map((fields) => new URLSearchParams(fields).toString())
        wrong.push(having(fc.oneof(noAddress, oddQuery).map((payload) => ({ payload }))))
        wrong.push(having(fc.constantFrom('https://evil.example', 'x').map(withHeader('origin'))))
        wrong.push(having(wrongType.map(withHeader('content-type'))))
      }
      if (asked.body && !row.isForm && method !== 'GET') {
        wrong.push(having(wrongValue(asked.body, valid).map((value) => ({ payload: JSON.stringify(value) ?? '' }))))
        wrong.push(having(brokenJson.map((payload) => ({ payload }))))
        wrong.push(having(wrongType.map(withHeader('content-type'))))
        wrong.push(having(fc.constant({ payload: JSON.stringify({ ...(valid as object), more: 'x'.repeat(17_000) }) })))
      }
      return wrong
    }
    /** A digest of all tables: an unwanted write may be anywhere. */
    function written() {
      return app.db.transaction(async (db) => {
        await db.script(ONE_MOMENT)
        return digestTables(db)
      })
    }
    return { targetOf, send, wrongRequests, written }
  })

let callers = 0

type Payload = string | Buffer
interface Request {
  url: string
  headers: Record<string, string>
  payload?: Payload
}

/** A route with its schema, and a valid request from Ann. */
interface Target {
  route: string
  method: NonNullable<InjectOptions['method']>
  row: Row
  asked: Asked
  valid: unknown
  good: Request
}

const FORM = 'application/x-www-form-urlencoded'
const isForSignedIn = ({ outcomes }: Row) => outcomes.nobody === 'refused'

type Answer = Awaited<ReturnType<FixturesOf<typeof test>['site']['send']>>

/** Expects the error format of this server, and no 5xx. */
function expectToBeInShape({ row, good }: Target, { url }: Request, answer: Answer): void {
  const { statusCode, headers } = answer
  expect(statusCode).toBeLessThan(500)
  expect(headers['content-security-policy']).toContain("default-src 'none'")
  if (row.isForm && statusCode === 303) expect(headers.location).toMatch(new RegExp(`^${good.url}#(not-)?(saved|now)$`))
  if (statusCode < 400) return
  if (String(headers['content-type']).startsWith('text/html')) {
    // A wrong link of a sign is answered with a page that says so.
    expect([url.startsWith('/api/'), statusCode]).toEqual([false, url.startsWith('/sign') ? 401 : 404])
    return
  }
  const body = answer.json()
  if (row.isForDirectory) {
    expect(body).toMatchObject({ schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'], status: String(statusCode) })
    return
  }
  // The shape of OAuth, for identity providers.
  if (typeof body.error === 'string') expect(body).toEqual({ error: 'invalid_request' })
  else if (body.error_code === undefined) expect(v.parse(ErrorBody, body).requestId).toBe(headers['x-request-id'])
  else expect(body).toMatchObject({ code: body.error_code, message: body.msg })
}

function isRefused({ row }: Target, { statusCode, headers }: Answer): boolean {
  return statusCode >= 400 || (row.isForm === true && /#not-/.test(String(headers.location)))
}

/** Requests with odd but allowed parts, for routes that refuse nothing. */
function oddRequests({ good }: Target): fc.Arbitrary<Request> {
  return oddQuery.map((query) => ({ ...good, url: `${good.url.split('?')[0]}?${query}` }))
}

test('every route has a schema and a row', ({ routes }) => {
  const unknown = [...routes].filter(([route, said]) => !WHO_MAY_WHAT[route] || askedBy(route, said) === null)
  expect(unknown).toEqual([])
})

describe.each(Object.entries(WHO_MAY_WHAT))('%s', (route, row) => {
  test('answers generated bad input in the error format, and writes nothing (fuzz test)', async ({ scene, site }) => {
    const target = site.targetOf(route, row, scene)
    const wrong = site.wrongRequests(target)
    const mustRefuse = wrong.length > 0
    // A route that refuses nothing, such as a page, gets odd requests.
    const requests = mustRefuse ? fc.oneof(...wrong) : oddRequests(target)
    const before = await site.written()
    await fc.assert(
      fc.asyncProperty(requests, absurdHeaders, async (request, absurd) => {
        const asked = { ...request, headers: { ...absurd, ...request.headers } }
        const answer = await site.send(target, asked)
        expectToBeInShape(target, asked, answer)
        if (mustRefuse) expect(isRefused(target, answer), `${answer.statusCode} ${answer.body}`).toBe(true)
      }),
      runs(60, 2_000),
    )
    expect(await site.written()).toEqual(before)
  })
})

test('GET /outbox/mails answers the administrator in spite of odd parts', async ({ scene, site }) => {
  const route = 'GET /outbox/mails'
  const target = site.targetOf(route, WHO_MAY_WHAT[route] as Row, scene)
  await fc.assert(
    fc.asyncProperty(oddRequests(target), async (request) => {
      expect((await site.send(target, request)).statusCode).toBe(200)
    }),
    runs(20, 200),
  )
})

const ODDLY_FILLED = Object.entries(WHO_MAY_WHAT).filter(([, { input, isForm }]) => input && !isForm)

describe.each(ODDLY_FILLED)('%s', (route, row) => {
  test('never answers odd text with a 5xx', async ({ app, site }) => {
    // Some requests are accepted and change data.
    const target = site.targetOf(route, row, await setScene(app, 'oneself'))
    const { asked, good, method, valid } = target
    const schema = asked.body ?? asked.querystring
    if (!schema) throw new Error(`${route} has no schema.`)
    const [path] = good.url.split('?')
    const requests = oddlyFilled(schema, valid).map((input) => {
      if (method !== 'GET') return { ...good, payload: JSON.stringify(input) }
      const fields = Object.entries(input as Record<string, string>).map(([name, text]) => `${name}=${inQuery(text)}`)
      return { ...good, url: `${path}?${fields.join('&')}` }
    })
    await fc.assert(
      fc.asyncProperty(requests, async (request) =>
        expectToBeInShape(target, request, await site.send(target, request)),
      ),
      runs(10, 500),
    )
  })
})

/** A lone surrogate cannot be written into an address. */
function inQuery(text: string): string {
  return encodeURIComponent(text.replaceAll(/\p{Cs}/gu, '%'))
}
