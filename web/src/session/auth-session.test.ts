import { expect, test } from 'vitest'
import { removeTokens, storeTokens } from '../testing/stored-tokens.ts'

test('a sign-out in another tab signs out this one before its auth client is there', async () => {
  storeTokens('mara')
  const { authClient, authSession, signedInUserId } = await import('./auth-session.ts')
  expect(signedInUserId()).toBe('mara')
  removeTokens()
  window.dispatchEvent(new StorageEvent('storage', { key: 'deeb.auth.token' }))
  expect(authSession()).toBeNull()
  await (await authClient()).getSession()
  expect(authSession()).toBeNull()
})
