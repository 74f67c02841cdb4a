import { APP_PATHS } from '@deeb/core/paths'
import { afterEach, expect, test, vi } from 'vitest'
import { renderHook } from 'vitest-browser-react'
import { removeTokens } from '../testing/stored-tokens.ts'
import { forgetInvite, keepInvite, keptInvite, screenAfterSignIn, useInvite } from './kept-invite.ts'

const SECRET = 'Zm9vYmFyLWJhel9xdXV4MQ'

const { authClient } = await import('./auth-session.ts')
const auth = await authClient()
await import('../cache/query-client.ts')

afterEach(async () => {
  await auth.signOut({ scope: 'local' })
  removeTokens()
  vi.restoreAllMocks()
  forgetInvite()
  window.history.replaceState(null, '', '/')
})

/** Opens a link in this tab. */
async function open(path: string, fragment: string): Promise<void> {
  window.history.replaceState({ from: 'here' }, '', path)
  const changed = new Promise((resolve) => window.addEventListener('hashchange', resolve, { once: true }))
  window.location.hash = fragment
  await changed
}

test('a link that was opened a day ago is forgotten', () => {
  const openedAt = Date.now()
  keepInvite(SECRET)
  const clock = vi.spyOn(Date, 'now').mockReturnValue(openedAt + 24 * 3_600_000 - 1000)
  expect([keptInvite(), screenAfterSignIn()]).toEqual([SECRET, APP_PATHS.circle])
  clock.mockReturnValue(openedAt + 25 * 3_600_000)
  expect([keptInvite(), screenAfterSignIn()]).toEqual([null, APP_PATHS.home])
})

test('a full storage does not lose the link in its tab', () => {
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(() => {
    throw new DOMException('full', 'QuotaExceededError')
  })
  keepInvite(SECRET)
  expect([keptInvite(), screenAfterSignIn()]).toEqual([SECRET, APP_PATHS.circle])
})

test('the secret leaves the address bar and survives a sign-in, until it is used', async () => {
  await open(APP_PATHS.circle, SECRET)
  expect(window.location.pathname + window.location.hash).toBe(APP_PATHS.circle)
  expect(keptInvite()).toBe(`#${SECRET}`)
  expect(screenAfterSignIn()).toBe(APP_PATHS.circle)
  forgetInvite()
  expect([keptInvite(), screenAfterSignIn()]).toEqual([null, APP_PATHS.home])
})

test('fragments of other screens are left alone', async () => {
  await open(APP_PATHS.confirm, 'token_hash=x')
  expect([window.location.hash, keptInvite()]).toEqual(['#token_hash=x', null])
})

/** Signs a user in on this device. */
async function signIn(userId: string): Promise<void> {
  const part = (value: object) => btoa(JSON.stringify(value)).replaceAll('=', '')
  vi.spyOn(window, 'fetch').mockImplementation(async () =>
    Response.json({ id: userId }, { headers: { 'x-supabase-api-version': '2024-01-01' } }),
  )
  const token = `${part({ alg: 'none' })}.${part({ sub: userId, exp: 4e9 })}.eA`
  const { error } = await auth.setSession({ access_token: token, refresh_token: 'x' })
  expect(error).toBeNull()
}

test('a link survives the first sign-in, and is forgotten when its user signs out', async () => {
  const { result } = await renderHook(useInvite)
  await open(APP_PATHS.circle, SECRET)
  await signIn('mara')
  expect(screenAfterSignIn()).toBe(APP_PATHS.circle)
  await expect.poll(() => result.current).toBe(`#${SECRET}`)
  await auth.signOut({ scope: 'local' })
  expect([keptInvite(), screenAfterSignIn()]).toEqual([null, APP_PATHS.home])
  await expect.poll(() => result.current).toBeNull()
})
