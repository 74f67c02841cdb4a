import './tokens.css'
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Link, Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { TextButton, TextLink } from './TextLink.tsx'

test('is a link, 44 px high to touch', async () => {
  await render(<TextLink href="/app/signup">Create Account</TextLink>)
  const link = page.getByRole('link', { name: 'Create Account' })
  await expect.element(link).toHaveAttribute('href', '/app/signup')
  expect(link.element().getBoundingClientRect().height).toBe(44)
})

test('navigates without a page load inside a Link of the router', async () => {
  const { hook, history } = memoryLocation({ path: '/app', record: true })
  await render(
    <Router hook={hook}>
      <Link href="/app/signup" asChild>
        <TextLink>Create Account</TextLink>
      </Link>
    </Router>,
  )
  await page.getByRole('link', { name: 'Create Account' }).click()
  expect(history).toEqual(['/app', '/app/signup'])
})

test('TextButton is a button with the look of a link', async () => {
  const onClick = vi.fn()
  await render(<TextButton onClick={onClick}>Try again</TextButton>)
  const button = page.getByRole('button', { name: 'Try again' })
  // Large letters take two lines.
  expect(getComputedStyle(button.element()).textAlign).toBe('start')
  await button.click()
  expect(onClick).toHaveBeenCalledOnce()
})
