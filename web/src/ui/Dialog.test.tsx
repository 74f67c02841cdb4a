import './tokens.css'
import { useState } from 'react'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Button } from './Button.tsx'
import { Dialog, DialogActions } from './Dialog.tsx'

afterEach(() => {
  document.documentElement.style.fontSize = ''
})

function Quitting() {
  const [asking, setAsking] = useState(false)
  return (
    <main>
      <Button kind="secondary" onClick={() => setAsking(true)}>
        Ada Novak
      </Button>
      {asking ? (
        <Dialog
          title="Quit connection with Ada?"
          description="Ada is removed from your team connections."
          dismissal="dismissible"
          onDismiss={() => setAsking(false)}
        >
          <DialogActions>
            <Button kind="secondary" onClick={() => setAsking(false)}>
              Cancel
            </Button>
            <Button kind="destructive">Quit Connection</Button>
          </DialogActions>
        </Dialog>
      ) : null}
    </main>
  )
}

const row = () => page.getByRole('button', { name: 'Ada Novak' })
const question = () => page.getByRole('dialog', { name: 'Quit connection with Ada?' })

test('is named by its title and described by its text', async () => {
  await render(<Quitting />)
  await row().click()
  await expect.element(question()).toBeVisible()
  await expect.element(question()).toHaveAccessibleDescription('Ada is removed from your team connections.')
  await expect.element(page.getByRole('heading', { level: 2 })).toHaveTextContent('Quit connection with Ada?')
})

test('traps the focus and restores it', async () => {
  await render(<Quitting />)
  await row().click()
  await expect.element(page.getByRole('button', { name: 'Cancel' })).toHaveFocus()
  for (let presses = 0; presses < 6; presses++) {
    await userEvent.tab()
    expect(document.querySelector('main > button')).not.toHaveFocus()
  }
  await page.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(question()).not.toBeInTheDocument()
  await expect.element(row()).toHaveFocus()
})

test('Escape closes a dismissible dialog and restores the focus', async () => {
  await render(<Quitting />)
  await row().click()
  await expect.element(question()).toBeVisible()
  await userEvent.keyboard('{Escape}')
  await expect.element(question()).not.toBeInTheDocument()
  await expect.element(row()).toHaveFocus()
})

test('Escape does not close a busy dialog until it is no longer busy', async () => {
  const onDismiss = vi.fn()
  const dialog = (busy: boolean) => (
    <Dialog title="Delete account" dismissal="dismissible" onDismiss={onDismiss} busy={busy}>
      <Button kind="secondary">Cancel</Button>
    </Dialog>
  )
  const screen = await render(dialog(false))
  await screen.rerender(dialog(true))
  for (let presses = 0; presses < 4; presses++) await userEvent.keyboard('{Escape}')
  expect(page.getByRole('dialog').element().matches(':modal')).toBe(true)
  expect(onDismiss).not.toHaveBeenCalled()
  await screen.rerender(dialog(false))
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => onDismiss.mock.calls.length).toBe(1)
})

test('a blocking dialog stays open after ten Escapes', async () => {
  await render(
    <Dialog title="Welcome to deeb!" dismissal="blocking">
      <Button kind="primary">Continue</Button>
    </Dialog>,
  )
  const dialog = page.getByRole('dialog', { name: 'Welcome to deeb!' })
  for (let presses = 0; presses < 10; presses++) await userEvent.keyboard('{Escape}')
  await expect.element(dialog).toBeVisible()
  expect(dialog.element().matches(':modal')).toBe(true)
})

test('a blocking dialog reopens when it is closed from outside', async () => {
  await render(<Dialog title="Welcome to deeb!" dismissal="blocking" />)
  const dialog = page.getByRole('dialog', { name: 'Welcome to deeb!' })
  const element = dialog.element() as HTMLDialogElement
  element.close()
  await expect.poll(() => element.matches(':modal')).toBe(true)
})

test('a dismissible dialog calls onDismiss once when it is closed', async () => {
  const onDismiss = vi.fn()
  await render(<Dialog title="Sure?" dismissal="dismissible" onDismiss={onDismiss} />)
  await userEvent.keyboard('{Escape}')
  await expect.poll(() => onDismiss.mock.calls.length).toBe(1)
})

test('the page behind does not scroll while a dialog is open', async () => {
  const screen = await render(<Dialog title="Sure?" dismissal="blocking" />)
  const overflow = () => getComputedStyle(document.documentElement).overflowY
  expect(overflow()).toBe('hidden')
  await screen.unmount()
  expect(overflow()).toBe('visible')
})

test('long content scrolls to the last button on a screen of 320 by 480', async () => {
  await page.viewport(320, 480)
  const save = vi.fn()
  await render(
    <Dialog title="Set Your Daily Goals" dismissal="blocking">
      <div className="h-200" />
      <DialogActions>
        <Button kind="secondary">Skip (1h daily)</Button>
        <Button kind="primary" onClick={save}>
          Save Goals
        </Button>
      </DialogActions>
    </Dialog>,
  )
  const dialog = page.getByRole('dialog').element().getBoundingClientRect()
  expect(dialog).toMatchObject({ x: 16, y: 16, width: 288, height: 448 })
  await page.getByRole('button', { name: 'Save Goals' }).click()
  expect(save).toHaveBeenCalledOnce()
  const button = page.getByRole('button', { name: 'Save Goals' }).element().getBoundingClientRect()
  expect(button.bottom).toBeLessThanOrEqual(dialog.bottom)
})

test('buttons stay visible over long content, but not in a window without room for both', async () => {
  await page.viewport(320, 568)
  await render(
    <Dialog title="Set Your Daily Goals" dismissal="blocking">
      <div className="h-200" />
      <DialogActions>
        <Button kind="primary">Save Goals</Button>
      </DialogActions>
    </Dialog>,
  )
  const dialog = page.getByRole('dialog').element()
  const isInside = () => {
    const button = page.getByRole('button').element().getBoundingClientRect()
    return button.bottom <= dialog.getBoundingClientRect().bottom
  }
  dialog.scrollTop = 0
  expect(isInside()).toBe(true)
  await page.viewport(844, 390)
  dialog.scrollTop = 0
  expect(isInside()).toBe(true)
  await page.viewport(400, 390)
  dialog.scrollTop = 0
  expect(isInside()).toBe(false)
})

test('opens at its title, with the focus on a button below', async () => {
  await page.viewport(320, 480)
  await render(
    <Dialog title="Were you still in deeb mode?" dismissal="blocking">
      <div className="h-200" />
      <Button kind="primary">Set end time</Button>
    </Dialog>,
  )
  await expect.element(page.getByRole('button')).toHaveFocus()
  expect(page.getByRole('dialog').element().scrollTop).toBe(0)
})

test('nothing is wider than the dialog with text at 200 %', async () => {
  await page.viewport(320, 568)
  document.documentElement.style.fontSize = '200%'
  await render(<Quitting />)
  await row().click()
  const dialog = question().element()
  expect(dialog.scrollWidth).toBe(dialog.clientWidth)
})

test('is centred in the part of the page above the on-screen keyboard', async () => {
  await page.viewport(390, 844)
  await render(
    <Dialog title="Long" dismissal="blocking">
      <div className="h-300" />
    </Dialog>,
  )
  document.documentElement.style.setProperty('--keyboard', '300px')
  expect(page.getByRole('dialog').element().getBoundingClientRect()).toMatchObject({ y: 16, height: 844 - 300 - 32 })
  document.documentElement.style.removeProperty('--keyboard')
})
