import '../../ui/tokens.css'
import type { SignInInfo } from '@deeb/core/account/api'
import { QueryClient, QueryClientProvider } from '@tanstack/react-query'
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { removeTokens, storeTokens } from '../../testing/stored-tokens.ts'
import { withdrawFailures } from '../../ui/toast.ts'

// The auth session module reads the tokens when it is loaded.
storeTokens('mara')
const { signedInUserId } = await import('../../session/auth-session.ts')
const { SignInWays } = await import('./SignInSettingsScreen.tsx')
const { DeleteAccountDialog } = await import('../DeleteAccountDialog.tsx')
const { SIGN_IN_KEY } = await import('../sign-in-queries.ts')

const INFO: SignInInfo = {
  hasPassword: true,
  company: null,
  secondFactor: null,
  provenUntil: '2099-01-01T00:00:00.000Z',
}
const ACME = { name: 'Acme', domain: 'acme.example', only: false, connected: false }
const APP = { id: 'app', factor_type: 'totp', status: 'verified', created_at: '2026-03-01T10:00:00Z', updated_at: '' }
const PASSKEY = { id: 'p1', friendly_name: 'Laptop', created_at: '2026-03-01T10:00:00Z' }
const CODES = Array.from({ length: 10 }, (_, n) => `abcdefgh1234567${n}`)

let answers: Record<string, () => [status: number, body: object]>
let sent: { request: string; body: unknown }[]

beforeEach(async () => {
  await expect.poll(signedInUserId).toBe('mara')
  sent = []
  answers = {
    'GET /auth/v1/settings': () => [200, { passkeys_enabled: true, password_min_length: 8 }],
    'GET /auth/v1/passkeys': () => [200, [PASSKEY]],
    'GET /auth/v1/user': () => [200, { id: 'mara', factors: [] }],
    'GET /api/account/sessions': () => [200, { sessions: [] }],
  }
  vi.spyOn(window, 'fetch').mockImplementation(async (input, init) => {
    const request = `${init?.method ?? 'GET'} ${String(input).replace(window.location.origin, '')}`
    if (init?.body) sent.push({ request, body: JSON.parse(String(init.body)) })
    const [status, body] = answers[request]?.() ?? [404, { code: 'mfa_factor_not_found', message: 'Not found.' }]
    return Response.json(body, { status, headers: { 'x-supabase-api-version': '2024-01-01' } })
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  withdrawFailures()
})
afterAll(removeTokens)

/** Renders for a user who signs in like this. */
async function renderWays(info: Partial<SignInInfo>, element = <SignInWays info={{ ...INFO, ...info }} />) {
  const queryClient = new QueryClient({ defaultOptions: { queries: { retry: false, staleTime: 60_000 } } })
  queryClient.setQueryData(SIGN_IN_KEY, { ...INFO, ...info })
  answers['GET /api/account/sign-in'] ??= () => [200, { ...INFO, ...info }]
  await render(<QueryClientProvider client={queryClient}>{element}</QueryClientProvider>)
}

test('in a closed domain, password and passkeys name the company that manages them; passkeys can be removed', async () => {
  await renderWays({ hasPassword: false, company: { ...ACME, only: true, connected: true } })
  await expect.element(page.getByText('Acme manages how you sign in. You need no password here.')).toBeVisible()
  await expect.element(page.getByText('Acme manages how you sign in. Passkeys are not used.')).toBeVisible()
  await expect.element(page.getByRole('button', { name: 'Remove Laptop' })).toBeVisible()
  await expect.element(page.getByText('Accounts of Acme sign in with Acme only.')).toBeVisible()
  for (const name of ['Set a password', 'Add a passkey', 'Disconnect Acme']) {
    await expect.element(page.getByRole('button', { name })).not.toBeInTheDocument()
  }
})

test('an account without a password sets one with its proof, without a current one', async () => {
  answers['PUT /auth/v1/user'] = () => [200, { id: 'mara' }]
  await renderWays({ hasPassword: false })
  await page.getByRole('button', { name: 'Set a password' }).click()
  await page.getByLabelText('New password').fill('quiet-otter-41')
  await page.getByLabelText('Confirm password').fill('quiet-otter-41')
  await page.getByRole('button', { name: 'Set password' }).click()
  await expect.element(page.getByText('Password set')).toBeVisible()
  // It would cover a button of the next test.
  await page.getByRole('button', { name: 'Dismiss' }).click()
  const [change] = sent.filter(({ request }) => request === 'PUT /auth/v1/user')
  expect(change?.body).toMatchObject({ password: 'quiet-otter-41' })
  expect(change?.body).not.toHaveProperty('current_password')
})

test('an account without a password is deleted with a proof, which a refusal asks for', async () => {
  answers['POST /api/account/delete'] = () => [403, { code: 'proof_needed', message: '', requestId: '' }]
  await renderWays({ hasPassword: false }, <DeleteAccountDialog onClose={() => undefined} />)
  await expect.element(page.getByLabelText('Password')).not.toBeInTheDocument()
  await page.getByRole('button', { name: 'Delete account' }).click()
  await expect.element(page.getByRole('dialog', { name: 'Show that it is you' })).toBeVisible()
  expect(sent.at(-1)).toEqual({ request: 'POST /api/account/delete', body: {} })
})

test('few recovery codes are announced, and new ones are shown once', async () => {
  let remaining = 3
  answers['GET /auth/v1/user'] = () => [200, { id: 'mara', factors: [APP] }]
  answers['GET /auth/v1/factors/recovery-codes'] = () => [200, { id: 'r', type: 'recovery_code', total: 10, remaining }]
  answers['POST /auth/v1/factors/recovery-codes/regenerate'] = () => {
    remaining = 10
    return [200, { id: 'r', type: 'recovery_code', total: 10, codes: CODES }]
  }
  await renderWays({})
  await expect.element(page.getByText('Only 3 of 10 left. Make new ones soon.')).toBeVisible()
  await page.getByRole('button', { name: 'Make new codes' }).click()
  await expect.element(page.getByText('abcd efgh 1234 5670')).toBeVisible()
  await page.getByRole('button', { name: 'I saved them' }).click()
  await expect.element(page.getByText('abcd efgh 1234 5670')).not.toBeInTheDocument()
  await expect.element(page.getByText('10 of 10 left')).toBeVisible()
})

test('the account of the company is connected at the provider of its domain, and a required second factor has its day', async () => {
  answers['GET /auth/v1/user'] = () => [200, { id: 'mara', factors: [] }]
  await renderWays({ company: ACME, secondFactor: { requiredFrom: '2026-12-24' } })
  await expect.element(page.getByText(/^From .*24.* your company requires a second factor/)).toBeVisible()
  await page.getByRole('button', { name: 'Connect Acme' }).click()
  const asked = () => vi.mocked(window.fetch).mock.calls.map(([input]) => String(input))
  await expect
    .poll(() => asked().find((url) => url.includes('/user/identities/authorize')))
    .toContain('provider=custom%3Aacme.example')
})

test('what cannot be loaded can be tried again', async () => {
  answers['GET /auth/v1/passkeys'] = () => [503, {}]
  await renderWays({})
  const section = page.getByRole('region', { name: 'Passkeys' })
  await expect.element(section.getByText('This could not be loaded.')).toBeVisible()
  answers['GET /auth/v1/passkeys'] = () => [200, [PASSKEY]]
  await section.getByRole('button', { name: 'Try again' }).click()
  await expect.element(section.getByText('Laptop')).toBeVisible()
})

test('without a connection, one button reads all again, and nothing is said about the support of passkeys', async () => {
  for (const path of ['/auth/v1/settings', '/auth/v1/passkeys', '/auth/v1/user', '/api/account/sessions']) {
    answers[`GET ${path}`] = () => [503, {}]
  }
  await renderWays({}, <SignInWays info={INFO} isOld={true} />)
  await expect.poll(() => page.getByText(/^This could not be loaded/).elements().length).toBeGreaterThan(1)
  await expect.element(page.getByText(/does not support passkeys/)).not.toBeInTheDocument()
  await expect.element(page.getByRole('button', { name: 'Try again' })).not.toBeInTheDocument()
})
