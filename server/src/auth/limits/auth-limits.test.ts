import { randomUUID } from 'node:crypto'
import { beforeEach, describe, expect } from 'vitest'
import { createRateLimitStore } from '../../limits/rate-limit-store.ts'
import { test } from '../../testing/test.ts'
import { AuthError } from '../http/auth-error.ts'
import { type AuthLimits, createAuthLimits } from './auth-limits.ts'
import { createGuesses, type Guesses } from './guesses.ts'

const START = Date.parse('2026-06-15T09:00:00.000Z')
const after = (seconds: number) => new Date(START + seconds * 1000)

let guesses: Guesses
let limits: AuthLimits
let userId: string
test.beforeAll(async ({ authApp }) => {
  guesses = createGuesses(authApp.auth.db, authApp.auth.keys)
})
beforeEach(() => {
  limits = createAuthLimits(createRateLimitStore(), guesses)
  userId = randomUUID()
})

describe('the backoff', () => {
  const RULE = { name: 'tries', free: 5, maxSeconds: 900 }
  const own = () => ({ rule: RULE, key: userId })

  test('after five misses is 1, 2, 4 ... 900 seconds', async () => {
    const waits: number[] = []
    let second = 0
    for (let n = 0; n < 18; n++) {
      expect(await guesses.count([own()], after(second))).toBe(0)
      const wait = await guesses.count([own()], after(second)).then(async (wait) => {
        if (wait === 0) await guesses.undo([own()])
        return wait
      })
      waits.push(wait)
      second += wait
    }
    expect(waits).toEqual([0, 0, 0, 0, 0, 1, 2, 4, 8, 16, 32, 64, 128, 256, 512, 900, 900, 900])
  })

  test('ends a day after the last miss, and when a guess is right', async () => {
    for (let n = 0; n < 6; n++) await guesses.count([own()], after(0))
    expect(await guesses.count([own()], after(0))).toBe(1)
    for (let n = 0; n < 5; n++) expect(await guesses.count([own()], after(86_400))).toBe(0)
    await guesses.forget(own(), [])
    for (let n = 0; n < 6; n++) expect(await guesses.count([own()], after(86_400))).toBe(0)
  })

  test('counts for no key while one of them has to wait, and a right guess ends that of its own key alone', async () => {
    const shared = { rule: { ...RULE, name: 'shared tries', free: 6 }, key: userId }
    for (let n = 0; n < 6; n++) await guesses.count([own(), shared], after(0))
    for (let n = 0; n < 3; n++) expect(await guesses.count([own(), shared], after(0))).toBe(1)
    expect(await guesses.count([shared], after(0))).toBe(0)
    expect(await guesses.count([shared], after(0))).toBe(1)
    expect(await guesses.count([own(), shared], after(1))).toBe(0)
    await guesses.forget(own(), [shared])
    expect(await guesses.count([own()], after(1))).toBe(0)
    expect(await guesses.count([shared], after(1))).toBe(0)
    expect(await guesses.count([shared], after(1))).toBe(2)
  })

  test('does not delay free misses, whatever their order in time', async () => {
    await guesses.count([own()], after(1))
    expect(await guesses.count([own()], after(0))).toBe(0)
  })
})

describe('the limit of the current password', () => {
  const guess = (seconds: number, isRight: boolean) =>
    limits.guessCurrentPassword(userId, after(seconds), async () => isRight)

  test('allows five misses, then backs off exponentially', async () => {
    for (const second of [0, 0, 0, 0, 0, 0]) expect(await guess(second, false)).toBe(false)
    await expect(guess(0, true)).rejects.toMatchObject({
      status: 429,
      code: 'over_request_rate_limit',
      retryAfterSeconds: 1,
      message: 'Too many attempts. Try again in 1 second.',
    })
    expect(await guess(1, true)).toBe(true)
    expect(await guess(1, false)).toBe(false)
  })

  test.each([1, 2, 4])('threat 217: %i servers judge no more concurrent guesses than one', async (servers) => {
    const each = Array.from({ length: servers }, () => createAuthLimits(createRateLimitStore(), guesses))
    const all = await Promise.allSettled(
      Array.from({ length: 40 }, (_, n) =>
        each[n % servers]?.guessCurrentPassword(userId, after(0), async () => false),
      ),
    )
    expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(6)
  })

  test('does not count guesses that could not be checked', async () => {
    const busy = () =>
      limits.guessCurrentPassword(userId, after(0), () =>
        Promise.reject(new AuthError('unexpected_failure', { message: 'busy' })),
      )
    for (const _ of Array(20)) await expect(busy()).rejects.toThrow('busy')
    expect(await guess(0, true)).toBe(true)
  })
})

test('codes of an authenticator app are limited to five a minute', async () => {
  for (const _ of Array(5)) limits.takeTotp('verify', 'a', after(0))
  expect(() => limits.takeTotp('verify', 'a', after(0))).toThrow('Too many attempts. Try again in 12 seconds.')
  limits.takeTotp('challenge', 'a', after(0))
  limits.takeTotp('verify', 'b', after(0))
  limits.takeTotp('verify', 'a', after(12))
})
