import { expect } from 'vitest'
import { statement } from '../db/db.ts'
import { makeUser } from '../testing/make.ts'
import { test as base } from '../testing/test.ts'

const test = base.extend('site', ({ authApp }) => {
  const whoami = async (accessToken: string) => {
    const answer = await authApp.app.inject({ url: '/whoami', headers: { authorization: `Bearer ${accessToken}` } })
    return answer.statusCode
  }
  /** Like another process: no change event is published here. */
  const endElsewhere = (userId: string) =>
    authApp.auth.db.query(statement('test.end', 'delete from auth.sessions where user_id = :userId'), { userId })
  const lookUps = () => authApp.statements.filter((name) => name === 'auth.session-owner').length
  return { whoami, endElsewhere, lookUps }
})

test('concurrent requests share one query, cached for 30 seconds (single-flight)', async ({ authApp, site }) => {
  const { accessToken } = await makeUser(authApp)
  const before = site.lookUps()
  expect(await Promise.all([1, 2, 3, 4].map(() => site.whoami(accessToken)))).toEqual([200, 200, 200, 200])
  authApp.clock.pass(29)
  expect(await site.whoami(accessToken)).toBe(200)
  expect(site.lookUps() - before).toBe(1)
  authApp.clock.pass(2)
  expect(await site.whoami(accessToken)).toBe(200)
  expect(site.lookUps() - before).toBe(2)
})

test('an auth session that another process ended is refused within 30 seconds', async ({ authApp, site }) => {
  const { accessToken, userId } = await makeUser(authApp)
  expect(await site.whoami(accessToken)).toBe(200)
  await site.endElsewhere(userId)
  authApp.clock.pass(31)
  expect(await site.whoami(accessToken)).toBe(401)
})

test('a query in flight when the session ends is not cached', async ({ authApp, site }) => {
  const { sessionAlive, accessTokens, now } = authApp.auth
  const { accessToken, userId } = await makeUser(authApp)
  const bearer = await accessTokens.verify(accessToken, now())
  if (!bearer) throw new Error('The token is not good.')
  const underWay = sessionAlive.check({ ...bearer, binding: null }, now())
  await site.endElsewhere(userId)
  sessionAlive.invalidate(bearer.sessionId)
  await underWay
  expect(await site.whoami(accessToken)).toBe(401)
})

test('an unreachable database signs nobody out: the next request succeeds', async ({ authApp, site }) => {
  const { accessToken } = await makeUser(authApp)
  authApp.outage.isOn = true
  expect(await site.whoami(accessToken)).toBe(503)
  authApp.outage.isOn = false
  expect(await site.whoami(accessToken)).toBe(200)
})
