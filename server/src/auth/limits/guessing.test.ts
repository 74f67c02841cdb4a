import { beforeEach, describe, expect, vi } from 'vitest'
import { statement } from '../../db/db.ts'
import { newestLinkToken } from '../../testing/auth-client.ts'
import { makeUser, PASSWORD } from '../../testing/make.ts'
import { test as base } from '../../testing/test.ts'

const test = base.extend('service', ({ authApp }) => {
  async function signIn(email: string, password: string, remoteAddress: string) {
    const answer = await authApp.app.inject({
      method: 'POST',
      url: '/auth/v1/token?grant_type=password',
      remoteAddress,
      payload: { email, password },
    })
    const { code, message } = answer.json()
    return { status: answer.statusCode, code, message, retryAfter: answer.headers['retry-after'] }
  }
  const setMisses = (email: string, misses: number) =>
    authApp.auth.db.query(
      statement(
        'test.set-misses',
        `update auth.users set failed_attempts = :misses, failed_attempts_on = (:now::timestamptz at time zone 'UTC')::date
      where email = :email returning id`,
      ),
      { email, misses, now: authApp.clock.now() },
    )
  const missesOf = async (email: string) => {
    const read = statement('test.misses', 'select failed_attempts as misses from auth.users where email = :email')
    return (await authApp.auth.db.query<{ misses: number }>(read, { email }))[0]?.misses
  }
  /** A user who has signed in from HOME. */
  async function owner(): Promise<string> {
    const { email } = await makeUser(authApp)
    expect((await signIn(email, PASSWORD, HOME)).status).toBe(200)
    return email
  }
  return { signIn, setMisses, missesOf, owner }
})

const HOME = '198.51.100.1'
const WRONG = 'not the password'

/** Each test guesses from networks of its own, because the limits outlive a test. */
let network = 0
beforeEach(() => {
  network += 1
})
const stranger = (n: number) => `10.${network}.0.${n}`

const GUESSED_WRONG = { status: 400, code: 'invalid_credentials', message: 'Invalid login credentials' }
const SLOWED = (seconds: number) => ({
  status: 429,
  code: 'over_request_rate_limit',
  message: `Too many attempts. Try again in ${seconds} second${seconds === 1 ? '' : 's'}.`,
  retryAfter: String(seconds),
})

describe('threat 8: brute force from one address', () => {
  test('threat 8: the eighth guess in a row has to wait, and the owner can sign in elsewhere', async ({ service }) => {
    const email = await service.owner()
    for (let n = 1; n <= 6; n++) expect(await service.signIn(email, WRONG, stranger(1))).toMatchObject(GUESSED_WRONG)
    expect(await service.signIn(email, WRONG, stranger(1))).toEqual(SLOWED(1))
    expect(await service.signIn(email, PASSWORD, stranger(1))).toEqual(SLOWED(1))
    expect((await service.signIn(email, PASSWORD, HOME)).status).toBe(200)
  })

  test('threat 8: the backoff doubles with each miss and ends with the right password', async ({
    authApp,
    service,
  }) => {
    const { email } = await makeUser(authApp)
    for (let n = 1; n <= 6; n++) await service.signIn(email, WRONG, stranger(1))
    for (const seconds of [1, 2, 4, 8]) {
      expect(await service.signIn(email, WRONG, stranger(1))).toEqual(SLOWED(seconds))
      authApp.clock.pass(seconds)
      expect(await service.signIn(email, WRONG, stranger(1))).toMatchObject(GUESSED_WRONG)
    }
    authApp.clock.pass(16)
    expect((await service.signIn(email, PASSWORD, stranger(1))).status).toBe(200)
    expect(await service.signIn(email, WRONG, stranger(1))).toMatchObject(GUESSED_WRONG)
    expect((await service.signIn(email, PASSWORD, stranger(1))).status).toBe(200)
  })

  test('threat 8: concurrent guesses count too', async ({ authApp, service }) => {
    const { email } = await makeUser(authApp)
    const guesses = await Promise.all(Array.from({ length: 25 }, () => service.signIn(email, WRONG, stranger(1))))
    expect(guesses.filter(({ status }) => status === 400)).toHaveLength(6)
    expect(guesses.filter(({ status }) => status === 429)).toHaveLength(19)
  })

  test('threat 8: one address has 30 misses per five minutes over all accounts (credential stuffing)', async ({
    authApp,
    service,
  }) => {
    const guesses = Array.from({ length: 30 }, (_, n) =>
      service.signIn(`n${n}.${network}@fjordlab.example`, WRONG, stranger(1)),
    )
    for (const guess of await Promise.all(guesses)) expect(guess).toMatchObject(GUESSED_WRONG)
    const { email } = await makeUser(authApp)
    expect(await service.signIn(email, PASSWORD, stranger(1))).toEqual(SLOWED(10))
    authApp.clock.pass(10)
    expect((await service.signIn(email, PASSWORD, stranger(1))).status).toBe(200)
  })

  test('threat 8: a right password does not count', async ({ authApp, service }) => {
    const { email } = await makeUser(authApp)
    for (let n = 1; n <= 35; n++) expect((await service.signIn(email, PASSWORD, stranger(1))).status).toBe(200)
  })
})

describe('threat 9: brute force from many addresses', () => {
  test('threat 9: strangers share a backoff after their eleventh miss', async ({ authApp, service }) => {
    const email = await service.owner()
    for (let n = 1; n <= 11; n++) expect(await service.signIn(email, WRONG, stranger(n))).toMatchObject(GUESSED_WRONG)
    expect(await service.signIn(email, WRONG, stranger(12))).toEqual(SLOWED(1))
    expect((await service.signIn(email, PASSWORD, HOME)).status).toBe(200)
    authApp.clock.pass(1)
    expect(await service.signIn(email, WRONG, stranger(12))).toMatchObject(GUESSED_WRONG)
    expect(await service.signIn(email, WRONG, stranger(13))).toEqual(SLOWED(2))
  })

  test('threat 9: after 100 misses strangers are rejected even with the right password', async ({
    authApp,
    service,
  }) => {
    const email = await service.owner()
    await service.setMisses(email, 99)
    expect(await service.signIn(email, WRONG, stranger(1))).toMatchObject(GUESSED_WRONG)
    expect(await service.missesOf(email)).toBe(100)

    const verify = vi.spyOn(authApp.auth.passwords, 'verify')
    expect(await service.signIn(email, PASSWORD, stranger(2))).toMatchObject(GUESSED_WRONG)
    expect(verify).toHaveBeenCalledTimes(2)
    verify.mockRestore()

    expect((await service.signIn(email, PASSWORD, HOME)).status).toBe(200)
    expect(await service.missesOf(email)).toBe(0)
    expect((await service.signIn(email, PASSWORD, stranger(2))).status).toBe(200)
  })

  test('threat 9: a success from anywhere resets the misses before that', async ({ service }) => {
    const email = await service.owner()
    await service.setMisses(email, 99)
    expect((await service.signIn(email, PASSWORD, stranger(1))).status).toBe(200)
    expect(await service.missesOf(email)).toBe(0)
  })
})

describe('threat 82: misses that lock the owner out on every new network', () => {
  test('threat 82: misses halve every day', async ({ authApp, service }) => {
    const email = await service.owner()
    await service.setMisses(email, 395)
    for (const network of [1, 2]) {
      expect(await service.signIn(email, PASSWORD, stranger(network))).toMatchObject(GUESSED_WRONG)
      authApp.clock.pass(86_400)
    }
    expect((await service.signIn(email, PASSWORD, stranger(3))).status).toBe(200)
  })

  test('threat 82: one miss a day does not keep the account locked', async ({ authApp, service }) => {
    const email = await service.owner()
    await service.setMisses(email, 150)
    expect(await service.signIn(email, PASSWORD, stranger(1))).toMatchObject(GUESSED_WRONG)
    authApp.clock.pass(86_400)
    expect(await service.signIn(email, WRONG, stranger(2))).toMatchObject(GUESSED_WRONG)
    expect(await service.missesOf(email)).toBe(76)
    expect((await service.signIn(email, PASSWORD, stranger(3))).status).toBe(200)
  })

  test('threat 82: a clock that is set back does not halve them', async ({ authApp, service }) => {
    const email = await service.owner()
    await service.setMisses(email, 100)
    authApp.clock.pass(-3 * 86_400)
    expect(await service.signIn(email, PASSWORD, stranger(1))).toMatchObject(GUESSED_WRONG)
    expect(await service.missesOf(email)).toBe(101)
    authApp.clock.pass(3 * 86_400)
  })
})

describe('threat 10: locking the owner out', () => {
  test('threat 10: misses of strangers never lock the owner out on a familiar network', async ({ service }) => {
    const email = await service.owner()
    await service.setMisses(email, 5000)
    for (let n = 1; n <= 20; n++) await service.signIn(email, WRONG, stranger(n))
    expect((await service.signIn(email, WRONG, stranger(21))).status).toBe(429)
    expect((await service.signIn(email, PASSWORD, HOME)).status).toBe(200)
  })

  test('threat 10: a network is familiar for 90 days after each success', async ({ authApp, service }) => {
    const email = await service.owner()
    authApp.clock.pass(89 * 86_400)
    expect((await service.signIn(email, PASSWORD, HOME)).status).toBe(200)
    authApp.clock.pass(89 * 86_400)
    await service.setMisses(email, 100)
    expect((await service.signIn(email, PASSWORD, HOME)).status).toBe(200)
    authApp.clock.pass(90 * 86_400)
    await service.setMisses(email, 100)
    expect(await service.signIn(email, PASSWORD, HOME)).toMatchObject(GUESSED_WRONG)
  })

  test('threat 10: an IPv6 /64 is familiar as a whole, and another is not', async ({ authApp, service }) => {
    const { email } = await makeUser(authApp)
    expect((await service.signIn(email, PASSWORD, '2001:db8:0:7::1')).status).toBe(200)
    await service.setMisses(email, 100)
    expect(await service.signIn(email, PASSWORD, '2001:db8:0:8::1')).toMatchObject(GUESSED_WRONG)
    expect((await service.signIn(email, PASSWORD, '2001:db8:0:7:1234::9')).status).toBe(200)
  })

  test('threat 10: a network that is familiar to one account is not familiar to another', async ({
    authApp,
    service,
  }) => {
    await service.owner()
    const { email } = await makeUser(authApp)
    await service.setMisses(email, 100)
    expect(await service.signIn(email, PASSWORD, HOME)).toMatchObject(GUESSED_WRONG)
  })
})

describe('threat 11: user enumeration', () => {
  test('threat 11: an unknown address has the same backoff and cost', async ({ authApp, service }) => {
    const known = await service.owner()
    const cost = async (email: string, net: number) => {
      const verify = vi.spyOn(authApp.auth.passwords, 'verify')
      authApp.statements.length = 0
      const answers = []
      for (let n = 0; n < 16; n++) answers.push(await service.signIn(email, WRONG, `10.${net}.7.${n < 9 ? 1 : n}`))
      const hashes = verify.mock.calls.length
      verify.mockRestore()
      return { answers, hashes, statements: [...authApp.statements] }
    }
    const seen = await cost(known, 201)
    expect(seen.answers.map(({ status }) => status)).toEqual([
      ...[400, 400, 400, 400, 400, 400, 429, 429, 429],
      ...[400, 400, 400, 400, 400, 429, 429],
    ])
    expect(await cost(`nobody.${network}@fjordlab.example`, 202)).toEqual(seen)
  })
})

test('threat 10: the network of a confirmation is familiar', async ({ authApp, service }) => {
  const email = `joined.${network}@fjordlab.example`
  const post = (path: string, payload: object, remoteAddress: string) =>
    authApp.app.inject({ method: 'POST', url: `/auth/v1${path}`, remoteAddress, payload })
  await post('/signup', { email, password: PASSWORD }, stranger(1))
  const token_hash = await newestLinkToken(authApp, email)
  expect((await post('/verify', { type: 'signup', token_hash, password: PASSWORD }, HOME)).statusCode).toBe(200)
  await service.setMisses(email, 100)
  expect(await service.signIn(email, PASSWORD, stranger(1))).toMatchObject(GUESSED_WRONG)
  expect((await service.signIn(email, PASSWORD, HOME)).status).toBe(200)
})

test('threat 10: a recovery link lets the owner in from anywhere', async ({ authApp, service }) => {
  const { email } = await makeUser(authApp)
  await service.setMisses(email, 100)
  const post = (path: string, payload: object) =>
    authApp.app.inject({ method: 'POST', url: `/auth/v1${path}`, remoteAddress: stranger(1), payload })
  await post('/recover', { email })
  const token_hash = await newestLinkToken(authApp, email, 'recovery')
  expect((await post('/verify', { type: 'recovery', token_hash })).statusCode).toBe(200)
  expect((await service.signIn(email, PASSWORD, stranger(2))).status).toBe(200)
})
