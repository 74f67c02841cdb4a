import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { useTap } from './use-tap.ts'

const START = window.location.pathname + window.location.search

beforeEach(() => localStorage.removeItem('deeb.tapped-at'))
afterEach(() => {
  history.replaceState(null, '', START)
  delete document.documentElement.dataset.opened
  vi.useRealTimers()
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

test('a tap acts only with the mark of the server, once, and its code leaves the address', async () => {
  await open('one', 'by-system')
  await expect.element(page.getByText('one acts')).toBeVisible()
  expect(window.location.pathname + window.location.hash).toBe('/t')
  await shown()
  localStorage.removeItem('deeb.tapped-at')
  await open('two')
  await expect.element(page.getByText('two asks')).toBeVisible()
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
