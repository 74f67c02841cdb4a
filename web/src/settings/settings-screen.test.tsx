import '../testing/signed-in.ts'
import '../ui/tokens.css'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import HomeScreen from '../home/HomeScreen.tsx'
import { HOME } from '../testing/mock-api.ts'
import { button, dialog, expectFailure, openScreen } from '../testing/open-screen.tsx'
import SettingsScreen from './SettingsScreen.tsx'

const SET_USERNAME = 'PUT /api/profile/username'
const SET_EMAILS = 'PUT /api/profile/request-emails'
const MY_DATA = 'GET /api/account/data'
const DELETE = 'POST /api/account/delete'
const SIGN_IN = { hasPassword: true, company: null, secondFactor: null, provenUntil: '2099-01-01T00:00:00.000Z' }
const START = window.location.href

afterEach(() => window.history.replaceState(null, '', START))

async function openSettings(answers: Parameters<typeof openScreen>[1] = {}) {
  const screen = await openScreen(<SettingsScreen />, { 'GET /api/account/sign-in': SIGN_IN, ...answers })
  await expect.element(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
  return screen
}

test('the account is shown, and its username is changed unless it is taken', async () => {
  const { answers, bodies, show } = await openSettings({ [SET_USERNAME]: 'username_taken' })
  await expect.element(page.getByRole('definition').first()).toBeVisible()
  const details = page.getByRole('definition').elements()
  expect(details.map(({ textContent }) => textContent)).toEqual([
    HOME.profile.email,
    'Mara Lind',
    HOME.profile.companyDomain,
  ])
  const field = page.getByLabelText('Username')
  const update = button('Update Username')
  await expect.element(field).toHaveValue('mara')
  for (const unchanged of ['mara', '  mara ', '', '   ']) {
    await field.fill(unchanged)
    await expect.element(update).toBeDisabled()
  }
  await field.fill('aDA')
  await update.click()
  await expectFailure('This username is already taken. Please choose another one.')
  await expect.element(field).toHaveValue('aDA')
  answers[SET_USERNAME] = 'unavailable'
  await update.click()
  await expectFailure('Failed to update username')
  answers[SET_USERNAME] = { username: 'mara l.' }
  answers['GET /api/home'] = { ...HOME, profile: { ...HOME.profile, username: 'mara l.' } }
  await field.fill('  mara l. ')
  await userEvent.keyboard('{Enter}')
  await expect.element(page.getByText('Username updated')).toBeVisible()
  await expect.element(field).toHaveValue('mara l.')
  await expect.element(update).toBeDisabled()
  expect(bodies(SET_USERNAME).at(-1)).toEqual({ username: 'mara l.' })
  await show(<HomeScreen />)
  await expect.element(page.getByRole('heading', { name: 'Hi mara l.' })).toBeVisible()
})

test('the switch only previews focus mode, and sends nothing', async () => {
  const { calls, show } = await openSettings()
  await expect.element(page.getByText('Preview only. Start a session on Home.')).toBeVisible()
  await expect.poll(() => calls.some(({ call }) => call === 'GET /api/push')).toBe(true)
  const before = calls.length
  await page.getByRole('switch', { name: 'deeb' }).click()
  await expect.poll(() => document.documentElement.dataset.focus).toBe('on')
  expect(calls.slice(before)).toEqual([])
  await show(<h1>Home</h1>)
  await expect.poll(() => document.documentElement.dataset.focus).toBeUndefined()
})

test('the switch for emails stays on when it could not be saved', async () => {
  const profile = { ...HOME.profile, requestEmails: true }
  const { answers } = await openSettings({ 'GET /api/home': { ...HOME, profile }, [SET_EMAILS]: 'unavailable' })
  const emails = page.getByRole('switch', { name: 'Email me about connection requests' })
  await expect.element(emails).toBeChecked()
  await emails.click()
  await expectFailure('This setting could not be saved. Please try again.')
  await expect.element(emails).toBeChecked()
  answers[SET_EMAILS] = { requestEmails: false }
  answers['GET /api/home'] = { ...HOME, profile: { ...profile, requestEmails: false } }
  await emails.click()
  await expect.element(emails).not.toBeChecked()
})

test('a download that fails says so in its dialog, which stays open', async () => {
  const { answers } = await openSettings({ [MY_DATA]: 'unavailable' })
  await button('Download my data').click()
  await button('All data (JSON)').click()
  await expectFailure('Your data could not be loaded. Please try again.')
  answers[MY_DATA] = 'download_running'
  await button('All data (JSON)').click()
  await expect
    .element(
      dialog('Download my data')
        .getByText(/download/i)
        .first(),
    )
    .toBeVisible()
  await button('Done').click()
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument()
})

test('the account is not deleted with a wrong password, or when the server does not answer', async () => {
  const { answers } = await openSettings({ [DELETE]: 'wrong_password' })
  await button('Delete account').click()
  const remove = dialog('Delete account')
  await userEvent.keyboard('{Escape}')
  await expect.element(remove).not.toBeInTheDocument()
  await expect.element(button('Delete account')).toHaveFocus()
  await button('Delete account').click()
  await remove.getByLabelText('Password').fill('not this one')
  await remove.getByRole('button', { name: 'Show characters' }).click()
  await expect.element(remove.getByLabelText('Password')).toHaveAttribute('type', 'text')
  await remove.getByRole('button', { name: 'Delete account' }).click()
  await expect.element(remove.getByText('This is not your password.')).toBeVisible()
  answers[DELETE] = 'unavailable'
  await remove.getByRole('button', { name: 'Delete account' }).click()
  await expectFailure('Your account could not be deleted. Please try again.')
  await remove.getByRole('button', { name: 'Cancel' }).click()
  await expect.element(remove).not.toBeInTheDocument()
})

test('a change of the email that fails says so in its dialog', async () => {
  await openSettings({ 'PUT /auth/v1/user': () => Promise.reject(new TypeError('Failed to fetch')) })
  await button('Change email').click()
  const change = dialog('Change email')
  await change.getByLabelText('New email').fill('mara@acme.example')
  await change.getByLabelText('Current password').fill('quiet-otter-41')
  await change.getByRole('button', { name: 'Change email' }).click()
  await expectFailure('An unexpected error occurred.')
})

test('where the browser blocks notifications, the switch is disabled and a text says what to do', async () => {
  const permission = Object.getOwnPropertyDescriptor(Notification, 'permission') ?? {}
  Object.defineProperty(Notification, 'permission', { get: () => 'denied', configurable: true })
  try {
    await openSettings({ 'GET /api/push': { publicKey: 'x', isOn: false, remindsStillOn: true } })
    await expect.element(page.getByText('Your browser blocks notifications of deeb.')).toBeVisible()
    const onThisDevice = page.getByRole('switch', { name: 'Notifications on this device' })
    await expect.element(onThisDevice).toHaveAttribute('aria-disabled', 'true')
  } finally {
    Object.defineProperty(Notification, 'permission', permission)
  }
})
