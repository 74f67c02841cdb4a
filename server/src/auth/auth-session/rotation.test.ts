import { randomBytes } from 'node:crypto'
import { decodeProtectedHeader } from 'jose'
import { beforeAll, describe, expect } from 'vitest'
import { deriveKeys, type Keys } from '../../config/keys.ts'
import { statement } from '../../db/db.ts'
import { type AuthApp, restartWith } from '../../testing/auth-app.ts'
import { createAuthClient } from '../../testing/auth-client.ts'
import { codeOf, makeProtectedPerson, prove, signIn } from '../../testing/factors.ts'
import { makeUser, PASSWORD } from '../../testing/make.ts'
import { test as base } from '../../testing/test.ts'
import { writeRefreshToken } from './refresh-token.ts'

const OLD = randomBytes(32)
const NEW = randomBytes(32)

const test = base.extend(
  'restart',
  ({ authApp }) =>
    (which: keyof typeof keys) =>
      restartWith(authApp, { keys: keys[which] }),
)

let keys: Record<'old' | 'both' | 'new', Keys>
beforeAll(async () => {
  keys = { old: await deriveKeys(OLD), both: await deriveKeys(NEW, OLD), new: await deriveKeys(NEW) }
})
const kidOf = (token = '') => decodeProtectedHeader(token).kid

describe('threat 32: a rotation of the server secret', () => {
  test('accepts old tokens, issues new ones at each refresh, and then works without the old secret', async ({
    authApp,
    restart,
  }) => {
    const { email } = await makeUser(authApp)
    const before = createAuthClient(await restart('old'))
    const first = (await before.signInWithPassword({ email, password: PASSWORD })).data.session
    expect(kidOf(first?.access_token)).toBe(keys.old.signing.kid)

    const during = await restart('both')
    const headers = { authorization: `Bearer ${first?.access_token}` }
    expect((await during.inject({ url: '/whoami', headers })).statusCode).toBe(200)
    const device = createAuthClient(during)
    const refresh_token = first?.refresh_token ?? ''
    const second = (await device.refreshSession({ refresh_token })).data.session
    expect(kidOf(second?.access_token)).toBe(keys.new.signing.kid)
    // Idempotent: a retry with the old token returns the same next token.
    expect((await createAuthClient(during).refreshSession({ refresh_token })).data.session?.refresh_token).toBe(
      second?.refresh_token,
    )

    const after = await restart('new')
    expect((await after.inject({ url: '/whoami', headers })).statusCode).toBe(401)
    const late = await createAuthClient(after).refreshSession({ refresh_token })
    expect(late.error?.code).toBe('refresh_token_not_found')
    const next = await createAuthClient(after).refreshSession({ refresh_token: second?.refresh_token ?? '' })
    expect(next.error).toBeNull()
  })

  test('encrypts a factor again with its next code; others stop working without the old secret', async ({
    authApp,
    restart,
  }) => {
    const at = async (which: keyof typeof keys): Promise<AuthApp> => ({
      ...authApp,
      app: await restart(which),
      auth: { ...authApp.auth, keys: keys[which] },
    })
    const before = await at('old')
    const [shown, unused] = [await makeProtectedPerson(before), await makeProtectedPerson(before)]
    const during = await at('both')
    expect((await prove(during, await signIn(during, shown.email), shown.factorId)).error).toBeNull()

    authApp.clock.pass(60)
    const after = await at('new')
    expect((await prove(after, await signIn(after, shown.email), shown.factorId)).error).toBeNull()
    const code = await codeOf(during, unused.factorId)
    const device = await signIn(after, unused.email)
    expect((await device.mfa.challengeAndVerify({ factorId: unused.factorId, code })).error?.status).toBe(503)
  })

  test('publishes both keys, the signing one first', async ({ restart }) => {
    const answer = await (await restart('both')).inject('/auth/v1/.well-known/jwks.json')
    const kids = answer.json().keys.map(({ kid }: { kid: string }) => kid)
    expect(kids).toEqual([keys.new.signing.kid, keys.old.signing.kid])
    expect(answer.body).not.toContain('"d"')
  })

  test('rejects a token of neither secret', async ({ authApp, restart }) => {
    const { email } = await makeUser(authApp)
    const { data } = await createAuthClient(await restart('old')).signInWithPassword({ email, password: PASSWORD })
    const stranger = await restartWith(authApp, { keys: await deriveKeys(randomBytes(32), NEW) })
    const headers = { authorization: `Bearer ${data.session?.access_token}` }
    expect((await stranger.inject({ url: '/whoami', headers })).statusCode).toBe(401)
    const refresh = await createAuthClient(stranger).refreshSession(data.session as { refresh_token: string })
    expect(refresh.error?.code).toBe('refresh_token_not_found')
  })
})

test('threat 31: a dump of the database cannot forge a refresh token', async ({ authApp }) => {
  const { userId } = await makeUser(authApp)
  const [row] = await authApp.auth.db.query<{ id: string; counter: number; text: string }>(
    statement(
      'test.dump-session',
      `select id, refresh_counter as counter, sessions::text as text from auth.sessions where user_id = :userId`,
    ),
    { userId },
  )
  if (!row) throw new Error('There is no session.')
  for (const key of [randomBytes(32), Buffer.alloc(32), Buffer.from(row.text).subarray(0, 32)]) {
    const refresh_token = writeRefreshToken(key, { sessionId: row.id, counter: row.counter })
    const answer = await createAuthClient(authApp.app).refreshSession({ refresh_token })
    expect(answer.error?.code).toBe('refresh_token_not_found')
  }
})
