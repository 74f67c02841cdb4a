import { readLink } from '@deeb/core/account/api'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { mockApi } from '../testing/mock-api.ts'
import ResetPasswordScreen from './ResetPasswordScreen.tsx'

const INFO = { kind: 'recovery', email: 'ann@acme.example', newEmail: null }
const LINK = 'https://deeb.example/app/reset-password#token_hash=a1b2&type=recovery'

const before = window.location.href
let calls: ReturnType<typeof mockApi>
beforeEach(() => {
  window.history.replaceState(null, '', '/app/reset-password')
  calls = mockApi({ [`${readLink.method} ${readLink.path}`]: INFO })
})
afterEach(() => {
  vi.restoreAllMocks()
  window.history.replaceState(null, '', before)
})

async function paste(address: string): Promise<void> {
  await page.getByLabelText('Address of the link in the email').fill(address)
  await page.getByRole('button', { name: 'Continue' }).click()
}

test('a link that arrived without its fragment says so, and its pasted address opens it', async () => {
  await render(<ResetPasswordScreen />)
  await expect.element(page.getByText('This link is incomplete.')).toBeVisible()
  await paste('https://deeb.example/app/reset-password')
  await expect.element(page.getByText('This is not the whole address.')).toBeVisible()
  // As a filter rewrites it.
  await paste(`https://filter.example/?url=${encodeURIComponent(LINK)}`)
  await expect.element(page.getByText('Choose a new password for ann@acme.example.')).toBeVisible()
  expect(window.location.hash).toBe('')
  expect(calls.find(({ call }) => call.endsWith(readLink.path))?.body).toEqual({ token: 'a1b2' })
})
