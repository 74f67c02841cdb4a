import '../ui/tokens.css'
import { readHome } from '@deeb/core/home/api'
import { QueryClient } from '@tanstack/react-query'
import { lazy } from 'react'
import { beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { NotLoaded } from '../device/lazy-screen.ts'
import { currentTimeZone } from '../device/local-time.ts'
import { LoadBoundary } from '../frame/LoadBoundary.tsx'
import { HOME } from '../testing/mock-api.ts'
import { openScreen } from '../testing/open-screen.tsx'
import { FocusFrame } from './FocusFrame.tsx'

const BROKE = 'Something went wrong on this screen'
const openSession = { id: '01900000-0000-7000-8000-000000000001', startedAt: HOME.serverTime, endedAt: null }
const IN_DEEB_MODE = { ...HOME, openSession }

// React reports each error that a boundary catches.
beforeEach(() => void vi.spyOn(console, 'error').mockImplementation(() => undefined))

function Broken(): never {
  throw new TypeError('broken')
}
const Missing = lazy(() => Promise.reject(new NotLoaded('A file was not loaded.')))

const BrokenInside = () => (
  <FocusFrame title="Team" focus={undefined}>
    <Broken />
  </FocusFrame>
)

test.each([
  ['breaks inside its frame', BrokenInside, BROKE, 'Try again, or open another screen.'],
  ['breaks before its frame', Broken, BROKE, 'Try again, or open another screen.'],
  ['is not loaded', Missing, 'This screen could not be loaded', 'Nothing is lost. Try again in a moment.'],
])('a screen that %s keeps header, bar and deeb mode, and says what happened', async (_, Screen, title, hint) => {
  const queryClient = new QueryClient()
  queryClient.setQueryData([readHome.path, currentTimeZone()], IN_DEEB_MODE)
  const screen = (
    <LoadBoundary Frame={FocusFrame}>
      <Screen />
    </LoadBoundary>
  )
  await openScreen(screen, { 'GET /api/home': IN_DEEB_MODE }, queryClient)
  await expect.element(page.getByRole('heading', { name: title })).toBeVisible()
  await expect.element(page.getByText(hint)).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Settings' })).toBeVisible()
  await expect.element(page.getByRole('switch', { name: 'deeb' })).toBeChecked()
  expect(document.documentElement.dataset.focus).toBe('on')
  expect(document.title).toContain('In deeb mode')
})

test('the words beside the switch are left out in a window too narrow for them', async () => {
  const switchWord = page.getByText('deeb mode on')
  await openScreen(
    <FocusFrame title="Home" focus={IN_DEEB_MODE}>
      {null}
    </FocusFrame>,
  )
  await expect.element(switchWord).toBeVisible()
  await page.viewport(320, 568)
  await expect.element(switchWord).not.toBeVisible()
  await page.viewport(390, 844)
})
