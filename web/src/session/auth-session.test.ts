import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { removeTokens, storeTokens } from '../testing/stored-tokens.ts'

test('an end that another tab has noticed signs out this one before its auth client is there, and explains itself', async () => {
  storeTokens('mara')
  const { authClient, authSession, signedInUserId } = await import('./auth-session.ts')
  expect(signedInUserId()).toBe('mara')
  removeTokens()
  window.dispatchEvent(new StorageEvent('storage', { key: 'deeb.auth.token' }))
  expect(authSession()).toBeNull()
  await (await authClient()).getSession()
  expect(authSession()).toBeNull()
  await expect.element(page.getByRole('status')).toHaveTextContent('Your session has ended. Please sign in again.')
  expect(page.getByRole('alert').elements()).toEqual([])
})
