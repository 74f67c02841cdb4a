import './tokens.css'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Button, type ButtonKind, buttonLook } from './Button.tsx'
import { TextField } from './TextField.tsx'

const kinds: ButtonKind[] = ['primary', 'secondary', 'destructive']

test.each(kinds)('a %s button is 52 px high on a page and 44 px in a list', async (kind) => {
  await render(
    <>
      <Button kind={kind}>Page</Button>
      <Button kind={kind} size="list">
        List
      </Button>
    </>,
  )
  const height = (name: string) => page.getByRole('button', { name }).element().getBoundingClientRect().height
  expect([height('Page'), height('List')]).toEqual([52, 44])
})

test('submits its form only with type submit', async () => {
  const send = vi.fn((event: React.FormEvent) => event.preventDefault())
  await render(
    <form onSubmit={send}>
      <Button kind="secondary">Skip</Button>
      <Button kind="primary" type="submit">
        Save
      </Button>
    </form>,
  )
  await page.getByRole('button', { name: 'Skip' }).click()
  expect(send).not.toHaveBeenCalled()
  await page.getByRole('button', { name: 'Save' }).click()
  expect(send).toHaveBeenCalledOnce()
})

test('a busy button keeps the focus and prevents a submit by click and by Enter in a field', async () => {
  const send = vi.fn((event: React.FormEvent) => event.preventDefault())
  const form = (busy: boolean) => (
    <form onSubmit={send}>
      <TextField label="Username" />
      <Button kind="primary" type="submit" busy={busy}>
        {busy ? 'Setting up...' : 'Continue'}
      </Button>
    </form>
  )
  const screen = await render(form(false))
  await page.getByRole('button', { name: 'Continue' }).click()
  expect(send).toHaveBeenCalledOnce()
  await screen.rerender(form(true))
  await expect.element(page.getByRole('button', { name: 'Setting up...' })).toHaveFocus()
  await userEvent.keyboard('{Enter}')
  await userEvent.type(page.getByLabelText('Username'), 'mara{Enter}')
  expect(send).toHaveBeenCalledOnce()
})

test('buttonLook makes a link look like a button', async () => {
  await render(
    <a href="#goals" className={buttonLook('secondary')}>
      Adjust Daily Goals
    </a>,
  )
  expect(page.getByRole('link').element().getBoundingClientRect().height).toBe(52)
})
