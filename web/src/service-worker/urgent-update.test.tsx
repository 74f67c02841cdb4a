import { isOlderVersion, OLDEST_CLIENT_HEADER, OLDEST_SAFE_CLIENT } from '@deeb/core/client-version'
import { readHome } from '@deeb/core/home/api'
import { QueryClientProvider } from '@tanstack/react-query'
import { openDB } from 'idb'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { noteNavigation, noteOldestClient } from '../calls/unsafe-version.ts'
import { removeTokens, storeTokens } from '../testing/stored-tokens.ts'
import { offerNewVersion } from './new-version.ts'

const OFF = { openSession: null, forgottenSession: null, version: 1, serverTime: '2026-06-15T09:00:00.000Z' }
const HOUR_MS = 60 * 60_000

// The auth session module reads the tokens when it is loaded.
storeTokens('mara')
const { signedInUserId } = await import('../session/auth-session.ts')
const { queryClient } = await import('../cache/query-client.ts')
const { useSwitchFocus } = await import('../focus/use-switch-focus.ts')
const { updateWhenUnsafe } = await import('./urgent-update.ts')

const take = vi.fn()

/** The page of a signed-in user that runs an unsafe version while a safe one is offered. */
beforeEach(async () => {
  await expect.poll(signedInUserId).toBe('mara')
  offerNewVersion(take)
  noteOldestClient(new Response(null, { headers: { [OLDEST_CLIENT_HEADER]: '999.0.0' } }))
  vi.spyOn(navigator.userActivation, 'hasBeenActive', 'get').mockReturnValue(true)
  updateWhenUnsafe(undefined)
})
afterEach(() => {
  vi.restoreAllMocks()
  take.mockReset()
  sessionStorage.clear()
  queryClient.clear()
})
afterAll(removeTokens)

/** Long enough for an update that has nothing to wait for. */
const settle = () => new Promise((resolve) => setTimeout(resolve))

test('threat 97: the client of this release is safe, so that it does not update without need', () => {
  expect(__APP_VERSION__).toMatch(/^\d+\.\d+\.\d+$/)
  expect(OLDEST_SAFE_CLIENT).toMatch(/^\d+\.\d+\.\d+$/)
  expect(isOlderVersion(__APP_VERSION__, OLDEST_SAFE_CLIENT)).toBe(false)
})

test('threat 97: an unsafe version is replaced without asking at most once an hour', async () => {
  await settle()
  expect(take).not.toHaveBeenCalled()
  noteNavigation()
  await expect.poll(() => take.mock.calls.length).toBe(1)
  noteNavigation()
  await settle()
  expect(take).toHaveBeenCalledTimes(1)
  const now = Date.now()
  vi.spyOn(Date, 'now').mockReturnValue(now + HOUR_MS)
  noteNavigation()
  await expect.poll(() => take.mock.calls.length).toBe(2)
})

test('threat 97: an update without asking waits until a press is stored', async () => {
  queryClient.setQueryData([readHome.path, 'UTC'], OFF)
  function Home() {
    const { pressSwitch } = useSwitchFocus(OFF)
    return (
      <button type="button" onClick={pressSwitch}>
        Press
      </button>
    )
  }
  await render(
    <QueryClientProvider client={queryClient}>
      <Home />
    </QueryClientProvider>,
  )
  const db = await openDB('deeb-switch-queue', 1)
  const busy = db.transaction('changes', 'readwrite')
  let isBusy = true
  const keepBusy = () => isBusy && void busy.store.count().then(keepBusy)
  keepBusy()
  await page.getByRole('button', { name: 'Press' }).click()
  noteNavigation()
  await settle()
  expect(take).not.toHaveBeenCalled()
  isBusy = false
  await expect.poll(() => take.mock.calls.length).toBe(1)
  expect(await db.getAll('changes')).toMatchObject([{ userId: 'mara', to: 'on' }])
  await db.clear('changes')
  db.close()
})

test('threat 97: an update without asking waits for a mutation in flight', async () => {
  let saved = () => {}
  const mutationFn = () => new Promise<void>((resolve) => (saved = resolve))
  const saving = queryClient.getMutationCache().build(queryClient, { mutationFn }).execute(undefined)
  noteNavigation()
  await settle()
  expect(take).not.toHaveBeenCalled()
  saved()
  await saving
  noteNavigation()
  await expect.poll(() => take.mock.calls.length).toBe(1)
})
