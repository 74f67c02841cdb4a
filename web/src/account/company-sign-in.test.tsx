import '../ui/tokens.css'
import { APP_PATHS } from '@deeb/core/paths'
import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { page } from 'vitest/browser'
import { render } from 'vitest-browser-react'
import { queryClient } from '../cache/query-client.ts'
import { accessToken, authClient, signedInUserId } from '../session/auth-session.ts'
import { withdrawFailures } from '../ui/toast.ts'
import CompanySignInScreen from './CompanySignInScreen.tsx'
import { CompanyWay } from './OtherWays.tsx'
import { CompanyProof } from './ProofDialog.tsx'
import SignInScreen from './SignInScreen.tsx'
import SignUpScreen from './SignUpScreen.tsx'

const SETTINGS = {
  sso_enabled: true,
  passkeys_enabled: false,
  password_min_length: 8,
  app_scheme: { android: null, ios: 'app.deeb.example' },
}
const TOKENS = {
  access_token: 'mara',
  refresh_token: 'mara',
  expires_at: 4e9,
  expires_in: 3600,
  token_type: 'bearer',
  user: { id: 'mara', email: 'ann@acme.example' },
}
const START = window.location.pathname + window.location.search

type Sent = { path: string; body: Record<string, string> }
let sent: Sent[]
/** The answers of the account service, by path. */
let answers: Record<string, (body: Record<string, string>) => [status: number, body: object]>

beforeEach(() => {
  sent = []
  answers = { '/settings': () => [200, SETTINGS] }
  vi.spyOn(window, 'fetch').mockImplementation(async (input, init) => {
    const path = String(input).split('/auth/v1')[1] ?? ''
    const body = JSON.parse(String(init?.body ?? '{}'))
    sent.push({ path, body })
    const [status, answer] = answers[path]?.(body) ?? [404, { code: 'not_found', message: '' }]
    return Response.json(answer, { status, headers: { 'x-supabase-api-version': '2024-01-01' } })
  })
})
afterEach(() => {
  vi.restoreAllMocks()
  withdrawFailures()
  localStorage.clear()
  sessionStorage.clear()
  history.replaceState(null, '', START)
})

/** Where the test page is led: only the fragment changes, so that it is not left. */
const companyPage = () => `${window.location.href.split('#')[0]}#company`
const refusal = (code: string, message = '') => ({ code, error_code: code, message, msg: message })
const sentTo = (path: string) => sent.filter((request) => request.path === path).map(({ body }) => body)

async function continueWith(email: string): Promise<void> {
  await page.getByLabelText('Email').fill(email)
  await page.getByRole('button', { name: 'Continue', exact: true }).click()
}

test('the address is asked for first; without a company, the password field follows and has the focus', async () => {
  answers['/sso'] = () => [404, refusal('sso_provider_not_found')]
  await render(<SignInScreen />)
  await expect.element(page.getByRole('button', { name: 'Continue', exact: true })).toBeVisible()
  await expect.element(page.getByLabelText('Password')).not.toBeInTheDocument()
  await continueWith('ann@nowhere.example')
  await expect.element(page.getByLabelText('Password')).toHaveFocus()
  expect(sentTo('/sso')).toMatchObject([{ domain: 'nowhere.example', code_challenge_method: 's256' }])
  await page.getByLabelText('Email').fill('ann@acme.example')
  await expect.element(page.getByLabelText('Password')).not.toBeInTheDocument()
})

test('a company that allows passwords is offered beside them, and one that does not opens immediately', async () => {
  answers['/sso'] = ({ domain }) => [200, { url: companyPage(), name: 'Acme', only: domain === 'only.example' }]
  await render(<SignInScreen />)
  await continueWith('ann@acme.example')
  await expect.element(page.getByText('acme.example signs in with Acme.')).toHaveFocus()
  await page.getByRole('button', { name: 'Use a password' }).click()
  await expect.element(page.getByLabelText('Password')).toHaveFocus()
  await continueWith('ann@only.example')
  await expect.poll(() => window.location.hash).toBe('#company')
  const redirect = new URL(sentTo('/sso').at(-1)?.redirect_to ?? '')
  expect([redirect.pathname, redirect.searchParams.has('sb_flow_id')]).toEqual([APP_PATHS.companySignIn, true])
})

test('a browser that stores nothing signs in with a password, and the sign-in of a company says why it does not begin', async () => {
  const full = () => {
    throw new DOMException('The quota has been exceeded.', 'QuotaExceededError')
  }
  vi.spyOn(Storage.prototype, 'setItem').mockImplementation(full)
  answers['/sso'] = ({ domain }) =>
    domain === 'only.example'
      ? [200, { url: companyPage(), name: 'Acme', only: true }]
      : [404, refusal('sso_provider_not_found')]
  answers['/token?grant_type=password'] = () => [200, TOKENS]
  await render(<SignInScreen />)
  await continueWith('ann@only.example')
  await expect.element(page.getByText('This browser stores nothing').first()).toBeVisible()
  expect(window.location.hash).toBe('')
  await continueWith('ann@nowhere.example')
  await page.getByLabelText('Password').fill('a long password')
  await page.getByRole('button', { name: 'Sign In', exact: true }).click()
  await expect.poll(signedInUserId).toBe('mara')
  expect([await accessToken(), localStorage.length]).toEqual(['mara', 0])
  await (await authClient()).signOut({ scope: 'local' })
  expect(await accessToken()).toBeNull()
})

const ACME = { name: 'Acme', domain: 'acme.example', only: false }

test('the only company of a server has its button above the form, and an address with it begins', async () => {
  answers['/sso'] = () => [200, { url: companyPage(), ...ACME }]
  const settings = { ...SETTINGS, sso: ACME }
  const start = await render(<CompanyWay settings={settings} last={undefined} />)
  await page.getByRole('button', { name: 'Continue with Acme' }).click()
  await expect.poll(() => window.location.hash).toBe('#company')
  await start.unmount()
  history.replaceState(null, '', '?company=acme.example')
  await render(<CompanyWay settings={settings} last={undefined} />)
  await expect.poll(() => sentTo('/sso')).toMatchObject([{ domain: 'acme.example' }, { domain: 'acme.example' }])
  await expect.poll(() => window.location.hash).toBe('#company')
  expect(window.location.search).toBe('')
})

test('an address with a company that this browser does not know begins after a press (login CSRF)', async () => {
  answers['/sso'] = () => [200, { url: companyPage(), ...ACME }]
  history.replaceState(null, '', '?company=other.example')
  await render(<CompanyWay settings={{ ...SETTINGS, sso: ACME }} last={undefined} />)
  const button = page.getByRole('button', { name: 'Continue with other.example' })
  await expect.element(button).toBeVisible()
  expect(sentTo('/sso')).toEqual([])
  await button.click()
  await expect.poll(() => window.location.hash).toBe('#company')
  expect(sentTo('/sso')).toMatchObject([{ domain: 'other.example' }])
})

test('a company whose page does not answer is named as the reason', async () => {
  answers['/sso'] = () => [503, refusal('unexpected_failure')]
  await render(<SignInScreen />)
  await continueWith('ann@acme.example')
  await expect
    .element(page.getByText('The sign-in page of your company cannot be reached right now.').first())
    .toBeVisible()
})

test('sign-up for an address that only its company signs in leads to the company', async () => {
  answers['/sso'] = () => [200, { url: companyPage(), ...ACME }]
  answers['/signup'] = () => [422, refusal('user_sso_managed')]
  await render(<SignUpScreen />)
  await page.getByLabelText('Email').fill('ann@acme.example')
  await page.getByLabelText('Password', { exact: true }).fill('quiet-otter-41')
  await page.getByLabelText('Confirm password').fill('quiet-otter-41')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expect.element(page.getByText('Your company manages how you sign in.').first()).toBeVisible()
  await page.getByRole('button', { name: 'Continue with your company' }).click()
  await expect.poll(() => window.location.hash).toBe('#company')
  expect(sentTo('/sso')).toMatchObject([{ domain: 'acme.example' }])
})

/** Begins a sign-in by the company, and opens the page that its answer leads to. */
async function comeBack(fragment: (flowId: string) => string) {
  answers['/sso'] = () => [200, { url: companyPage(), name: 'Acme', only: true }]
  const signIn = await render(<SignInScreen />)
  await continueWith('ann@acme.example')
  await expect.poll(() => sessionStorage.getItem('deeb.company-sign-in')).toContain('acme.example')
  const flowId = new URL(sentTo('/sso')[0]?.redirect_to ?? '').searchParams.get('sb_flow_id') ?? ''
  await signIn.unmount()
  window.location.hash = fragment(flowId)
  await expect.poll(() => window.location.hash).toBe('')
  return openReturn()
}

function openReturn() {
  return render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>
        <CompanySignInScreen />
      </QueryClientProvider>
    </StrictMode>,
  )
}

test('the code is exchanged once, with the verifier of its flow, and the browser remembers the company', async () => {
  answers['/token?grant_type=pkce'] = () => [200, TOKENS]
  await comeBack((flowId) => `code=c1&sb_flow_id=${flowId}`)
  await expect.poll(() => window.location.pathname).toBe(APP_PATHS.home)
  const exchanges = sentTo('/token?grant_type=pkce')
  expect(exchanges).toEqual([{ auth_code: 'c1', code_verifier: expect.stringMatching(/^[\w.~-]{43,}$/) }])
  expect(localStorage.getItem('deeb.last-sign-in')).toContain('Acme')
})

test('six digits from an email are asked for, and wrong ones can be corrected', async () => {
  const message = 'We have sent a code to ann@acme.example.'
  answers['/token?grant_type=pkce'] = () => [422, refusal('provider_email_needs_verification', message)]
  answers['/verify'] = ({ token }) =>
    token === '123456' ? [200, TOKENS] : [400, refusal('invalid_credentials', 'Invalid login credentials')]
  await comeBack((flowId) => `code=c2&sb_flow_id=${flowId}`)
  await expect.element(page.getByText(message)).toBeVisible()
  await page.getByLabelText('Code from the email').fill('000000')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect.element(page.getByText('This code is wrong.')).toBeVisible()
  await page.getByLabelText('Code from the email').fill('123 456')
  await page.getByRole('button', { name: 'Continue' }).click()
  await expect.poll(() => window.location.pathname).toBe(APP_PATHS.home)
  expect(sentTo('/verify').at(-1)).toMatchObject({ type: 'magiclink', token_hash: 'c2', token: '123456' })
})

test('a refusal says why, and "Try again" begins with the same company', async () => {
  await comeBack(() => 'error_code=access_denied')
  await expect.element(page.getByText('Your company did not sign you in.')).toBeVisible()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => sentTo('/sso')).toHaveLength(2)
  expect(sentTo('/sso')[1]).toMatchObject({ domain: 'acme.example' })
})

test.each([
  ['unexpected_failure', 'The sign-in of your company does not answer right now. Try again shortly.'],
  ['over_request_rate_limit', 'Too many attempts. Try again in a few minutes.'],
  ['identity_already_exists', 'This account is already connected. Ask your administrator.'],
])('a failure with %s says what to do', async (code, text) => {
  answers['/token?grant_type=pkce'] = () => [422, refusal(code)]
  await comeBack((flowId) =>
    code === 'unexpected_failure' ? `error_code=${code}` : `code=${code}&sb_flow_id=${flowId}`,
  )
  await expect.element(page.getByText(text)).toBeVisible()
})

test('"Try again" of a re-authentication asks for the password of the company again', async () => {
  answers['/sso'] = () => [200, { url: companyPage(), ...ACME }]
  const proof = await render(<CompanyProof domain="acme.example" name="Acme" />)
  await page.getByRole('button', { name: 'Continue with Acme' }).click()
  await expect.poll(() => window.location.hash).toBe('#company')
  await proof.unmount()
  window.location.hash = 'error_code=access_denied'
  await expect.poll(() => window.location.hash).toBe('')
  await openReturn()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect.poll(() => window.location.hash).toBe('#company')
  expect(sentTo('/sso')).toHaveLength(2)
  for (const { redirect_to } of sentTo('/sso')) expect(redirect_to).toContain('again=1')
})

test('a sign-in that began in an app returns there by the scheme of the settings, and exchanges nothing here', async () => {
  await comeBack(() => 'code=c3&sb_flow_id=f&app=ios&scheme=evil')
  const link = page.getByRole('link', { name: 'Continue in the app' })
  await expect.element(link).toHaveAttribute('href', 'app.deeb.example://sso#code=c3&sb_flow_id=f&app=ios&scheme=evil')
  expect(sentTo('/token?grant_type=pkce')).toEqual([])
})
