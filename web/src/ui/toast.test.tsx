import './tokens.css'
import './app-toasts.css'
import { useState } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Button } from './Button.tsx'
import { Dialog } from './Dialog.tsx'
import { showToast } from './toast.ts'

const saved = { title: 'Goals saved!', description: 'Your daily goals have been updated.', tone: 'success' } as const
const failed = { title: 'Error', description: 'Failed to toggle deeb mode', tone: 'destructive' } as const

const status = () => page.getByRole('status')
const alert = () => page.getByRole('alert')
const titles = () =>
  [...document.querySelectorAll('.toast:not([inert]) .toast-title')].map((title) => title.textContent)
const toastCount = () => document.querySelectorAll('.toast').length

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] })
})

afterEach(async () => {
  for (const button of document.querySelectorAll<HTMLElement>('.toast:not([inert]) button')) button.click()
  await expect.poll(toastCount).toBe(0)
  vi.useRealTimers()
})

test('the live region of a success is in the page before the first text', () => {
  expect(status().element()).toBeEmptyDOMElement()
})

test('every failure is an alert of its own, which Orca in Firefox reads', async () => {
  showToast(failed)
  showToast({ ...failed, description: 'Failed to save goals. Please try again.' })
  await expect.element(alert()).toHaveLength(2)
  await expect.element(alert().first()).toHaveTextContent('ErrorFailed to toggle deeb mode')
})

test('a success is announced politely, a failure immediately', async () => {
  showToast(saved)
  showToast(failed)
  await expect.element(status()).toHaveTextContent('Goals saved!Your daily goals have been updated.')
  await expect.element(alert()).toHaveTextContent('ErrorFailed to toggle deeb mode')
})

test('disappears after 5 seconds', async () => {
  showToast(saved)
  vi.advanceTimersByTime(4900)
  expect(titles()).toEqual(['Goals saved!'])
  vi.advanceTimersByTime(100)
  await expect.poll(toastCount).toBe(0)
})

test('the countdown pauses while the pointer is on a toast', async () => {
  showToast(saved)
  await userEvent.hover(page.getByText('Goals saved!'))
  vi.advanceTimersByTime(20_000)
  expect(titles()).toEqual(['Goals saved!'])
  await userEvent.unhover(page.getByText('Goals saved!'))
  vi.advanceTimersByTime(5000)
  await expect.poll(toastCount).toBe(0)
})

test('the countdown pauses while a toast has the focus', async () => {
  await render(<Button kind="primary">Save Goals</Button>)
  showToast(saved)
  page.getByRole('button', { name: 'Dismiss' }).element().focus()
  vi.advanceTimersByTime(20_000)
  expect(titles()).toEqual(['Goals saved!'])
})

test('restores the focus when it is dismissed by keyboard', async () => {
  await render(<Button kind="primary">Save Goals</Button>)
  const button = page.getByRole('button', { name: 'Save Goals' })
  await button.click()
  showToast(saved)
  page.getByRole('button', { name: 'Dismiss' }).element().focus()
  await userEvent.keyboard('{Enter}')
  await expect.element(button).toHaveFocus()
  await expect.poll(toastCount).toBe(0)
})

test('Dismiss removes a toast and is 44 px to touch', async () => {
  showToast(failed)
  const dismiss = page.getByRole('button', { name: 'Dismiss' })
  expect(dismiss.element().getBoundingClientRect()).toMatchObject({ width: 44, height: 44 })
  await dismiss.click()
  await expect.poll(toastCount).toBe(0)
})

test('at most three are shown, then the oldest is removed', () => {
  for (const title of ['one', 'two', 'three', 'four']) showToast({ title, tone: 'success' })
  expect(titles()).toEqual(['two', 'three', 'four'])
})

test('an action is run once, and removes its toast', async () => {
  const onPress = vi.fn()
  showToast({ ...saved, action: { label: 'Undo', onPress } })
  await page.getByRole('button', { name: 'Undo' }).dblClick()
  expect(onPress).toHaveBeenCalledTimes(1)
  await expect.poll(toastCount).toBe(0)
})

test('a toast with an action is shown for 8 seconds, also if more than three follow', async () => {
  showToast({ title: 'zero', tone: 'success', action: { label: 'Undo', onPress: () => {} } })
  for (const title of ['one', 'two', 'three']) showToast({ title, tone: 'success' })
  expect(titles()).toEqual(['zero', 'two', 'three'])
  vi.advanceTimersByTime(7900)
  expect(titles()).toEqual(['zero'])
  vi.advanceTimersByTime(100)
  await expect.poll(toastCount).toBe(0)
})

test('a failure with an action stays until it is dismissed', () => {
  showToast({ ...failed, action: { label: 'Try again', onPress: () => {} } })
  vi.advanceTimersByTime(3_600_000)
  expect(titles()).toEqual(['Error'])
})

test('an action can get the focus, which pauses the countdown', async () => {
  showToast({ ...saved, action: { label: 'Undo', onPress: () => {}, autoFocus: true } })
  await expect.element(page.getByRole('button', { name: 'Undo' })).toHaveFocus()
  vi.advanceTimersByTime(20_000)
  expect(titles()).toEqual(['Goals saved!'])
})

test('a mouse that pressed an action does not hold the toast that follows in its place', async () => {
  showToast({ ...saved, action: { label: 'Undo', onPress: () => showToast({ title: 'two', tone: 'success' }) } })
  await page.getByRole('button', { name: 'Undo' }).click()
  await expect.poll(toastCount).toBe(1)
  expect(titles()).toEqual(['two'])
  vi.advanceTimersByTime(5000)
  await expect.poll(toastCount).toBe(0)
})

test('restores the focus to the heading if its element is gone', async () => {
  const screen = await render(
    <>
      <h1 tabIndex={-1}>Edit sessions</h1>
      <Button kind="primary">Delete</Button>
    </>,
  )
  page.getByRole('button', { name: 'Delete' }).element().focus()
  showToast({ ...saved, action: { label: 'Undo', onPress: () => {}, autoFocus: true } })
  await screen.rerender(<h1 tabIndex={-1}>Edit sessions</h1>)
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByRole('heading')).toHaveFocus()
})

test('an action is 44 px to touch, and the texts beside it fit at 320 px', async () => {
  await page.viewport(320, 568)
  const description = 'Wednesday, 17 September, 09:00 – 17:30'
  showToast({ title: 'Session deleted', description, tone: 'success', action: { label: 'Undo', onPress: () => {} } })
  const undo = page.getByRole('button', { name: 'Undo' }).element().getBoundingClientRect()
  expect(undo.height).toBe(44)
  const toast = document.querySelector('.toast')
  expect(toast?.scrollWidth).toBe(toast?.clientWidth)
})

test('a duplicate replaces the first one and restarts its countdown', () => {
  showToast(failed)
  vi.advanceTimersByTime(4000)
  showToast(failed)
  expect(titles()).toEqual(['Error'])
  vi.advanceTimersByTime(4000)
  expect(titles()).toEqual(['Error'])
})

test('is 16 px above the bottom bar, or above the edge of the page without one', async () => {
  await page.viewport(390, 844)
  showToast(saved)
  const bottom = () => Math.round(document.querySelector('.toasts')?.getBoundingClientRect().bottom ?? 0)
  expect(bottom()).toBe(844 - 16)
  await render(<nav className="bottom-bar" />)
  expect(bottom()).toBe(844 - 72 - 16)
})

test('is as wide as the page below 640 px, else 400 px at the right', async () => {
  showToast(saved)
  const box = () => document.querySelector('.toast')?.getBoundingClientRect()
  await page.viewport(390, 844)
  expect(box()).toMatchObject({ x: 16, width: 358 })
  await page.viewport(800, 844)
  expect(box()).toMatchObject({ x: 800 - 16 - 400, width: 400 })
})

function Saving({ toasts }: { toasts: () => void }) {
  return (
    <Dialog title="Set Your Daily Goals" dismissal="blocking">
      <Button kind="primary" onClick={toasts}>
        Save Goals
      </Button>
    </Dialog>
  )
}

test('is announced and can be pressed above a modal dialog', async () => {
  await render(<Saving toasts={() => showToast(failed)} />)
  await page.getByRole('button', { name: 'Save Goals' }).click()
  await expect.element(alert()).toHaveTextContent('Failed to toggle deeb mode')
  await page.getByRole('button', { name: 'Dismiss' }).click()
  await expect.poll(toastCount).toBe(0)
})

test('a second tap where an action was pressed reaches nothing below', async () => {
  const screen = await render(
    <button type="button" style={{ position: 'fixed', inset: 0 }}>
      Below
    </button>,
  )
  showToast({ ...saved, action: { label: 'Undo', onPress: () => {} } })
  const undo = page.getByRole('button', { name: 'Undo' })
  const { x, y, width, height } = undo.element().getBoundingClientRect()
  const isBelow = () => document.elementFromPoint(x + width / 2, y + height / 2)?.textContent === 'Below'
  await userEvent.click(undo)
  expect(isBelow()).toBe(false)
  await expect.poll(isBelow).toBe(true)
  await screen.unmount()
})

test('a dialog that opens later does not cover a toast, which stays when the dialog closes', async () => {
  showToast(saved)
  const screen = await render(<Saving toasts={() => {}} />)
  await expect.element(status()).toHaveTextContent('Goals saved!')
  expect(isOnTop()).toBe(true)
  await screen.unmount()
  expect(titles()).toEqual(['Goals saved!'])
  expect(isOnTop()).toBe(true)
})

test('Escape closes a dialog but not its toast', async () => {
  function Asking() {
    const [open, setOpen] = useState(true)
    return open ? <Dialog title="Sure?" dismissal="dismissible" onDismiss={() => setOpen(false)} /> : null
  }
  await render(<Asking />)
  showToast(saved)
  await userEvent.keyboard('{Escape}')
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
  expect(isOnTop()).toBe(true)
})

function isOnTop(): boolean {
  const toast = document.querySelector('.toast')
  if (!toast) return false
  const { x, y, width, height } = toast.getBoundingClientRect()
  return toast.contains(document.elementFromPoint(x + width / 2, y + height / 2))
}
