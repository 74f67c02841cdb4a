import { afterAll, afterEach, beforeEach, expect, vi } from 'vitest'
import { withdrawFailures } from '../ui/toast.ts'
import { HOME } from './mock-api.ts'
import { removeTokens, storeTokens } from './stored-tokens.ts'

/*
 * Import it first: Mara is signed in during the tests of the file. The auth session module reads the tokens when it is loaded.
 */
storeTokens(HOME.profile.id, HOME.profile.email)
const { signedInUserId } = await import('../session/auth-session.ts')

beforeEach(() => expect.poll(signedInUserId).toBe(HOME.profile.id))
afterEach(() => {
  vi.restoreAllMocks()
  withdrawFailures()
  // Each would cover buttons of the next test.
  for (const toast of document.querySelectorAll('.toasts [role] > *')) toast.remove()
})
afterAll(removeTokens)
