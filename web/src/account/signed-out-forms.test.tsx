import '../ui/tokens.css'
import '../ui/app-toasts.css'
import { APP_PATHS } from '@deeb/core/paths'
import { afterEach, expect, test, vi } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import type { Answers } from '../testing/mock-api.ts'
import { button, expectFailure, openScreen } from '../testing/open-screen.tsx'
import { withdrawFailures } from '../ui/toast.ts'
import ConfirmScreen from './ConfirmScreen.tsx'
import ForgotPasswordScreen from './ForgotPasswordScreen.tsx'
import SignInScreen from './SignInScreen.tsx'
import SignUpScreen from './SignUpScreen.tsx'

const [SIGN_IN, SIGN_UP] = ['POST /auth/v1/token', 'POST /auth/v1/signup']
const [RESEND, RECOVER] = ['POST /auth/v1/resend', 'POST /auth/v1/recover']
const ADDRESS = 'mara.lind@fjordlab.example'
const WRONG_ADDRESS = 'mara.lnd@fjordlab.example'
const PASSWORD = 'quiet-otter-41'
const START = window.location.href

afterEach(async () => {
  vi.restoreAllMocks()
  withdrawFailures()
  for (const toast of document.querySelectorAll('.toasts [role] > *')) toast.remove()
  sessionStorage.clear()
  localStorage.clear()
  window.history.replaceState(null, '', START)
  await page.viewport(390, 844)
})

/** A screen for visitors of a server that keeps its emails. */
function openForm(screen: React.ReactNode, answers: Answers = {}) {
  const settings = { sso_enabled: false, passkeys_enabled: false, password_min_length: 8, mailer: 'outbox' }
  return openScreen(screen, { 'GET /auth/v1/settings': settings, ...answers })
}

const refusal = (code: string, message: string) => () =>
  Response.json(
    { code, error_code: code, message, msg: message },
    { status: 400, headers: { 'x-supabase-api-version': '2024-01-01' } },
  )
const lost = () => Promise.reject(new TypeError('Failed to fetch'))
const wrongLogin = refusal('invalid_credentials', 'Invalid login credentials')
const weak = refusal('weak_password', 'Password should be at least 8 characters.')
const WEAK = 'The password is too weak.'

const email = () => page.getByLabelText('Email')
const password = () => page.getByLabelText('Password', { exact: true })
const next = () => page.getByRole('region', { name: 'What happens next' })

/** Opens the link of a confirmation email in this tab. */
async function openLink(token: string): Promise<void> {
  window.history.replaceState(null, '', APP_PATHS.confirm)
  window.location.hash = `token_hash=${token}&type=signup`
  await expect.poll(() => window.location.hash).toBe('')
}

async function signIn(): Promise<void> {
  await email().fill(ADDRESS)
  await password().fill(PASSWORD)
  await button('Sign In').click()
}

async function signUp(address: string, confirmed = PASSWORD): Promise<void> {
  await email().fill(address)
  await password().fill(PASSWORD)
  await page.getByLabelText('Confirm password').fill(confirmed)
  await button('Create Account').click()
}

test.each([
  ['Sign In', SignInScreen],
  ['Create Account', SignUpScreen],
  ['Forgot password', ForgotPasswordScreen],
])('%s begins in its email field, except where that opens a keyboard', async (_, Screen) => {
  const { show } = await openForm(<Screen />)
  await expect.element(email()).toHaveFocus()
  const { matchMedia } = window
  vi.spyOn(window, 'matchMedia').mockImplementation((query) =>
    Object.defineProperty(matchMedia(query), 'matches', { value: !query.includes('pointer') }),
  )
  await show(<Screen key="on a phone" />)
  await expect.element(email()).toBeVisible()
  await expect.element(email()).not.toHaveFocus()
})

test('a sign-in that fails stays at its button, keeps the address, and the next failure replaces it', async () => {
  const { answers } = await openForm(<SignInScreen />, { [SIGN_IN]: wrongLogin })
  await signIn()
  await expect.element(page.getByRole('alert')).toHaveTextContent('Sign In Failed')
  await expectFailure('Invalid login credentials')
  await expect.element(email()).toHaveValue(ADDRESS)
  answers[SIGN_IN] = lost
  await signIn()
  await expectFailure('An unexpected error occurred.')
  await expect.element(page.getByText('Invalid login credentials')).not.toBeInTheDocument()
})

test('a sign-up that fails stays at its button and keeps the address', async () => {
  const { answers, bodies } = await openForm(<SignUpScreen />, { [SIGN_UP]: weak })
  await signUp(ADDRESS, 'something else')
  await expect.element(page.getByRole('alert')).toHaveTextContent('Password Mismatch')
  await expectFailure('Passwords do not match.')
  expect(bodies(SIGN_UP)).toEqual([])
  await signUp(ADDRESS)
  await expect.element(page.getByText('Sign Up Failed')).toBeVisible()
  await expect.element(email()).toHaveValue(ADDRESS)
  // What is wrong with the password is said at its field, and nowhere else in the form.
  await expect.element(password()).toHaveAccessibleDescription(WEAK)
  await expect.element(password()).toHaveAttribute('aria-invalid', 'true')
  expect(document.querySelector('form')?.textContent?.split(WEAK)).toHaveLength(2)
  answers[SIGN_UP] = lost
  await signUp(ADDRESS)
  await expectFailure('An unexpected error occurred.')
})

test('a failure does not cover the button to press next on a small phone', async () => {
  await page.viewport(320, 568)
  await openForm(<SignUpScreen />, { [SIGN_UP]: weak })
  await signUp(ADDRESS)
  await expect.element(page.getByText('Sign Up Failed')).toBeVisible()
  const boxOf = (selector: string) => document.querySelector(selector)?.getBoundingClientRect() as DOMRect
  await expect
    .poll(() => {
      const [toast, submit] = [boxOf('.toast'), boxOf('button[type=submit]')]
      return toast.height > 0 && (toast.bottom < submit.top || submit.bottom < toast.top)
    })
    .toBe(true)
})

test('the password of a sign-up says its rule and can be shown', async () => {
  await openForm(<SignUpScreen />)
  const rule = 'At least 8 characters, and not a common password.'
  await expect.element(password()).toHaveAccessibleDescription(rule)
  await password().fill('quiet')
  await button('Show characters').first().click()
  await expect.element(password()).toHaveAttribute('type', 'text')
})

test('after sign-up the page says what happens next, also after a reload; a server without email says who has the link', async () => {
  const user = { id: 'mara', email: WRONG_ADDRESS }
  const { calls, show, bodies } = await openForm(<SignUpScreen />, { [SIGN_UP]: user, [RESEND]: {} })
  await signUp(WRONG_ADDRESS)
  await expect.element(page.getByText('Account Created!')).toBeVisible()
  await expect.element(page.getByText('Ask your administrator for the link.')).toBeVisible()
  expect(window.location.pathname).toBe(APP_PATHS.signIn)
  await show(<SignInScreen />)
  await expect.element(next()).toHaveTextContent(`We sent a link to ${WRONG_ADDRESS}.`)
  // Nothing else is to be done here.
  expect(page.getByRole('textbox').elements()).toEqual([])
  await show(<SignInScreen key="form" />)
  await button('Back to Sign In').click()
  await expect.element(email()).toHaveValue(WRONG_ADDRESS)
  await show(<SignInScreen key="reloaded" />)
  await next().getByRole('button', { name: 'Send it again' }).click()
  await expect.poll(() => bodies(RESEND)).toMatchObject([{ type: 'signup', email: WRONG_ADDRESS }])
  await next().getByRole('button', { name: 'Wrong address?' }).click()
  expect(window.location.pathname).toBe(APP_PATHS.signUp)
  await show(<SignUpScreen />)
  await expect.element(email()).toHaveValue(WRONG_ADDRESS)
  // Both screens need them.
  expect(calls.filter(({ call }) => call === 'GET /auth/v1/settings').length).toBeLessThanOrEqual(1)
})

test('a request for a password reset that fails stays at its button', async () => {
  await openForm(<ForgotPasswordScreen />, { [RECOVER]: lost })
  await email().fill(ADDRESS)
  await button('Send reset link').click()
  await expectFailure('An unexpected error occurred.')
})

test('after a request for a password reset the page says where the link is, also after a reload, and takes another address', async () => {
  const { bodies, show } = await openForm(<ForgotPasswordScreen />, { [RECOVER]: {} })
  await email().fill(WRONG_ADDRESS)
  // Two submits send one email.
  const { form } = email().element() as HTMLInputElement
  form?.requestSubmit()
  form?.requestSubmit()
  const sent = `If there is an account for ${WRONG_ADDRESS}, we sent it a link.`
  await expect.element(next()).toHaveTextContent(sent)
  expect(bodies(RECOVER)).toMatchObject([{ email: WRONG_ADDRESS }])
  await show(<ForgotPasswordScreen key="reloaded" />)
  await expect.element(next()).toHaveTextContent(sent)
  await next().getByRole('button', { name: 'Wrong address?' }).click()
  await expect.element(email()).toHaveValue(WRONG_ADDRESS)
})

test('threat 273: the browser that signed up confirms with one tap; the password is asked if the server does not know it', async () => {
  const { show, answers, bodies } = await openForm(<SignUpScreen />, { [SIGN_UP]: { id: 'mara', email: ADDRESS } })
  await signUp(ADDRESS)
  const [sent] = bodies(SIGN_UP) as { data: { deeb_browser: string } }[]
  expect(sent?.data.deeb_browser).toMatch(/^[\w-]{22}$/)
  await openLink('a1b2')
  answers['POST /api/account/link'] = { kind: 'signup', email: ADDRESS, newEmail: null }
  answers['POST /auth/v1/verify'] = wrongLogin
  await show(<ConfirmScreen />)
  await expect.element(page.getByText(`You signed up as ${ADDRESS} in this browser.`)).toBeVisible()
  expect(password().query()).toBeNull()
  await button('Confirm').click()
  await password().fill(PASSWORD)
  await button('Confirm').click()
  await expect.element(password()).toHaveAccessibleDescription("That's not the password you signed up with.")
  const tries = bodies('POST /auth/v1/verify') as { browser?: string; password?: string }[]
  expect(tries.map(({ browser, password }) => [browser, password])).toEqual([
    [sent?.data.deeb_browser, undefined],
    [undefined, PASSWORD],
  ])
})

test('threat 273: the link of another address, or an hour later, needs the password also in the browser that signed up', async () => {
  const { show, answers } = await openForm(<SignUpScreen />, { [SIGN_UP]: { id: 'mara', email: ADDRESS } })
  await signUp(ADDRESS)
  await expect.element(page.getByText('Account Created!')).toBeVisible()
  const info = { kind: 'signup', email: ADDRESS, newEmail: null }
  answers['POST /api/account/link'] = { ...info, email: WRONG_ADDRESS }
  await openLink('b1c2')
  await show(<ConfirmScreen />)
  await expect.element(password()).toBeVisible()
  vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_601_000)
  answers['POST /api/account/link'] = info
  await openLink('c1d2')
  await show(<ConfirmScreen key="late" />)
  await expect.element(page.getByText(`when you signed up as ${ADDRESS}.`)).toBeVisible()
  await expect.element(password()).toBeVisible()
})

test('a link that cannot be read is kept, and a retry reads it', async () => {
  await openLink('a1b2')
  const { answers, bodies } = await openForm(<ConfirmScreen />)
  await expect.element(page.getByText('deeb cannot be reached. Check your connection and try again.')).toBeVisible()
  let read = () => {}
  const held = new Promise<void>((resolve) => {
    read = resolve
  })
  const info = { kind: 'signup', email: ADDRESS, newEmail: null }
  answers['POST /api/account/link'] = () => held.then(() => info)
  await button('Try again').click()
  await expect.element(page.getByRole('status').filter({ hasText: 'Loading...' })).toBeVisible()
  read()
  answers['POST /auth/v1/verify'] = wrongLogin
  await password().fill(PASSWORD)
  await userEvent.keyboard('{Enter}')
  await expect.poll(() => bodies('POST /auth/v1/verify')).toMatchObject([{ token_hash: 'a1b2', password: PASSWORD }])
  // Neither the back button nor a reload opens the link again.
  expect(JSON.stringify(window.history.state)).not.toContain('a1b2')
})
