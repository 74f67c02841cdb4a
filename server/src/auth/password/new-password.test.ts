import { describe, expect } from 'vitest'
import { readConfig } from '../../config/config.ts'
import { createAuthClient } from '../../testing/auth-client.ts'
import { test as base } from '../../testing/test.ts'
import { newPassword } from './new-password.ts'

const EMAIL = 'mara.lind@fjordlab.example'

const test = base
  /** The error of auth-js for a sign-up with this password. */
  .extend(
    'signUp',
    ({ authApp }) =>
      async function signUp(password: string, email = EMAIL) {
        const { error } = await createAuthClient(authApp.app).signUp({ email, password })
        if (!error) return null
        const reasons: unknown = 'reasons' in error ? error.reasons : undefined
        return { name: error.name, status: error.status, code: error.code, message: error.message, reasons }
      },
  )

const weak = (reason: string, message: string) => ({
  name: 'AuthWeakPasswordError',
  status: 422,
  code: 'weak_password',
  message,
  reasons: [reason],
})

const TOO_COMMON = weak('pwned', 'This password is too common. Choose one that is harder to guess.')
const FEW = weak('characters', 'This password has only one or two different characters. Use more different characters.')
const REPEATED = weak('characters', 'This password repeats a pattern. Choose one that is harder to guess.')
const NAMES = weak(
  'characters',
  'This password is mostly our name or your email address. Choose one that is harder to guess.',
)
const ROW = weak(
  'characters',
  'This password contains a keyboard or alphabet sequence. Choose one that is harder to guess.',
)
const TOO_SHORT = weak('length', 'Use at least 8 characters for the password.')

describe('TestPasswordStrengthChecks', () => {
  test.for(['password1', 'PassWord1', 'ｐａｓｓｗｏｒｄ１', 'iloveyou', '!qaz2wsx', 'trustno1'])(
    '%s is common',
    async (password, { signUp }) => expect(await signUp(password)).toEqual(TOO_COMMON),
  )

  test.for(['xxxxoxxxx', 'ababbaab', '🦦🦦🦦🦦🐟🦦🦦🦦'])('%s has two characters', async (password, { signUp }) =>
    expect(await signUp(password)).toEqual(FEW),
  )

  test.for(['otterotter', 'Otterotter', 'f9#f9#f9#f9', '🦦🐟🐙🦦🐟🐙🦦🐟'])(
    '%s repeats a pattern',
    async (password, { signUp }) => expect(await signUp(password)).toEqual(REPEATED),
  )

  test.for([
    'cdefghij',
    'ZYXWVUTS',
    '345678901',
    'yxcvbnmq',
    'öälkjhgfds',
    '7ujm6zhn',
    'lmnop98765',
    'wxyz----4321',
    '9999uiop',
  ])('%s is a sequence', async (password, { signUp }) => expect(await signUp(password)).toEqual(ROW))

  test.for(['deebdeeb1', 'FjordLab1', 'mara.lind', 'maralind24', 'mara.lind@fjordlab.example', 'focus-deeb-'])(
    '%s is mostly known names',
    async (password, { signUp }) => expect(await signUp(password)).toMatchObject({ code: 'weak_password' }),
  )

  test('rejects the name of the owner only for that owner', async ({ signUp }) => {
    expect(await signUp('FjordLab1')).toEqual(NAMES)
    // A user with another address may have it.
    expect(await signUp('FjordLab1', 'ann@other.example')).toBeNull()
  })

  test.for([
    'seven quiet otters',
    'quiet-otter-41',
    'correct horse battery staple',
    ' lead and trail ',
    'tree-were-tre',
    'property of nobody',
    'p4ssw0rd but longer',
    'fjordlab and then some',
    'дом на холме',
    '苹果 香蕉 樱桃 葡萄',
    'qxk7#mWp',
  ])('%s is accepted: there are no composition rules', async (password, { signUp }) =>
    expect(await signUp(password)).toBeNull(),
  )

  test('accepts the minimum and the maximum length', async ({ signUp }) => {
    expect(await signUp('7Rk#pq2')).toEqual(TOO_SHORT)
    expect(await signUp('7Rk#pq2v')).toBeNull()
    const longest = 'quiet otters '.repeat(10).slice(0, 127)
    expect(await signUp(`${longest}!`)).toBeNull()
    expect(await signUp(`${longest}!!`)).toMatchObject({ status: 400, code: 'validation_failed' })
  })
})

test('PASSWORD_MIN_LENGTH sets the minimum length', () => {
  const policy = { minLength: 15, commonPasswords: new Set<string>() }
  expect(() => newPassword('fourteen chars', EMAIL, policy)).toThrow('Use at least 15 characters for the password.')
  expect(newPassword('fifteen chars !', EMAIL, policy)).toBe('fifteen chars !')
  expect(readConfig({ PASSWORD_MIN_LENGTH: '15' }).passwordMinLength).toBe(15)
  for (const text of ['7', '65', '8.5', 'eight', '-8']) {
    expect(() => readConfig({ PASSWORD_MIN_LENGTH: text })).toThrow(
      `PASSWORD_MIN_LENGTH must be a whole number from 8 to 64, not "${text}".`,
    )
  }
})
