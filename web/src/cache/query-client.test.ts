import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { forgetInvite, keepInvite, keptInvite } from '../session/kept-invite.ts'
import { removeTokens } from '../testing/stored-tokens.ts'

afterEach(() => {
  vi.restoreAllMocks()
  removeTokens()
  forgetInvite()
})

test('tokens that have ended are removed with a toast, and a link of a circle is kept for the next sign-in', async () => {
  // The auth session module reads the tokens when it is loaded.
  const tokens = { access_token: 'x', refresh_token: 'x', expires_at: 1, expires_in: 3600, user: { id: 'mara' } }
  localStorage.setItem('deeb.auth.token', JSON.stringify(tokens))
  keepInvite('kept')
  const refused = { code: 'refresh_token_not_found', message: '' }
  const headers = { 'x-supabase-api-version': '2024-01-01' }
  vi.spyOn(window, 'fetch').mockImplementation(async () => Response.json(refused, { status: 400, headers }))
  await import('./query-client.ts')
  const { hasTokens, isSignedOut } = await import('../session/auth-session.ts')
  await expect.poll(isSignedOut).toBe(true)
  expect([hasTokens(), keptInvite()]).toEqual([false, 'kept'])
  await expect.element(page.getByText('Your session has ended. Please sign in again.')).toBeVisible()
})
