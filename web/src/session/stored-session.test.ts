import { afterEach, expect, test, vi } from 'vitest'
import { removeTokens, storeTokens } from '../testing/stored-tokens.ts'
import { STORAGE_KEY, storedSession } from './stored-session.ts'

afterEach(() => {
  vi.restoreAllMocks()
  removeTokens()
})

/** Stores the session of Mara with other fields. */
function storeWith(fields: object): void {
  storeTokens('mara')
  localStorage.setItem(
    STORAGE_KEY,
    JSON.stringify({ ...JSON.parse(localStorage.getItem(STORAGE_KEY) ?? ''), ...fields }),
  )
}

test.each([
  ['90 seconds left', 90, 'mara'],
  ['89 seconds left', 89, undefined],
  ['no time left', -1, undefined],
])('a session with %s is used only if the auth client would not refresh it', (_, secondsLeft, userId) => {
  vi.spyOn(Date, 'now').mockReturnValue(1_800_000_000_000)
  storeWith({ expires_at: 1_800_000_000 + secondsLeft })
  expect(storedSession()?.user.id).toBe(userId)
})

test.each([
  ['no access token', { access_token: undefined }],
  ['no refresh token', { refresh_token: null }],
  ['no user', { user: null }],
  ['no id of the user', { user: {} }],
  ['no time of expiry', { expires_at: undefined }],
])('an entry with %s is no session', (_, fields) => {
  storeWith(fields)
  expect(storedSession()).toBeNull()
})

test('an entry that is no JSON, and a storage that is forbidden, are no session', () => {
  localStorage.setItem(STORAGE_KEY, '{')
  expect(storedSession()).toBeNull()
  vi.spyOn(Storage.prototype, 'getItem').mockImplementation(() => {
    throw new DOMException('forbidden', 'SecurityError')
  })
  expect(storedSession()).toBeNull()
})

test('reading a session writes nothing and asks no server', () => {
  storeTokens('mara')
  const calls = [
    vi.spyOn(Storage.prototype, 'setItem'),
    vi.spyOn(Storage.prototype, 'removeItem'),
    vi.spyOn(window, 'fetch'),
  ]
  expect(storedSession()).toMatchObject({ access_token: 'mara' })
  for (const call of calls) expect(call).not.toHaveBeenCalled()
})
