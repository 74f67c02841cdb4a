// Runs in npm run test:all.
import { hash, verify } from '@node-rs/argon2'
import type { FastifyInstance } from 'fastify'
import { describe, expect, vi } from 'vitest'
import { readConfig } from '../../config/config.ts'
import { type AuthApp, restartWith } from '../../testing/auth-app.ts'
import { confirmation, createAuthClient, newestLinkToken } from '../../testing/auth-client.ts'
import { PASSWORD } from '../../testing/make.ts'
import { test } from '../../testing/test.ts'
import { createPasswords } from '../password/hashing.ts'

const argon2 = { hash: vi.fn(hash), verify: vi.fn(verify) }

const CHEAP = { setting: '7168,5,1', cost: 'm=7168,t=5,p=1' }
const DEAR = { setting: '12288,3,1', cost: 'm=12288,t=3,p=1' }

async function signUp(server: FastifyInstance, email: string): Promise<string> {
  await createAuthClient(server).signUp({ email, password: PASSWORD })
  return email
}

async function confirm(authApp: AuthApp, server: FastifyInstance, email: string): Promise<string> {
  const link = await newestLinkToken(authApp, email)
  const { error } = await createAuthClient(server).verifyOtp(confirmation(link, PASSWORD))
  if (error) throw error
  return email
}

describe.each([
  ['raised', CHEAP, DEAR],
  ['lowered', DEAR, CHEAP],
])('threat 86: after AUTH_ARGON2 was %s', (_, before, after) => {
  let authApp: AuthApp
  let server: FastifyInstance
  test.beforeEach(async ({ startAuthApp }) => {
    authApp = await startAuthApp({ AUTH_ARGON2: before.setting })
    const { argon2: cost } = readConfig({ AUTH_ARGON2: after.setting })
    server = await restartWith(authApp, { passwords: createPasswords(cost, argon2) })
  })

  /** The costs of the hashes that a sign-in computes, and the statements that it runs. */
  async function workOf(email: string, password = 'not the password') {
    argon2.verify.mockClear()
    argon2.hash.mockClear()
    authApp.statements.length = 0
    const { error } = await createAuthClient(server).signInWithPassword({ email, password })
    const costs = argon2.verify.mock.calls.map(([hash]) => String(hash).split('$')[3]).sort()
    const hashes = argon2.hash.mock.calls.length
    return { code: error?.code, costs, hashes, statements: [...authApp.statements] }
  }

  test('threat 86: a failed sign-in computes the same hashes for known and unknown addresses', async () => {
    const old = await confirm(authApp, authApp.app, await signUp(authApp.app, 'old@fjordlab.example'))
    const oldWaiting = await signUp(authApp.app, 'old.waiting@fjordlab.example')
    const renewed = await confirm(authApp, server, await signUp(server, 'new@fjordlab.example'))
    const newWaiting = await signUp(server, 'new.waiting@fjordlab.example')
    const unknown = await workOf('nobody@fjordlab.example')
    expect(unknown).toEqual({
      code: 'invalid_credentials',
      costs: [before.cost, after.cost, before.cost, after.cost].sort(),
      hashes: 0,
      statements: ['auth.provider-of-domain', 'auth.find-account', 'auth.count-guess', 'auth.log-failed-login'],
    })
    for (const email of [old, oldWaiting, renewed, newWaiting]) {
      expect(await workOf(email)).toEqual(unknown)
    }
  })

  test('threat 86: a sign-in computes no hash of the old cost when none is stored', async () => {
    const email = await confirm(authApp, authApp.app, await signUp(authApp.app, 'last@fjordlab.example'))
    expect((await workOf('nobody@fjordlab.example')).costs).toContain(before.cost)
    expect((await workOf(email, PASSWORD)).code).toBeUndefined()
    expect((await workOf('nobody@fjordlab.example')).costs).toEqual([after.cost, after.cost])
    expect((await workOf(email)).costs).toEqual([after.cost, after.cost])
  })
})
