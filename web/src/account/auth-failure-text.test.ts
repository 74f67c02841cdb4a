import { expect, test, vi } from 'vitest'
import errors from '../../../server/src/auth/http/auth-error.ts?raw'
import limits from '../../../server/src/auth/limits/auth-limits.ts?raw'
import passwords from '../../../server/src/auth/password/new-password.ts?raw'
import { authFailureText } from './auth-failure-text.ts'

/** Any language that is not English: only then the text is not the server's message itself. */
vi.mock('../language.ts', async (original) => ({ ...(await original<object>()), LANGUAGE: 'en-XA' }))

const failure = (message: string, code?: string) => Object.assign(new Error(message), { code })
const codes = [...errors.matchAll(/^ {2}(\w+): \[\d+, '(.+)'\],$/gm)].map(([, code = '', message = '']) => [
  code,
  message,
])

test.each(codes)('%s has a text, in English the message of the server', (code, message) => {
  expect(authFailureText(failure('', code))).toBe(message)
})

test('finds the codes of the server', () => {
  expect(codes.length).toBeGreaterThan(50)
  expect(codes).toContainEqual(['invalid_credentials', 'Invalid login credentials'])
})

test('every message about a new password has a text of its own', () => {
  const messages = [...passwords.matchAll(/message: (?:'|`)(.+)(?:'|`)/g)].map(([, message = '']) =>
    message.replace(/\$\{.*?\}/, '12'),
  )
  expect(messages.length).toBeGreaterThan(6)
  for (const message of messages) expect(authFailureText(failure(message, 'weak_password'))).toBe(message)
})

test.each(['1 second', '30 seconds', '2 minutes'])('a rate limit says that it ends in %s', (duration) => {
  expect(limits).toContain('Too many attempts. Try again in $')
  const message = `Too many attempts. Try again in ${duration}.`
  expect(authFailureText(failure(message, 'over_request_rate_limit'))).toBe(message)
})

test('the address of an emailed code stays in the text', () => {
  const message = 'We have sent a code to ann@acme.example.'
  expect(authFailureText(failure(message, 'provider_email_needs_verification'))).toBe(message)
})

test('a missing session has a text, and an unknown code the message of the server', () => {
  const missing = Object.assign(new Error(''), { name: 'AuthSessionMissingError' })
  expect(authFailureText(missing)).toBe('Auth session missing!')
  expect(authFailureText(failure('A new rule.', 'new_rule'))).toBe('A new rule.')
})
