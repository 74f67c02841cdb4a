import './tokens.css'
import type { FormEvent } from 'react'
import { expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { TextField } from './TextField.tsx'

const email = () => page.getByRole('textbox', { name: 'Email' })

test('a click on the label focuses the field', async () => {
  await render(<TextField label="Email" type="email" name="email" required />)
  await page.getByText('Email').click()
  await expect.element(email()).toHaveFocus()
})

test('the error describes the field', async () => {
  const screen = await render(<TextField label="Email" type="email" />)
  await expect.element(email()).toBeValid()
  await screen.rerender(<TextField label="Email" type="email" error="Enter an address." />)
  await expect.element(email()).toHaveAttribute('aria-invalid', 'true')
  await expect.element(email()).toHaveAccessibleDescription('Enter an address.')
})

test('the focus draws a thick outline and moves nothing', async () => {
  await render(<TextField label="Email" type="email" defaultValue="mara@fjordlab.eu" />)
  const before = email().element().getBoundingClientRect()
  await userEvent.tab()
  await expect.element(email()).toHaveFocus()
  const { outlineWidth, outlineStyle, outlineColor } = getComputedStyle(email().element())
  expect([outlineWidth, outlineStyle, outlineColor]).toEqual(['2px', 'solid', 'rgb(16, 17, 19)'])
  expect(email().element().getBoundingClientRect()).toEqual(before)
  expect(before.height).toBe(52)
})

test('a password field is as high as other fields', async () => {
  await render(<TextField label="Password" type="password" />)
  await userEvent.type(page.getByLabelText('Password'), 'a long secret')
  expect(page.getByLabelText('Password').element().getBoundingClientRect().height).toBe(52)
})

test('the browser refuses a form with a text in the language of the page, until the field is right', async () => {
  const onSubmit = vi.fn((event: FormEvent) => event.preventDefault())
  await render(
    <form onSubmit={onSubmit}>
      <TextField label="Email" type="email" name="email" required />
      <button type="submit">Save</button>
    </form>,
  )
  const save = page.getByRole('button', { name: 'Save' })
  const message = () => (email().element() as HTMLInputElement).validationMessage
  await save.click()
  expect(message()).toBe('Fill in this field.')
  await email().fill('mara')
  await save.click()
  expect(message()).toBe('Enter a valid email address.')
  expect(onSubmit).not.toHaveBeenCalled()
  await email().fill('mara@fjordlab.example')
  await save.click()
  expect(onSubmit).toHaveBeenCalledOnce()
})

test('what is wrong is scrolled into view', async () => {
  const form = (error?: string) => (
    <div style={{ height: 90, overflow: 'auto' }} data-testid="dialog">
      <TextField label="Email" error={error} />
    </div>
  )
  const { rerender } = await render(form())
  await rerender(form('This address is not an email address.'))
  const [box, note] = [page.getByTestId('dialog'), page.getByRole('alert')].map((part) =>
    part.element().getBoundingClientRect(),
  )
  expect(note?.bottom).toBeLessThanOrEqual(box?.bottom ?? 0)
})
