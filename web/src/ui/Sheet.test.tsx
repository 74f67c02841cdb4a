import './tokens.css'
import { expect, onTestFinished, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Sheet } from './Sheet.tsx'

const onDismiss = vi.fn()
const sheet = () => page.getByRole('dialog', { name: 'Connection Requests' })

/** As Safari 26.0: the attribute has no effect, and the property is missing. */
function withoutClosedBy() {
  const { prototype } = HTMLDialogElement
  const property = Object.getOwnPropertyDescriptor(prototype, 'closedBy') as PropertyDescriptor
  Reflect.deleteProperty(prototype, 'closedBy')
  // Chromium would still obey the attribute.
  const showModal = vi.spyOn(prototype, 'showModal').mockImplementation(function (this: HTMLDialogElement) {
    showModal.mockRestore()
    this.showModal()
    queueMicrotask(() => this.removeAttribute('closedby'))
  })
  onTestFinished(() => {
    showModal.mockRestore()
    Object.defineProperty(prototype, 'closedBy', property)
  })
}

/** Half a second ago, unless it `isNew`. */
async function showSheet(isNew = false) {
  onDismiss.mockClear()
  vi.useFakeTimers({ toFake: ['setTimeout'] })
  onTestFinished(() => void vi.useRealTimers())
  await render(
    <Sheet title="Connection Requests" onDismiss={onDismiss}>
      <button type="button">Accept</button>
    </Sheet>,
  )
  await expect.element(sheet()).toBeVisible()
  if (!isNew) vi.advanceTimersByTime(500)
}

/** A tap above the sheet, which is at the bottom of the window. */
const tapBeside = () => userEvent.click(sheet(), { position: { x: 195, y: -100 }, force: true })

test('a tap beside it closes it', async () => {
  await showSheet()
  await tapBeside()
  await expect.poll(() => onDismiss.mock.calls.length).toBe(1)
})

/** A traversal as the browser announces it. A page in a frame gets no such event of its own. */
function traverse(step: number, userInitiated = true): boolean {
  const event = new Event('navigate', { cancelable: true })
  const destination = { index: (window.navigation.currentEntry?.index ?? 0) + step }
  return window.navigation.dispatchEvent(
    Object.assign(event, { navigationType: 'traverse', userInitiated, destination }),
  )
}

test('Back closes it and stays, Forward and a way back by code do not', async () => {
  await showSheet()
  expect(traverse(1)).toBe(true)
  expect(traverse(-1, false)).toBe(true)
  expect(sheet().element().matches(':modal')).toBe(true)
  expect(traverse(-1)).toBe(false)
  await expect.poll(() => onDismiss.mock.calls.length).toBe(1)
  expect(traverse(-1)).toBe(true)
})

test('the second press of a double click, which opened it, does not close it', async () => {
  await showSheet(true)
  await tapBeside()
  expect(sheet().element().matches(':modal')).toBe(true)
  vi.advanceTimersByTime(500)
  await tapBeside()
  await expect.poll(() => onDismiss.mock.calls.length).toBe(1)
})

test('a tap beside it closes it in a browser without closedby, a tap in it does not', async () => {
  withoutClosedBy()
  await showSheet()
  await page.getByRole('button', { name: 'Accept' }).click()
  await page.getByRole('heading', { name: 'Connection Requests' }).click()
  await userEvent.click(sheet(), { position: { x: 3, y: 60 } })
  expect(sheet().element().matches(':modal')).toBe(true)
  expect(onDismiss).not.toHaveBeenCalled()
  await tapBeside()
  await expect.poll(() => onDismiss.mock.calls.length).toBe(1)
})
