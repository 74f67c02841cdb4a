import { afterEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { openScreen } from '../testing/open-screen.tsx'
import SignUpScreen from './SignUpScreen.tsx'

afterEach(() => vi.restoreAllMocks())

// In a file of its own: the settings are read once on a page.
test('the sign-up page of a server without sign-ups says so', async () => {
  await openScreen(<SignUpScreen />, { 'GET /auth/v1/settings': { disable_signup: true } })
  await expect.element(page.getByText('This server accepts no sign-ups.')).toBeVisible()
  expect(page.getByRole('textbox').query()).toBeNull()
  await expect.element(page.getByRole('link', { name: 'Back to Sign In' })).toHaveAttribute('href', '/app')
})
