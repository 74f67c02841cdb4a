import { describe, expect } from 'vitest'
import { statement } from '../../db/db.ts'
import { createAuthClient } from '../../testing/auth-client.ts'
import { makeUser, PASSWORD } from '../../testing/make.ts'
import { test as base } from '../../testing/test.ts'

const test = base.extend('service', ({ authApp }) => {
  /** A user on three devices. Each one has sent a request, so that its auth session is in the cache. */
  async function threeDevices() {
    const { email, userId } = await makeUser(authApp)
    const devices = [1, 2, 3].map(() => createAuthClient(authApp.app))
    const tokens: string[] = []
    for (const device of devices) {
      const { data } = await device.signInWithPassword({ email, password: PASSWORD })
      tokens.push(data.session?.access_token ?? '')
    }
    expect(await alive(tokens)).toEqual([true, true, true])
    return { userId, tokens, devices, own: devices[0] ?? createAuthClient(authApp.app) }
  }
  async function alive(tokens: string[]): Promise<boolean[]> {
    const answers = await Promise.all(tokens.map((token) => send('GET', '/whoami', token)))
    return answers.map((answer) => answer.statusCode === 200)
  }
  const send = (method: 'GET' | 'POST', url: string, token: string) =>
    authApp.app.inject({ method, url, headers: { authorization: `Bearer ${token}` } })
  return { threeDevices, alive, send }
})

describe('sign-out', () => {
  test('threat 22: local revokes this auth session for all endpoints immediately', async ({ service }) => {
    const { own, tokens } = await service.threeDevices()
    const events: string[] = []
    own.onAuthStateChange((event) => void events.push(event))
    expect((await own.signOut({ scope: 'local' })).error).toBeNull()
    expect(events).toContain('SIGNED_OUT')
    expect(await service.alive(tokens)).toEqual([false, true, true])
  })

  test('threat 22: global revokes all auth sessions of the user and of nobody else', async ({ authApp, service }) => {
    const { own, tokens, devices } = await service.threeDevices()
    const stranger = await makeUser(authApp)
    expect((await own.signOut({ scope: 'global' })).error).toBeNull()
    expect(await service.alive([...tokens, stranger.accessToken])).toEqual([false, false, false, true])
    expect((await devices[1]?.refreshSession())?.error?.code).toBe('refresh_token_not_found')
  })

  test('threat 22: others revokes all auth sessions except this one', async ({ service }) => {
    const { own, tokens } = await service.threeDevices()
    expect((await own.signOut({ scope: 'others' })).error).toBeNull()
    expect(await service.alive(tokens)).toEqual([true, false, false])
  })

  test('answers with an empty 204, is global by default, and is in the audit log', async ({ authApp, service }) => {
    const { tokens, userId } = await service.threeDevices()
    const answer = await service.send('POST', '/auth/v1/logout', tokens[0] ?? '')
    expect([answer.statusCode, answer.body]).toEqual([204, ''])
    expect(await service.alive(tokens)).toEqual([false, false, false])
    const audit = statement(
      'test.logouts',
      "select detail from auth.audit_log where user_id = :userId and action = 'logout'",
    )
    expect(await authApp.auth.db.query(audit, { userId })).toEqual([{ detail: { scope: 'global' } }])
  })

  test('rejects an unknown scope and revokes nothing', async ({ service }) => {
    const { tokens } = await service.threeDevices()
    for (const scope of ['all', '', 'local&scope=global']) {
      const answer = await service.send('POST', `/auth/v1/logout?scope=${scope}`, tokens[0] ?? '')
      expect([answer.statusCode, answer.json().code]).toEqual([400, 'validation_failed'])
    }
    expect(await service.alive(tokens)).toEqual([true, true, true])
  })

  test('needs a live auth session', async ({ authApp, service }) => {
    const { tokens } = await service.threeDevices()
    const own = tokens[0] ?? ''
    await service.send('POST', '/auth/v1/logout?scope=local', own)
    const again = await service.send('POST', '/auth/v1/logout?scope=global', own)
    expect([again.statusCode, again.json().code]).toEqual([403, 'session_not_found'])
    expect(await service.alive(tokens)).toEqual([false, true, true])
    const nobody = await authApp.app.inject({ method: 'POST', url: '/auth/v1/logout' })
    expect([nobody.statusCode, nobody.json().code]).toEqual([401, 'no_authorization'])
  })
})

test('getUser signs the device out when its auth session was revoked elsewhere', async ({ service }) => {
  const { own, devices } = await service.threeDevices()
  await devices[1]?.signOut({ scope: 'global' })
  const events: string[] = []
  own.onAuthStateChange((event) => void events.push(event))
  expect((await own.getUser()).error?.name).toBe('AuthSessionMissingError')
  expect((await own.getSession()).data.session).toBeNull()
  expect(events).toContain('SIGNED_OUT')
})

test('threat 22: a blocked user is signed out within 30 seconds and cannot sign in again', async ({
  authApp,
  service,
}) => {
  const { own, tokens, userId } = await service.threeDevices()
  const ban = statement('test.ban', "update auth.users set banned_until = 'infinity' where id = :userId returning id")
  await authApp.auth.db.query(ban, { userId })
  authApp.clock.pass(31)
  expect(await service.alive(tokens)).toEqual([false, false, false])
  expect((await own.getUser()).error?.code).toBe('user_banned')
  expect((await own.refreshSession()).error?.code).toBe('user_banned')
})

test('threat 30: no token can revoke the auth session of another user', async ({ service }) => {
  const [owner, thief] = [await service.threeDevices(), await service.threeDevices()]
  await thief.own.signOut({ scope: 'global' })
  await thief.own.signOut({ scope: 'others' })
  expect(await service.alive(owner.tokens)).toEqual([true, true, true])
})
