import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { OLDEST_CLIENT_HEADER, OLDEST_SAFE_CLIENT } from '@deeb/core/client-version'
import type { Endpoint } from '@deeb/core/endpoint'
import { ErrorBody } from '@deeb/core/errors'
import { startFocus } from '@deeb/core/focus/api'
import { readHome } from '@deeb/core/home/api'
import { LIVE_PATH } from '@deeb/core/live-events'
import { COMPANY_WEEKS_PATH } from '@deeb/core/report/api'
import * as v from 'valibot'
import { describe, expect } from 'vitest'
import { SESSION_FILES } from '../account/session-files.ts'
import { openStream } from '../testing/live.ts'
import { type MadeUser, makeUser } from '../testing/make.ts'
import { test as base, endpointsOfCore } from '../testing/routes.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import { WHO_MAY_WHAT } from '../testing/who-may-what.ts'
import { withoutLimits } from '../testing/without-limits.ts'

const ENDPOINTS = await endpointsOfCore()
const byMethodAndPath = ({ method, path }: Endpoint) => `${method} ${path}`
const FILES = [COMPANY_WEEKS_PATH, ...SESSION_FILES.map(({ path }) => path)].map((path) => `GET ${path}`)
/** Routes of /api that are no call with input and output: event streams, a redirect, the OpenAPI document and files. */
const WITHOUT_ENDPOINT = [
  'GET /api/live',
  'GET /api/sign/live',
  'GET /api/status/callback/:system',
  'GET /api/openapi.json',
  ...FILES,
]

const test = base
  .extend('stores', { scope: 'file' }, { callLimitStore: withoutLimits() })
  .extend('user', { scope: 'file', auto: true }, ({ app }) => makeUser(app))
  /** Sends any body with any headers. Returns status and code, and expects the error format. */
  .extend(
    'refused',
    ({ app, user }) =>
      async function refused(endpoint: Endpoint, payload: string, headers: Record<string, string> = {}) {
        const response = await app.inject({
          method: endpoint.method,
          url: endpoint.path,
          headers: { authorization: `Bearer ${user.accessToken}`, 'content-type': 'application/json', ...headers },
          ...(endpoint.method === 'GET' ? { query: payload } : { payload }),
        })
        const { code, requestId } = v.parse(ErrorBody, response.json())
        expect(response.headers['x-request-id']).toBe(requestId)
        return [response.statusCode, code]
      },
  )

test('every endpoint of core has one route, and every other route of /api is named here', ({ routes }) => {
  const served = [...routes.keys()].filter((route) => / \/api\//.test(route))
  expect(served.sort()).toEqual([...ENDPOINTS.map(byMethodAndPath), ...WITHOUT_ENDPOINT].sort())
})

describe.each(ENDPOINTS)('$method $path', (endpoint) => {
  if (WHO_MAY_WHAT[byMethodAndPath(endpoint)]?.outcomes.nobody === 'refused') {
    test('without a token, or with one that is not ours, answers not_signed_in', async ({ user, refused }) => {
      for (const authorization of ['', 'Bearer', 'Bearer x.y.z', 'Basic YTpi', `Bearer ${user.accessToken}x`]) {
        expect(await refused(endpoint, '{}', { authorization })).toEqual([401, 'not_signed_in'])
      }
    })
  }

  if (endpoint.method === 'GET') return

  test('refuses a body that is not JSON, has another content type or is too large', async ({ refused }) => {
    expect(await refused(endpoint, '{"a":')).toEqual([400, 'invalid_input'])
    expect(await refused(endpoint, '')).toEqual([400, 'invalid_input'])
    expect(await refused(endpoint, '{}', { 'content-type': 'text/plain' })).toEqual([415, 'json_required'])
    expect(await refused(endpoint, `"${'x'.repeat(1024 * 1024)}"`)).toEqual([413, 'body_too_large'])
  })
})

test('a refusal names the fields, and no value that was sent', async ({ app, user }) => {
  const headers = { authorization: `Bearer ${user.accessToken}` }
  const payload = { sessionId: 'a secret', timeZone: ['another'], 'a third': 1 }
  const { body } = await app.inject({ method: 'POST', url: startFocus.path, headers, payload })
  expect(v.parse(ErrorBody, JSON.parse(body)).fields?.map(({ path }) => path)).toEqual(['sessionId', 'timeZone'])
  expect(body).not.toMatch(/secret|another/)
})

describe('threat 97: every answer of the API carries the oldest safe client version', () => {
  const asked = async (
    { app, user }: { app: TestApp; user: MadeUser },
    method: 'GET' | 'OPTIONS' | 'PUT',
    url: string,
    payload = {},
  ) => {
    const headers = { authorization: `Bearer ${user.accessToken}` }
    const answer = await app.inject({ method, url, headers, ...(method === 'PUT' && { payload }) })
    return [answer.statusCode, answer.headers[OLDEST_CLIENT_HEADER]]
  }

  test('for successes and refusals', async ({ app, user }) => {
    const ask = (...request: [method: 'GET' | 'OPTIONS' | 'PUT', url: string, payload?: object]) =>
      asked({ app, user }, ...request)
    expect(await ask('GET', '/api/home?timeZone=UTC')).toEqual([200, OLDEST_SAFE_CLIENT])
    expect(await ask('OPTIONS', '/api/home')).toEqual([204, OLDEST_SAFE_CLIENT])
    expect(await ask('GET', '/api/home?timeZone=Nowhere')).toEqual([400, OLDEST_SAFE_CLIENT])
    expect(await ask('GET', '/api/%zz')).toEqual([400, OLDEST_SAFE_CLIENT])
    expect(await ask('GET', '/api/nowhere')).toEqual([404, OLDEST_SAFE_CLIENT])
    expect(await ask('PUT', '/api/goals', { goals: 'x'.repeat(1024 * 1024) })).toEqual([413, OLDEST_SAFE_CLIENT])
    const { statusCode, headers } = await app.inject('/api/home')
    expect([statusCode, headers[OLDEST_CLIENT_HEADER]]).toEqual([401, OLDEST_SAFE_CLIENT])
  })

  test('while the database is unreachable', async () => {
    const other = await startTestApp()
    const { accessToken } = await makeUser(other)
    await other.db.close()
    const headers = { authorization: `Bearer ${accessToken}` }
    const answer = await other.app.inject({ url: '/api/home?timeZone=UTC', headers })
    expect([answer.statusCode, answer.headers[OLDEST_CLIENT_HEADER]]).toEqual([503, OLDEST_SAFE_CLIENT])
    await other.app.close()
  })

  test('a live stream', async ({ app, user }) => {
    const stream = await openStream(app, user)
    expect(stream.headers[OLDEST_CLIENT_HEADER]).toBe(OLDEST_SAFE_CLIENT)
    stream.leave()
  })
})

describe('every answer', () => {
  test.for(['/app', '/app/home', '/nothing-here', '/api/nothing', '/api/home', '/healthz', '/assets/app-12345678.js'])(
    'threat 26: of %s carries the security headers',
    async (url, { app }) => {
      const { headers } = await app.inject(url)
      expect(headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'")
      expect(headers['content-security-policy']).toContain("require-trusted-types-for 'script'")
      expect(headers).toMatchObject({ 'x-content-type-options': 'nosniff', 'referrer-policy': 'no-referrer' })
      expect(headers['strict-transport-security']).toBeUndefined()
    },
  )

  test('an unknown page is 404 with the not-found page, an unknown call 404 with the error shape', async ({ app }) => {
    const page = await app.inject('/app/nowhere')
    expect([page.statusCode, page.body]).toEqual([404, expect.stringContaining('not found')])
    const call = await app.inject('/api/nowhere')
    expect([call.statusCode, call.json().code]).toEqual([404, 'not_found'])
    const post = await app.inject({ method: 'POST', url: '/nowhere', payload: {} })
    expect([post.statusCode, post.json().code]).toEqual([404, 'not_found'])
  })

  test.for(['if-none-match', 'if-match'])(
    'an unknown page has something to read, whatever %s asks for',
    async (name, { app }) => {
      const { statusCode, body } = await app.inject({ url: '/nowhere', headers: { [name]: '*' } })
      expect([statusCode, body]).toEqual([404, expect.stringContaining('not found')])
    },
  )

  test.for(['/%zz', '/api/%zz', '/auth/v1/%zz', '/assets/%E0%A4%A'])(
    '%s is refused in the error format',
    async (url, { app }) => {
      const { statusCode, headers, body } = await app.inject(url)
      expect([statusCode, v.parse(ErrorBody, JSON.parse(body)).code]).toEqual([400, 'invalid_input'])
      expect(headers['content-security-policy']).toContain("default-src 'none'")
    },
  )

  test.for(['/%', '/%ff', '/app/%ff', '/a%00b', '//', '//app/'])(
    '%s is a 404 page in a browser',
    async (url, { app }) => {
      for (const method of ['GET', 'HEAD'] as const) {
        const { statusCode, headers, body } = await app.inject({
          method,
          url,
          headers: { accept: 'text/html,*/*' },
        })
        expect([statusCode, headers['content-type']]).toEqual([404, 'text/html; charset=utf-8'])
        expect(body).toContain(method === 'GET' ? 'not found' : '')
        expect(headers['content-security-policy']).toContain("default-src 'none'")
        expect(headers['x-request-id']).toBeDefined()
      }
    },
  )

  test('a malformed call gets the error format, in a browser too', async ({ app }) => {
    for (const url of ['/api/%ff', '/auth/v1/%ff']) {
      const { statusCode, body } = await app.inject({ url, headers: { accept: 'text/html' } })
      expect([statusCode, v.parse(ErrorBody, JSON.parse(body)).code]).toEqual([400, 'invalid_input'])
    }
  })

  test('an unknown path of the account service gets a GoTrue error, for every method', async ({ app }) => {
    for (const method of ['GET', 'POST'] as const) {
      const { statusCode, headers, body } = await app.inject({ method, url: '/auth/v1/nope' })
      expect([statusCode, JSON.parse(body).error_code]).toEqual([404, 'not_found'])
      expect(headers).toMatchObject({ 'x-supabase-api-version': '2024-01-01', 'cache-control': 'no-store' })
    }
  })

  test('a trailing slash redirects to the page', async ({ app }) => {
    const { statusCode, headers } = await app.inject('/app/home/?x=1')
    expect([statusCode, headers.location]).toEqual([308, '/app/home?x=1'])
  })

  test('hashed files are immutable, pages are revalidated', async ({ app }) => {
    const file = await app.inject('/assets/app-12345678.js')
    expect(file.headers['cache-control']).toContain('immutable')
    expect((await app.inject('/app')).headers['cache-control']).toBe('no-cache, no-transform')
  })

  test('serves no file outside the built web (path traversal)', async ({ app }) => {
    for (const url of ['/../package.json', '/%2e%2e/package.json', '/assets/..%2f..%2ftest-app.ts']) {
      expect((await app.inject(url)).statusCode).toBeGreaterThanOrEqual(400)
    }
  })
})

test('127.0.0.1 redirects to localhost, the origin of the tokens', async ({ app }) => {
  const ask = (headers: Record<string, string>) => app.inject({ url: '/app/home', headers })
  const sent = await ask({ host: '127.0.0.1:3000', accept: 'text/html' })
  expect([sent.statusCode, sent.headers.location]).toEqual([302, 'http://localhost:3000/app/home'])
  expect((await ask({ host: 'localhost:3000', accept: 'text/html' })).statusCode).toBe(200)
})

test('the OpenAPI document has the schemas that validate requests', async ({ app }) => {
  const { paths } = (await app.inject('/api/openapi.json')).json()
  const described = Object.entries<Record<string, { summary: string }>>(paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, { summary }]) => [`${method.toUpperCase()} ${path}`, summary]),
  )
  const endpoints = ENDPOINTS.map((endpoint) => [byMethodAndPath(endpoint), endpoint.summary])
  const weeks = [`GET ${COMPANY_WEEKS_PATH}`, 'Read every counted week of the company of the caller, as CSV.']
  const live = [`GET ${LIVE_PATH}`, 'Receive changes as server-sent events.']
  const files = [weeks, ...SESSION_FILES.map(({ path, summary }) => [`GET ${path}`, summary])]
  expect(Object.fromEntries(described)).toEqual(Object.fromEntries([...endpoints, ...files, live]))
  expect(Object.keys(paths[COMPANY_WEEKS_PATH].get.responses[200].content)).toEqual(['text/csv'])
  expect([paths['/api/goals'].put.security, paths['/api/leads'].post.security]).toEqual([[{ bearer: [] }], undefined])
  const goals = paths['/api/goals'].put.requestBody.content['application/json'].schema.properties.goals
  expect(goals).toMatchObject({ minItems: 7, maxItems: 7 })
  expect(paths['/api/home'].get.parameters).toMatchObject([
    { in: 'query', name: 'timeZone', required: true },
    { in: 'query', name: 'utcOffset', required: false },
  ])
})

test('health and calls answer unavailable while the database is unreachable', async () => {
  const other = await startTestApp()
  const person = await makeUser(other)
  await other.db.close()
  const health = await other.app.inject('/healthz')
  expect([health.statusCode, health.json().code, health.headers['retry-after']]).toEqual([503, 'unavailable', '5'])
  const home = await other.call(readHome, { timeZone: 'UTC' }, person)
  expect([home.status, home.error.code]).toEqual([503, 'unavailable'])
  await other.app.close()
})

test('an idle connection does not delay a graceful shutdown', async () => {
  const other = await startTestApp()
  await other.app.listen({ host: '127.0.0.1', port: 0 })
  const accepted = once(other.app.server, 'connection')
  const { port } = other.app.server.address() as AddressInfo
  const socket = connect(port, '127.0.0.1')
  await accepted
  await other.close()
  socket.destroy()
})
