import '../ui/tokens.css'
import '../ui/app-toasts.css'
import { expect, test } from 'vitest'
import { page } from 'vitest/browser'
import { openScreen } from '../testing/open-screen.tsx'
import { removeTokens } from '../testing/stored-tokens.ts'

const PASSWORD = 'quiet-otter-41'
const START = window.location.href
const SETTINGS = { sso_enabled: false, passkeys_enabled: false, password_min_length: 8, mailer: 'outbox' }
const ann = { id: '33333333-3333-4333-8333-333333333333', email: 'ann@fjordlab.example', user_metadata: {} }
const TOKENS = { access_token: 'ann', token_type: 'bearer', expires_in: 3600, refresh_token: 'ann', user: ann }

const expired = () => {
  const message = 'This link has expired or was already used.'
  const body = { code: 'otp_expired', error_code: 'otp_expired', message, msg: message }
  return Response.json(body, { status: 403, headers: { 'x-supabase-api-version': '2024-01-01' } })
}

async function send(): Promise<void> {
  await page.getByLabelText('Email').fill('ann@fjordlab.example')
  await page.getByLabelText('Password', { exact: true }).fill(PASSWORD)
  await page.getByLabelText('Confirm password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Create Account' }).click()
}

// The page reads the link when it loads, so the tests are one page after the other.
test('the link to the first account of a server leaves the address bar, ends when it has expired, else signs in', async () => {
  window.history.replaceState(null, '', '/app/signup#deeb_first=TOKEN')
  const { default: SignUpScreen } = await import('./SignUpScreen.tsx')
  expect(window.location.hash).toBe('')
  const sent: unknown[] = []
  const screen = await openScreen(<SignUpScreen />, {
    'GET /auth/v1/settings': SETTINGS,
    'POST /auth/v1/signup': (body) => {
      sent.push((body as { data: Record<string, unknown> }).data.deeb_first)
      return sent.length === 2 ? TOKENS : expired()
    },
  })
  await send()
  await expect.element(page.getByText('This link has expired or was already used.').first()).toBeVisible()
  expect(sent).toEqual(['TOKEN'])
  expect(screen.bodies('POST /auth/v1/signup')).toHaveLength(1)
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect.poll(() => localStorage.getItem('deeb.auth.token')).toContain('ann')
  expect(sent).toEqual(['TOKEN', undefined])
  expect(sessionStorage.getItem('deeb.sent-link')).toBeNull()
  // In the same tab, only the fragment changes.
  removeTokens()
  window.location.hash = 'deeb_first=NEWER'
  await expect.poll(() => window.location.hash).toBe('')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect.poll(() => sent).toEqual(['TOKEN', undefined, 'NEWER'])
  window.history.replaceState(null, '', START)
})
