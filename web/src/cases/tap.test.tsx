import '../testing/signed-in.ts'
import { readHome } from '@deeb/core/home/api'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { currentTimeZone } from '../device/local-time.ts'
import { discardPending, pendingOf } from '../focus/queue/switch-queue.ts'
import { pressSwitch } from '../focus/use-switch-focus.ts'
import { HOME } from '../testing/mock-api.ts'
import { button, openScreen } from '../testing/open-screen.tsx'
import TappedCase from './TappedCase.tsx'
import { useTap } from './use-tap.ts'

const START = window.location.pathname + window.location.search

beforeEach(() => localStorage.removeItem('deeb.tapped-at'))
afterEach(() => {
  history.replaceState(null, '', START)
  delete document.documentElement.dataset.opened
  vi.useRealTimers()
  vi.restoreAllMocks()
})

function Tapped() {
  const { tap } = useTap()
  return <p>{tap ? `${tap.code} ${tap.isBySystem ? 'acts' : 'asks'}` : 'no tap'}</p>
}

/** Opens the page of a code, as the server has marked it. */
async function open(code: string, mark?: string): Promise<void> {
  history.replaceState(null, '', `/t#${code}`)
  if (mark) document.documentElement.dataset.opened = mark
  const { unmount } = await render(<Tapped />)
  shown = unmount
}
let shown: () => Promise<void>

test('a tap acts only with the mark of the server, once, in a page that somebody sees', async () => {
  await open('one', 'by-system')
  await expect.element(page.getByText('one acts')).toBeVisible()
  // A reload asks.
  expect(window.location.pathname + window.location.hash).toBe('/t#one')
  await shown()
  localStorage.removeItem('deeb.tapped-at')
  await open('two')
  await expect.element(page.getByText('two asks')).toBeVisible()
})

test.each([
  ['is reloaded', () => vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type: 'reload' } as never])],
  [
    'is a way back',
    () => vi.spyOn(performance, 'getEntriesByType').mockReturnValue([{ type: 'back_forward' } as never]),
  ],
  ['is in the background', () => vi.spyOn(document, 'hidden', 'get').mockReturnValue(true)],
])('a page of a tap that %s asks', async (_, change) => {
  change()
  await open('one', 'by-system')
  await expect.element(page.getByText('one asks')).toBeVisible()
})

test.each([
  [0, 'no tap'],
  [1999, 'no tap'],
  [2000, 'again acts'],
  // The clock was set back.
  [-3600_000, 'again acts'],
])('a second tap %i ms after the first: %s', async (later, text) => {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date('2026-06-15T09:00:00Z') })
  await open('again', 'by-system')
  await shown()
  vi.setSystemTime(Date.now() + later)
  await open('again', 'by-system')
  await expect.element(page.getByText(text)).toBeVisible()
})

describe('an answered tap', () => {
  const CODE = 'Zm9vYmFyLWJhel9xdXV4MQ'
  const TAP = { code: CODE, isBySystem: true }
  const onDone = vi.fn()
  const answer = (tapped: object | string | (() => Promise<object>)) =>
    openScreen(<TappedCase tap={TAP} onDone={onDone} />, { 'POST /api/cases/tap': tapped })
  beforeEach(() => onDone.mockClear())
  afterEach(() => discardPending(HOME.profile.id))

  test('switches once', async () => {
    await answer({ whose: 'own' })
    await expect.poll(() => pendingOf(HOME.profile.id)).toMatchObject([{ to: 'on' }])
    expect(onDone).toHaveBeenCalled()
  })

  test('does not undo a press of the switch that came before the answer', async () => {
    let resolve = (_: object) => {}
    const promise = new Promise<object>((done) => {
      resolve = done
    })
    const { queryClient } = await answer(() => promise)
    queryClient.setQueryData([readHome.path, currentTimeZone()], HOME)
    pressSwitch(queryClient, HOME.profile.id)
    await expect.poll(() => onDone.mock.calls.length).toBeGreaterThan(0)
    resolve({ whose: 'own' })
    await promise
    await expect.poll(() => pendingOf(HOME.profile.id)).toMatchObject([{ to: 'on' }])
  })

  test('says that there were too many attempts, and asks nothing', async () => {
    await answer('too_many_attempts')
    await expect.element(page.getByText('That was too often. Please try again later.')).toBeVisible()
    expect(onDone).toHaveBeenCalled()
    await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  })

  test('a question whose it is cannot be answered by a double click from another page', async () => {
    await answer({ whose: 'unclaimed' })
    await expect.element(button('It is mine')).toHaveAttribute('aria-disabled', 'true')
    await expect.element(button('It is mine'), { timeout: 5000 }).not.toHaveAttribute('aria-disabled')
  })
})
