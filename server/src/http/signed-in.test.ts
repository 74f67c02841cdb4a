import { afterAll, beforeAll, expect, test } from 'vitest'
import { statement } from '../db/db.ts'
import { type AuthApp, openAuthApp } from '../testing/auth-app.ts'
import { makeUser } from '../testing/make.ts'

let authApp: AuthApp
beforeAll(async () => {
  authApp = await openAuthApp()
})
afterAll(() => authApp.close())

const whoami = async (accessToken: string) => {
  const answer = await authApp.app.inject({ url: '/whoami', headers: { authorization: `Bearer ${accessToken}` } })
  return answer.statusCode
}

/** As another process would: this one is not told. */
const endElsewhere = (userId: string) =>
  authApp.auth.db.query(statement('test.end', 'delete from auth.sessions where user_id = :userId'), { userId })

const lookUps = () => authApp.statements.filter((name) => name === 'auth.session-owner').length

test('requests that come together ask the database once, and not again for 30 seconds', async () => {
  const { accessToken } = await makeUser(authApp)
  const before = lookUps()
  expect(await Promise.all([1, 2, 3, 4].map(() => whoami(accessToken)))).toEqual([200, 200, 200, 200])
  authApp.clock.pass(29)
  expect(await whoami(accessToken)).toBe(200)
  expect(lookUps() - before).toBe(1)
  authApp.clock.pass(2)
  expect(await whoami(accessToken)).toBe(200)
  expect(lookUps() - before).toBe(2)
})

test('a session that was ended by another process is out within 30 seconds', async () => {
  const { accessToken, userId } = await makeUser(authApp)
  expect(await whoami(accessToken)).toBe(200)
  await endElsewhere(userId)
  authApp.clock.pass(31)
  expect(await whoami(accessToken)).toBe(401)
})

test('an answer that was on its way when the session ended is not kept', async () => {
  const { sessionAlive, accessTokens, now } = authApp.auth
  const { accessToken, userId } = await makeUser(authApp)
  const bearer = await accessTokens.verify(accessToken, now())
  if (!bearer) throw new Error('The token is not good.')
  const underWay = sessionAlive.check({ ...bearer, binding: null }, now())
  await endElsewhere(userId)
  sessionAlive.forget(bearer.sessionId)
  await underWay
  expect(await whoami(accessToken)).toBe(401)
})

test('a database that does not answer is no sign-out: the next request is let in again', async () => {
  const { accessToken } = await makeUser(authApp)
  authApp.outage.isOn = true
  expect(await whoami(accessToken)).toBe(503)
  authApp.outage.isOn = false
  expect(await whoami(accessToken)).toBe(200)
})
