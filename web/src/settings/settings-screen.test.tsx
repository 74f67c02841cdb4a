import '../testing/signed-in.ts'
import '../ui/tokens.css'
import { afterEach, expect, test } from 'vitest'
import { page, userEvent } from 'vitest/browser'
import { Route, Switch } from 'wouter'
import SignInSettingsScreen from '../account/sign-in-settings/SignInSettingsScreen.tsx'
import { OPENS_CHANGE_EMAIL } from '../device/history.ts'
import { discardPending } from '../focus/queue/switch-queue.ts'
import HomeScreen from '../home/HomeScreen.tsx'
import { HOME } from '../testing/mock-api.ts'
import { button, dialog, expectFailure, openScreen } from '../testing/open-screen.tsx'
import SettingsScreens from './SettingsScreens.tsx'

const SET_USERNAME = 'PUT /api/profile/username'
const SET_EMAILS = 'PUT /api/profile/request-emails'
const MY_DATA = 'GET /api/account/data'
const DELETE = 'POST /api/account/delete'
const SIGN_IN = { hasPassword: true, company: null, secondFactor: null, provenUntil: '2099-01-01T00:00:00.000Z' }
const START = window.location.href

afterEach(async () => {
  window.history.replaceState(null, '', START)
  await discardPending(HOME.profile.id)
})

/** Settings, or the part at the path. */
async function openSettings(
  answers: Parameters<typeof openScreen>[1] = {},
  path = '/app/settings',
  heading = 'Settings',
) {
  window.history.replaceState(null, '', path)
  const routes = (
    <Switch>
      <Route path="/app/settings/sign-in">
        <SignInSettingsScreen />
      </Route>
      <Route path="/app/settings/:part?">
        <SettingsScreens />
      </Route>
    </Switch>
  )
  const screen = await openScreen(routes, { 'GET /api/account/sign-in': SIGN_IN, ...answers })
  await expect.element(page.getByRole('heading', { name: heading, level: 1 })).toBeVisible()
  return screen
}

const row = (name: string) => page.getByRole('link', { name: new RegExp(`^${name}`) })

const NOTHING_SHOWN = {
  'GET /api/signs': { signs: [], circles: [] },
  'GET /api/status': { systems: [] },
  'GET /api/calendar': { link: null },
  'GET /api/tokens': { tokens: [] },
  'GET /api/webhooks': { isOffered: true, webhooks: [] },
}
const OFFICE = {
  label: 'Office',
  showsName: false,
  showsUntil: false,
  createdAt: HOME.today.startsAt,
  lastSeenAt: null,
}
const SLACK = {
  ...{ accountName: 'mara', workspaceName: null, isOn: true, withDnd: true, words: null },
  ...{ isRefused: false, testUntil: null, last: null },
}
const SHOWN = {
  'GET /api/signs': { signs: [{ ...OFFICE, id: HOME.profile.id }], circles: [] },
  'GET /api/status': { systems: [{ system: 'slack', isOffered: true, link: SLACK }] },
  'GET /api/calendar': { link: { createdAt: HOME.today.startsAt, lastReadAt: null } },
  'GET /api/tokens': { tokens: [] },
  'GET /api/webhooks': { isOffered: true, webhooks: [] },
}
const COMPANY = { domain: 'fjordlab.example', members: 50, blur: 4, inReport: false, firstWeek: null, report: null }

test('at most 9 rows say what they lead to and how it is set, and on a phone nothing scrolls', async () => {
  await openSettings({ ...SHOWN, 'GET /api/company': { ...COMPANY, state: 'too_few' } })
  await page.viewport(390, 844)
  await expect.element(row('Sign-in')).toHaveTextContent('password, email, devices')
  await expect.element(row('Daily goals')).toHaveTextContent('7h a week')
  await expect.element(row('Notifications')).toHaveTextContent('requests')
  await expect.element(row('Show focus')).toHaveTextContent('Office, Slack, calendar')
  await expect.element(row('What your company learns')).toHaveTextContent('left out')
  await expect.element(row('Your data')).toHaveTextContent('download, delete')
  await expect.element(page.getByLabelText('Language')).toBeVisible()
  await expect.element(page.getByRole('definition').first()).toBeVisible()
  expect(page.getByRole('main').getByRole('link').elements()).toHaveLength(6)
  const { scrollHeight, clientHeight } = document.documentElement
  expect(scrollHeight).toBeLessThanOrEqual(clientHeight)
})

test('what is off says so, and is found behind its row', async () => {
  await openSettings({
    ...NOTHING_SHOWN,
    'GET /api/home': { ...HOME, profile: { ...HOME.profile, requestEmails: false } },
  })
  await expect.element(row('Notifications')).toHaveTextContent('email and sound off')
  await expect.element(row('Show focus')).toHaveTextContent('off')
  await row('Show focus').click()
  await expect.element(row('Calendar')).toHaveTextContent('Seen by anyone with its link')
  await expect.element(row('Door sign')).toHaveTextContent('off')
  await expect.element(row('Webhooks')).toHaveTextContent('none')
  await expect.element(row('Status in chat')).not.toBeInTheDocument()
  await row('Door sign').click()
  await expect.element(button('Make a sign')).toBeVisible()
  await button('Back to Show focus').click()
  await button('Back to Settings').click()
  await expect.element(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeVisible()
})

test('a part has no switch that starts a session, and while none runs no button that ends it', async () => {
  await openSettings(NOTHING_SHOWN, '/app/settings/sign', 'Door sign')
  await expect.element(button('Make a sign')).toBeVisible()
  expect(page.getByRole('switch').elements()).toEqual([])
  expect(button('End session').elements()).toEqual([])
})

test.each([
  ['Door sign', '/app/settings/sign', '00000000-0000-4000-8000-000000000001'],
  ['Settings', '/app/settings', '00000000-0000-4000-8000-000000000002'],
])('%s: a running session has a button with its time, which ends it', async (heading, path, id) => {
  const openSession = { id, startedAt: '2026-06-15T08:18:00.000Z', endedAt: null }
  const { answers } = await openSettings({ ...NOTHING_SHOWN, 'GET /api/home': { ...HOME, openSession } }, path, heading)
  await expect.element(button('End session')).toHaveTextContent('0:42·End')
  expect(button('End session').element().getBoundingClientRect().height).toBeGreaterThanOrEqual(44)
  answers['GET /api/home'] = { ...HOME, version: 2 }
  await button('End session').click()
  await expect.element(button('End session')).not.toBeInTheDocument()
  await expect.element(page.getByRole('heading', { name: heading, level: 1 })).toHaveFocus()
  await expect.element(page.getByText('Recorded: 42m')).toBeVisible()
})

test('the rest about a part is under a fold', async () => {
  await openSettings(NOTHING_SHOWN, '/app/settings/sign', 'Door sign')
  await expect.element(page.getByText(/^Everybody who passes by/)).not.toBeInTheDocument()
  await button('How safe is this?').click()
  await expect.element(page.getByText(/^Everybody who passes by/)).toBeVisible()
})

test('webhooks that the administrator has switched off have no row, unless some are left', async () => {
  const isOff = { ...NOTHING_SHOWN, 'GET /api/webhooks': { isOffered: false, webhooks: [] } }
  await openSettings(isOff, '/app/settings/show', 'Show focus')
  await expect.element(page.getByRole('link', { name: /^Webhooks/ })).not.toBeInTheDocument()
  await expect.element(page.getByRole('link', { name: /^Connected apps/ })).toBeVisible()
})

test('links to the change of the email open it at the ways to sign in, once', async () => {
  window.history.replaceState(OPENS_CHANGE_EMAIL, '')
  await openScreen(<SignInSettingsScreen />, { 'GET /api/account/sign-in': SIGN_IN })
  await expect.element(dialog('Change email')).toBeVisible()
  expect(window.history.state).toBeNull()
})

test('somebody without a username can take and delete their data', async () => {
  await openSettings(
    { 'GET /api/home': { ...HOME, profile: { ...HOME.profile, username: null } } },
    '/app/settings/data',
    'Your data',
  )
  await expect.element(button('Download my data')).toBeVisible()
  await expect.element(button('Delete account')).toBeVisible()
})

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
  const { answers } = await openSettings(
    { 'GET /api/home': { ...HOME, profile }, [SET_EMAILS]: 'unavailable' },
    '/app/settings/tell',
    'Notifications',
  )
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
  const { answers } = await openSettings({ [MY_DATA]: 'unavailable' }, '/app/settings/data', 'Your data')
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
  const { answers } = await openSettings({ [DELETE]: 'wrong_password' }, '/app/settings/data', 'Your data')
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
  await openSettings(
    { 'PUT /auth/v1/user': () => Promise.reject(new TypeError('Failed to fetch')) },
    '/app/settings/sign-in',
    'Sign-in',
  )
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
    const push = { publicKey: 'x', isOn: false, remindsStillOn: true }
    await openSettings({ 'GET /api/push': push }, '/app/settings/tell', 'Notifications')
    await expect.element(page.getByText('Your browser blocks notifications of deeb.')).toBeVisible()
    const onThisDevice = page.getByRole('switch', { name: 'Notifications on this device' })
    await expect.element(onThisDevice).toHaveAttribute('aria-disabled', 'true')
  } finally {
    Object.defineProperty(Notification, 'permission', permission)
  }
})
