import { afterEach, expect, test, vi } from 'vitest'
import errors from '../../../server/src/auth/http/auth-error.ts?raw'
import limits from '../../../server/src/auth/limits/auth-limits.ts?raw'
import passwords from '../../../server/src/auth/password/new-password.ts?raw'
import { createAuthClient } from '../session/auth-client.ts'
import { authFailureText } from '../session/auth-failure-text.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const codes = [...errors.matchAll(/^ {2}(\w+): \[\d+, '(.+)'\],$/gm)].map(([, code = '', message = '']) => [
  code,
  message,
])

/** The server has GoTrue's words for these, which other clients compare. People read plainer ones. */
const PLAINER = new Set(['no_authorization', 'mfa_verification_failed'])

test.each(codes)('%s has a text, in English the message of the server', (code, message) => {
  if (PLAINER.has(code)) expect(authFailureText(code, '')).not.toBe('')
  else expect(authFailureText(code, '')).toBe(message)
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
  for (const message of messages) expect(authFailureText('weak_password', message)).toBe(message)
})

test.each(['1 second', '30 seconds', '2 minutes'])('a rate limit says that it ends in %s', (duration) => {
  expect(limits).toContain('Too many attempts. Try again in $')
  const message = `Too many attempts. Try again in ${duration}.`
  expect(authFailureText('over_request_rate_limit', message)).toBe(message)
})

test('the address of an emailed code stays in the text', () => {
  const message = 'We have sent a code to ann@acme.example.'
  expect(authFailureText('provider_email_needs_verification', message)).toBe(message)
})

test('the name of a company stays in the text', () => {
  const message = 'The sign-in of Acme does not answer right now. Try again shortly.'
  expect(authFailureText('unexpected_failure', message)).toBe(message)
})

test.each([
  ['invalid_credentials', 'Invalid login credentials'],
  ['mfa_verification_failed', 'The code is wrong or was already used.'],
  ['new_rule', 'A message of the server.'],
])('the auth client reports %s in the language of the page', async (code, expected) => {
  const body = { code, error_code: code, message: 'A message of the server.', msg: 'A message of the server.' }
  const headers = { 'x-supabase-api-version': '2024-01-01' }
  vi.spyOn(window, 'fetch').mockResolvedValue(Response.json(body, { status: 400, headers }))
  const storage = { getItem: () => null, setItem: () => undefined, removeItem: () => undefined }
  const client = createAuthClient({ storage, accessToken: async () => null, hasTokens: () => false })
  const { error } = await client.signInWithPassword({ email: 'ann@acme.example', password: 'quiet-otter-41' })
  expect(error).toMatchObject({ code, status: 400, message: expected })
})
