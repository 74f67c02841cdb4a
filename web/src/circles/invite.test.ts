import { APP_PATHS } from '@deeb/core/paths'
import { afterEach, expect, test } from 'vitest'
import { INVITE_KEY, screenAfterSignIn } from '../circle-invite.ts'

const SECRET = 'Zm9vYmFyLWJhel9xdXV4MQ'

// The module reads the storage when it is loaded.
localStorage.setItem(INVITE_KEY, JSON.stringify({ invite: `#${SECRET}`, until: Date.now() - 1 }))
const { forgetInvite } = await import('./invite.ts')

afterEach(() => {
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
  expect([localStorage.getItem(INVITE_KEY), screenAfterSignIn()]).toEqual([null, APP_PATHS.home])
})

test('the secret leaves the address bar and survives a sign-in, until it is used', async () => {
  await open(APP_PATHS.circle, SECRET)
  expect(window.location.pathname + window.location.hash).toBe(APP_PATHS.circle)
  expect(localStorage.getItem(INVITE_KEY)).toContain(SECRET)
  expect(screenAfterSignIn()).toBe(APP_PATHS.circle)
  forgetInvite()
  expect([localStorage.getItem(INVITE_KEY), screenAfterSignIn()]).toEqual([null, APP_PATHS.home])
})

test('fragments of other screens are left alone', async () => {
  await open(APP_PATHS.confirm, 'token_hash=x')
  expect([window.location.hash, localStorage.getItem(INVITE_KEY)]).toEqual(['#token_hash=x', null])
})
