import { expect, type Page } from '@playwright/test'
import { becomeUser, fillSignUp, MARA, signIn, switchDeeb, test } from '../test.ts'

const ADA = { ...MARA, email: 'ada.novak@fjordlab.example', username: 'ada' }
const JONAS = { ...MARA, email: 'jonas.weber@fjordlab.example', username: 'jonas' }

/** The failure is in a toast and in the page, where it stays after the toast. */
async function expectKept(page: Page, text: string): Promise<void> {
  await expect(page.getByRole('alert')).toContainText(text)
  await expect(page.getByText(text)).toHaveCount(2)
  await page.getByRole('alert').getByRole('button', { name: 'Dismiss' }).click()
  await expect(page.getByRole('alert')).toHaveCount(0)
  await expect(page.getByText(text)).toBeVisible()
}

test('failures of the signed-out forms stay at their button', async ({ page, server }) => {
  await page.goto(`${server.url}/app`)
  await signIn(page, MARA)
  await expectKept(page, 'Invalid login credentials')
  await page.route('**/auth/v1/**', (route) => route.abort())
  await signIn(page, MARA)
  await expectKept(page, 'An unexpected error occurred.')
  await expect(page.getByText('Invalid login credentials')).toHaveCount(0)

  await page.goto(`${server.url}/app/signup`)
  await fillSignUp(page, MARA)
  await expectKept(page, 'An unexpected error occurred.')
  await page.getByLabel('Confirm password').fill('something else')
  await page.getByRole('button', { name: 'Create Account' }).click()
  await expectKept(page, 'Passwords do not match.')

  await page.goto(`${server.url}/app/forgot-password`)
  await page.getByLabel('Email').fill(MARA.email)
  await page.getByRole('button', { name: 'Send reset link' }).click()
  await expectKept(page, 'An unexpected error occurred.')
})

test('failures of Settings and the goals stay at their button', async ({ page, server }) => {
  await becomeUser(page, server, MARA)
  await page.goto(`${server.url}/app/settings`)
  await page.route(/\/api\/(profile|account|goals)|\/auth\/v1\/user/, (route) => route.abort())
  await page.getByLabel('Username').fill('lind')
  await page.getByRole('button', { name: 'Update Username' }).click()
  await expectKept(page, 'Failed to update username')
  await page.getByRole('button', { name: 'Download my data' }).click()
  await page.getByRole('button', { name: 'All data (JSON)' }).click()
  await expectKept(page, 'Your data could not be loaded. Please try again.')
  await page.getByRole('button', { name: 'Done' }).click()

  await page.getByRole('button', { name: 'Delete account' }).click()
  const remove = page.getByRole('dialog', { name: 'Delete account' })
  await remove.getByLabel('Password').fill(MARA.password)
  await remove.getByRole('button', { name: 'Delete account' }).click()
  await expectKept(page, 'Your account could not be deleted. Please try again.')
  await remove.getByRole('button', { name: 'Cancel' }).click()

  await page.getByRole('button', { name: 'Change email' }).click()
  const change = page.getByRole('dialog', { name: 'Change email' })
  await change.getByLabel('New email').fill('mara@acme.example')
  await change.getByLabel('Current password').fill(MARA.password)
  await change.getByRole('button', { name: 'Change email' }).click()
  await expectKept(page, 'An unexpected error occurred.')

  await page.goto(`${server.url}/app/goal-settings`)
  await page.getByRole('button', { name: 'Save Goals' }).click()
  await expectKept(page, 'Failed to save goals. Please try again.')
})

test('failures of the onboarding, the sessions and the team stay at their button', async ({
  page,
  newDevice,
  server,
}) => {
  await becomeUser(page, server, ADA)
  await switchDeeb(page, 'on')
  await switchDeeb(page, 'off')
  await page.goto(`${server.url}/app/sessions`)
  await page.route('**/api/sessions/discard', (route) => route.abort())
  await page.getByRole('button', { name: '1 session under a minute' }).click()
  await page.getByRole('button', { name: /\d\d:\d\d – / }).click()
  await page.getByRole('button', { name: 'Delete' }).click()
  await expectKept(page, 'Failed to delete the session. Please try again.')

  const jonas = await newDevice()
  await becomeUser(jonas, server, JONAS)
  await jonas.goto(`${server.url}/app/team`)
  await jonas.getByRole('searchbox').fill('ada')
  await jonas.route('**/api/team/requests', (route) => route.abort())
  await jonas.getByRole('button', { name: 'Add Ada Novak' }).click()
  await expectKept(jonas, 'Failed to send connection request. Please try again.')
  await jonas.unroute('**/api/team/requests')
  await jonas.getByRole('button', { name: 'Add Ada Novak' }).click()
  await expect(jonas.getByText('Connection request sent successfully!')).toBeVisible()

  await page.goto(`${server.url}/app/team`)
  await page.getByRole('button', { name: 'Connection Requests, 1' }).click()
  await page.route('**/api/team/requests/answer', (route) => route.abort())
  await page.getByRole('button', { name: 'Accept' }).click()
  await expectKept(page, 'Failed to handle request')
  await page.unroute('**/api/team/requests/answer')
  await page.getByRole('button', { name: 'Accept' }).click()
  await page.getByRole('button', { name: 'Close' }).click()

  await page.route('**/api/team/connections/quit', (route) => route.abort())
  await page.getByRole('button', { name: 'Jonas Weber' }).click()
  const quit = page.getByRole('dialog', { name: 'Quit connection with Jonas?' })
  await quit.getByRole('button', { name: 'Quit Connection' }).click()
  await expectKept(page, 'Failed to quit connection. Please try again.')
  await expect(quit).toBeVisible()
})
