import { randomBytes } from 'node:crypto'
import { describe, expect } from 'vitest'
import { statement } from '../../db/db.ts'
import { createAuthClient } from '../../testing/auth-client.ts'
import { makeUser, PASSWORD } from '../../testing/make.ts'
import { test as base } from '../../testing/test.ts'
import { readRefreshToken, writeRefreshToken } from '../auth-session/refresh-token.ts'

const test = base.extend('service', ({ authApp }) => {
  async function refresh(refreshToken: unknown): Promise<Outcome> {
    const answer = await authApp.app.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=refresh_token',
      payload: { refresh_token: refreshToken },
    })
    return { status: answer.statusCode, ...answer.json() }
  }
  const whoami = (accessToken: string) =>
    authApp.app.inject({ url: '/whoami', headers: { authorization: `Bearer ${accessToken}` } })
  const reusesOf = (userId: string) =>
    authApp.auth.db.query(
      statement(
        'test.reuses',
        "select detail from auth.audit_log where user_id = :userId and action = 'refresh_reuse'",
      ),
      { userId },
    )
  return { refresh, whoami, reusesOf }
})

interface Outcome {
  status: number
  code?: string
  refresh_token: string
  access_token: string
}

test('auth-js refreshes, and the new tokens work', async ({ authApp }) => {
  const { email } = await makeUser(authApp)
  const device = createAuthClient(authApp.app)
  const events: string[] = []
  device.onAuthStateChange((event) => void events.push(event))
  const first = (await device.signInWithPassword({ email, password: PASSWORD })).data.session
  const { data, error } = await device.refreshSession()
  expect(error).toBeNull()
  expect(data.session?.refresh_token).not.toBe(first?.refresh_token)
  expect(data.session?.access_token).not.toBe(first?.access_token)
  expect(events).toContain('TOKEN_REFRESHED')
  expect((await device.getUser()).data.user?.email).toBe(email)
  expect((await device.refreshSession()).error).toBeNull()
})

describe('a refresh token', () => {
  test('threat 18: sent eight times concurrently is rotated once', async ({ authApp, service }) => {
    const { refreshToken } = await makeUser(authApp)
    let parent = refreshToken
    for (let round = 0; round < 20; round++) {
      const outcomes = await Promise.all(Array.from({ length: 8 }, () => service.refresh(parent)))
      expect(outcomes.map((outcome) => outcome.status)).toEqual(Array(8).fill(200))
      const children = new Set(outcomes.map((outcome) => outcome.refresh_token))
      expect(children.size).toBe(1)
      // The limit is ten refreshes a minute per auth session.
      authApp.clock.pass(60)
      parent = [...children][0] ?? ''
    }
    expect((await service.refresh(parent)).status).toBe(200)
  })

  test('is idempotent for 60 seconds', async ({ authApp, service }) => {
    const { refreshToken } = await makeUser(authApp)
    const child = await service.refresh(refreshToken)
    authApp.clock.pass(59)
    const again = await service.refresh(refreshToken)
    expect(again.refresh_token).toBe(child.refresh_token)
    expect((await service.whoami(again.access_token)).statusCode).toBe(200)
    expect((await service.refresh(child.refresh_token)).status).toBe(200)
  })

  test('threat 19: reused after 61 seconds revokes the auth session, for the newest token too', async ({
    authApp,
    service,
  }) => {
    const { userId, refreshToken } = await makeUser(authApp)
    const child = await service.refresh(refreshToken)
    expect((await service.whoami(child.access_token)).statusCode).toBe(200)
    authApp.clock.pass(61)
    expect(await service.refresh(refreshToken)).toMatchObject({ status: 400, code: 'refresh_token_already_used' })
    expect((await service.whoami(child.access_token)).statusCode).toBe(401)
    expect(await service.refresh(child.refresh_token)).toMatchObject({ status: 400, code: 'refresh_token_not_found' })
    expect(await service.reusesOf(userId)).toHaveLength(1)
  })

  test('reused two rotations later revokes the auth session immediately', async ({ authApp, service }) => {
    const { userId, refreshToken } = await makeUser(authApp)
    const child = await service.refresh(refreshToken)
    const grandchild = await service.refresh(child.refresh_token)
    expect((await service.whoami(grandchild.access_token)).statusCode).toBe(200)
    expect(await service.refresh(refreshToken)).toMatchObject({ status: 400, code: 'refresh_token_already_used' })
    expect((await service.whoami(grandchild.access_token)).statusCode).toBe(401)
    expect(await service.refresh(grandchild.refresh_token)).toMatchObject({
      status: 400,
      code: 'refresh_token_not_found',
    })
    expect(await service.reusesOf(userId)).toHaveLength(1)
  })

  test('reused does not revoke other auth sessions of the user', async ({ authApp, service }) => {
    const { email, refreshToken } = await makeUser(authApp)
    const other = createAuthClient(authApp.app)
    await other.signInWithPassword({ email, password: PASSWORD })
    await service.refresh((await service.refresh(refreshToken)).refresh_token)
    expect((await service.refresh(refreshToken)).code).toBe('refresh_token_already_used')
    expect((await other.getUser()).error).toBeNull()
  })
})

describe('an auth session', () => {
  test('expires after 30 days without a refresh', async ({ authApp, service }) => {
    const kept = await makeUser(authApp)
    const idle = await makeUser(authApp)
    authApp.clock.pass(29 * 86_400)
    const child = await service.refresh(kept.refreshToken)
    expect(child.status).toBe(200)
    authApp.clock.pass(2 * 86_400)
    expect(await service.refresh(idle.refreshToken)).toMatchObject({ status: 400, code: 'session_expired' })
    expect((await service.refresh(child.refresh_token)).status).toBe(200)
  })

  test('expires 90 days after sign-in, also when refreshed', async ({ authApp, service }) => {
    const { refreshToken } = await makeUser(authApp)
    let newest: Outcome | undefined
    for (const _ of [1, 2, 3, 4]) {
      authApp.clock.pass(22 * 86_400)
      newest = await service.refresh(newest?.refresh_token ?? refreshToken)
      expect(newest.status).toBe(200)
    }
    authApp.clock.pass(3 * 86_400)
    expect(await service.refresh(newest?.refresh_token)).toMatchObject({ status: 400, code: 'session_expired' })
    expect((await service.whoami(newest?.access_token ?? '')).statusCode).toBe(401)
  })
})

describe('an invalid refresh token', () => {
  test('is rejected when forged, changed in one bit, or encoded differently', async ({ authApp, service }) => {
    const { refreshToken, userId } = await makeUser(authApp)
    const token = readRefreshToken(authApp.auth.keys.refreshKeys, refreshToken)
    if (!token) throw new Error('The token is not readable.')
    const bytes = Buffer.from(refreshToken, 'base64url')
    const changed = Array.from(bytes, (byte, at) => Buffer.from(bytes.with(at, byte ^ 1)).toString('base64url'))
    // The last character has two unused bits.
    const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
    const last = alphabet.indexOf(refreshToken.slice(-1))
    const respelled = refreshToken.slice(0, -1) + alphabet[last ^ 1]
    expect(Buffer.from(respelled, 'base64url')).toEqual(bytes)
    const foreign = writeRefreshToken(randomBytes(32), token)
    for (const text of [...changed, respelled, foreign, `${refreshToken}A`, ` ${refreshToken}`, '', 'x', userId]) {
      expect(await service.refresh(text)).toMatchObject({ status: 400, code: 'refresh_token_not_found' })
    }
    expect((await service.refresh(refreshToken)).status).toBe(200)
  })

  test('is rejected when it is missing or not a text', async ({ service }) => {
    for (const value of [undefined, null, 7, {}]) {
      expect(await service.refresh(value)).toMatchObject({ status: 400, code: 'validation_failed' })
    }
  })
})

test('threat 33: retries during a database failure use up no limit', async ({ authApp, service }) => {
  const { email } = await makeUser(authApp)
  const device = createAuthClient(authApp.app)
  const session = (await device.signInWithPassword({ email, password: PASSWORD })).data.session
  authApp.outage.isOn = true
  for (let i = 0; i < 25; i++) expect((await service.refresh(session?.refresh_token)).status).toBe(503)
  authApp.outage.isOn = false
  expect((await device.refreshSession()).error).toBeNull()
})

test('a refresh without the database is a 503; auth-js keeps the auth session and recovers', async ({
  authApp,
  service,
}) => {
  const { email } = await makeUser(authApp)
  const device = createAuthClient(authApp.app)
  const session = (await device.signInWithPassword({ email, password: PASSWORD })).data.session
  authApp.outage.isOn = true
  const outcome = await service.refresh(session?.refresh_token)
  authApp.outage.isOn = false
  expect(outcome).toMatchObject({ status: 503, code: 'unexpected_failure' })
  expect((await device.getSession()).data.session).toEqual(session)
  expect((await device.refreshSession()).error).toBeNull()
})
