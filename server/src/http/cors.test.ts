import { OLDEST_CLIENT_HEADER } from '@deeb/core/client-version'
import { startFocus } from '@deeb/core/focus/api'
import { switchFocus } from '@deeb/core/focus/program-api'
import { readHome } from '@deeb/core/home/api'
import { describe, expect } from 'vitest'
import { APPS } from '../testing/apps.ts'
import { makeUser } from '../testing/make.ts'
import { test as base } from '../testing/test.ts'

const test = base.extend('settings', { scope: 'file' }, APPS).extend('site', ({ app }) => {
  const ask = (method: 'GET' | 'OPTIONS' | 'POST', url: string, headers: Record<string, string>) =>
    app.inject({ method, url, headers, query: method === 'GET' ? { timeZone: 'UTC' } : {} })
  const grants = ({ headers }: Awaited<ReturnType<typeof ask>>) =>
    Object.keys(headers).filter((name) => name.startsWith('access-control'))
  return { ask, grants }
})

test.for(['https://localhost', 'capacitor://localhost', 'http://localhost:3000'])(
  'the API may be read from %s, without cookies',
  async (origin, { app, site }) => {
    const preflight = await site.ask('OPTIONS', readHome.path, { origin, 'access-control-request-method': 'GET' })
    expect([preflight.statusCode, preflight.headers['access-control-allow-origin']]).toEqual([204, origin])
    const { accessToken } = await makeUser(app)
    const answer = await site.ask('GET', readHome.path, { origin, authorization: `Bearer ${accessToken}` })
    expect([answer.statusCode, answer.headers['access-control-allow-origin']]).toEqual([200, origin])
    expect(answer.headers).toMatchObject({ vary: 'Origin' })
    expect(answer.headers['access-control-expose-headers']).toContain(OLDEST_CLIENT_HEADER)
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined()
    expect((await site.ask('GET', readHome.path, { origin })).headers['access-control-allow-origin']).toBe(origin)
  },
)

test.for([
  'chrome-extension://abcdefghijklmnopabcdefghijklmnop',
  'moz-extension://8f2f3c1e-6b0d-4f0e-9a55-4d1b7c1d5eeb',
])('threat 287: %s reads what a switch needs, and nothing else', async (origin, { site }) => {
  for (const path of [switchFocus.path, startFocus.path, '/api/live']) {
    const preflight = await site.ask('OPTIONS', path, { origin, 'access-control-request-method': 'PUT' })
    expect(preflight.headers['access-control-allow-origin']).toBe(origin)
  }
  for (const path of [readHome.path, '/api/tokens', '/auth/v1/user', '/api/focus/switches']) {
    expect(site.grants(await site.ask('GET', path, { origin }))).toEqual([])
  }
})

describe('threat 24: a page of another origin', () => {
  test.for([
    'https://evil.example',
    'null',
    'http://localhost',
    'https://localhost.evil.example',
    'x-chrome-extension://a',
  ])('at %s reads nothing', async (origin, { site }) => {
    for (const path of [readHome.path, switchFocus.path, '/auth/v1/user', '/app', '/healthz']) {
      expect(site.grants(await site.ask('OPTIONS', path, { origin, 'access-control-request-method': 'GET' }))).toEqual(
        [],
      )
      expect(site.grants(await site.ask('GET', path, { origin }))).toEqual([])
    }
  })

  test('changes nothing with a form (CSRF): it can send neither JSON nor a token', async ({ app }) => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const headers = { origin: 'https://evil.example', 'content-type': type, cookie: `deeb=${'A'.repeat(43)}` }
      const inject = (url: string) => app.inject({ method: 'POST', url, headers, payload: '{}' })
      expect((await inject('/auth/v1/token?grant_type=password')).statusCode).toBe(415)
      expect((await inject('/auth/v1/logout')).statusCode).toBeGreaterThanOrEqual(400)
      expect((await inject('/api/focus/start')).statusCode).toBe(401)
    }
  })
})
