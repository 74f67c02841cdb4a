import './tokens.css'
import { expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { Link, Router } from 'wouter'
import { memoryLocation } from 'wouter/memory-location'
import { TextButton, TextLink } from './TextLink.tsx'

test('it is a link, with 44 pixels to touch', async () => {
  await render(<TextLink href="/app/signup">Create Account</TextLink>)
  const link = page.getByRole('link', { name: 'Create Account' })
  await expect.element(link).toHaveAttribute('href', '/app/signup')
  expect(link.element().getBoundingClientRect().height).toBe(44)
})

test('under a Link of the router it goes there without leaving the page', async () => {
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

test('what acts here is a button with the same look', async () => {
  const onClick = vi.fn()
  await render(<TextButton onClick={onClick}>Try again</TextButton>)
  await page.getByRole('button', { name: 'Try again' }).click()
  expect(onClick).toHaveBeenCalledOnce()
})
