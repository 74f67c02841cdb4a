import { readFile } from 'node:fs/promises'
import { expect, type Page } from '@playwright/test'
import { becomeUser, deebSwitch, fillSignUp, MARA, newestLink, signIn, test } from '../test.ts'

const NEW_PASSWORD = 'brisk-lantern-93'

const openSettings = async (page: Page) => {
  await page.getByRole('button', { name: 'Settings' }).click()
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
}

test('password recovery sets a new password by email and signs out the other devices', { tag: '@heavy' }, async ({
  page,
  newDevice,
  server,
}) => {
  await becomeUser(page, server, MARA)
  const device = await newDevice()
  await device.goto(`${server.url}/app`)
  await device.getByRole('link', { name: 'Forgot password?' }).click()
  await device.getByLabel('Email').fill(MARA.email)
  await device.getByRole('button', { name: 'Send reset link' }).click()
  await expect(device.getByText('Check your email')).toBeVisible()

  await expect.poll(() => newestLink(server, MARA)).toContain('/app/reset-password')
  await device.goto(await newestLink(server, MARA))
  await device.getByLabel('New password').fill(NEW_PASSWORD)
  await device.getByLabel('Confirm password').fill('something else')
  await device.getByRole('button', { name: 'Update password' }).click()
  await expect(device.getByText('Password Mismatch')).toBeVisible()
  // The server refuses this password after the link is consumed. The next try needs no link.
  await device.getByLabel('New password').fill('short')
  await device.getByLabel('Confirm password').fill('short')
  await device.getByRole('button', { name: 'Update password' }).click()
  await expect(device.getByText('Password not updated')).toBeVisible()
  await device.getByLabel('New password').fill(NEW_PASSWORD)
  await device.getByLabel('Confirm password').fill(NEW_PASSWORD)
  await device.getByRole('button', { name: 'Update password' }).click()
  await expect(device.getByText('Password updated')).toBeVisible()
  // The other device is notified on any screen.
  await expect(page.getByText('Your session has ended. Please sign in again.')).toBeVisible()
  await expect(device.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
  await expect(page).toHaveURL(`${server.url}/app`)
  await signIn(page, MARA)
  await expect(page.getByRole('alert').getByText('Invalid login credentials')).toBeVisible()
  await signIn(page, { ...MARA, password: NEW_PASSWORD })
  await expect(page.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
})

test('Settings change the password and the email with the current password', { tag: '@heavy' }, async ({
  page,
  server,
}) => {
  await becomeUser(page, server, MARA)
  await openSettings(page)
  await page.getByRole('link', { name: 'Sign-in' }).click()
  await page.getByRole('button', { name: 'Change password' }).click()
  const passwordDialog = page.getByRole('dialog', { name: 'Change password' })
  await passwordDialog.getByLabel('Current password').fill('not this one')
  await passwordDialog.getByLabel('New password').fill(NEW_PASSWORD)
  await passwordDialog.getByLabel('Confirm password').fill(NEW_PASSWORD)
  await expect(passwordDialog.getByText('At least 8 characters, and not a common password.')).toBeVisible()
  // A pressed button is named "Hide characters".
  for (let fields = 3; fields > 0; fields--) {
    await expect(passwordDialog.getByRole('button', { name: 'Show characters' })).toHaveCount(fields)
    await passwordDialog.getByRole('button', { name: 'Show characters' }).first().click()
  }
  await expect(passwordDialog.getByLabel('Current password')).toHaveAttribute('type', 'text')
  await expect(passwordDialog.getByLabel('Confirm password')).toHaveAttribute('type', 'text')
  await passwordDialog.getByRole('button', { name: 'Change password' }).click()
  await expect(passwordDialog.getByText('This is not your password.')).toBeVisible()
  await expect(passwordDialog.getByLabel('New password')).toHaveValue(NEW_PASSWORD)
  await passwordDialog.getByLabel('Current password').fill(MARA.password)
  await passwordDialog.getByRole('button', { name: 'Change password' }).click()
  await expect(page.getByText('Password updated')).toBeVisible()
  await expect(passwordDialog).toHaveCount(0)

  const newAddress = 'mara.lind@acme.example'
  await page.getByRole('button', { name: 'Change email' }).click()
  const emailDialog = page.getByRole('dialog', { name: 'Change email' })
  await emailDialog.getByLabel('New email').fill(newAddress)
  await emailDialog.getByLabel('Current password').fill(NEW_PASSWORD)
  await emailDialog.getByRole('button', { name: 'Change email' }).click()
  await expect(page.getByText('Check the new mailbox')).toBeVisible()
  const link = await newestLink(server, { ...MARA, email: newAddress })
  await page.goto(link)
  await expect(page.getByText(`${MARA.email} → ${newAddress}`)).toBeVisible()
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByText('Email changed')).toBeVisible()
  await openSettings(page)
  await expect(page.getByText(newAddress)).toBeVisible()

  await page.goto(link)
  await expect(page.getByText('This link has expired or was already used.')).toBeVisible()
  await page.getByRole('button', { name: 'Send the email again' }).click()
  await expect(emailDialog.getByLabel('New email')).toBeFocused()
  await page.reload()
  await expect(page.getByRole('button', { name: 'Change email' })).toBeVisible()
  await expect(emailDialog).toHaveCount(0)
})

test('a recovery link of another user, after a sign-out, shows no data of the first user', { tag: '@heavy' }, async ({
  page,
  context,
  server,
}) => {
  const noa = { email: 'noa.berg@fjordlab.example', password: 'slow-heron-77', username: 'noa' }
  await becomeUser(page, server, noa)
  await openSettings(page)
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL(`${server.url}/app`)
  await becomeUser(page, server, MARA)

  const other = await context.newPage()
  await other.goto(`${server.url}/app/forgot-password`)
  await other.getByLabel('Email').fill(noa.email)
  // Two submits send one email.
  await other.getByLabel('Email').evaluate((field: HTMLInputElement) => {
    field.form?.requestSubmit()
    field.form?.requestSubmit()
  })
  await expect.poll(() => newestLink(server, noa)).toContain('/app/reset-password')
  expect((await server.linksFor(noa.email)).filter((link) => link.includes('reset-password'))).toHaveLength(1)
  await other.goto(await newestLink(server, noa))
  await other.getByRole('button', { name: 'Sign out and continue' }).click()
  await expect(page.getByRole('heading', { name: 'Sign In' })).toBeVisible()
  await other.getByLabel('New password').fill(NEW_PASSWORD)
  await other.getByLabel('Confirm password').fill(NEW_PASSWORD)
  await other.getByRole('button', { name: 'Update password' }).click()
  await expect(other.getByRole('heading', { name: 'Hi noa' })).toBeVisible()
  await expect(page.getByRole('heading', { name: 'Hi noa' })).toBeVisible()
})

test('a user downloads their data and deletes the account permanently', async ({ page, server }) => {
  await becomeUser(page, server, MARA)
  await openSettings(page)
  await page.getByRole('link', { name: 'Your data' }).click()
  await page.getByRole('button', { name: 'Download my data' }).click()
  const downloading = page.waitForEvent('download')
  await page.getByRole('button', { name: 'All data (JSON)' }).click()
  const data = JSON.parse(await readFile(await (await downloading).path(), 'utf8'))
  expect(data.profiles).toMatchObject([{ email: MARA.email, username: 'mara', company_domain: 'fjordlab.example' }])
  await page.getByRole('button', { name: 'Done' }).click()

  await page.getByRole('button', { name: 'Delete account' }).click()
  const dialog = page.getByRole('dialog', { name: 'Delete account' })
  await page.keyboard.press('Escape')
  await expect(dialog).toHaveCount(0)
  await expect(page.getByRole('button', { name: 'Delete account' })).toBeFocused()
  await page.getByRole('button', { name: 'Delete account' }).click()
  await dialog.getByLabel('Password').fill('not this one')
  await dialog.getByRole('button', { name: 'Show characters' }).click()
  await expect(dialog.getByLabel('Password')).toHaveAttribute('type', 'text')
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await expect(page.getByText('This is not your password.')).toBeVisible()
  await dialog.getByLabel('Password').fill(MARA.password)
  await dialog.getByRole('button', { name: 'Delete account' }).click()
  await expect(page.getByText('Account deleted')).toBeVisible()
  await expect(page).toHaveURL(`${server.url}/app`)
  await signIn(page, MARA)
  await expect(page.getByRole('alert').getByText('Invalid login credentials')).toBeVisible()
})

test('threats 17 and 20: tokens copied to another browser are refused; threat 23: tokens in a link are ignored (session fixation)', {
  tag: '@heavy',
}, async ({ page, newDevice, server }) => {
  await becomeUser(page, server, MARA)
  const tokens = await page.evaluate(() => localStorage.getItem('deeb.auth.token') ?? '')
  const { access_token, refresh_token } = JSON.parse(tokens)
  const thief = await newDevice()
  await thief.goto(`${server.url}/robots.txt`)
  await thief.evaluate((copied) => localStorage.setItem('deeb.auth.token', copied), tokens)
  await thief.goto(`${server.url}/app/home`)
  await expect(thief).toHaveURL(`${server.url}/app`)
  await expect(thief.getByRole('heading', { name: 'Sign In' })).toBeVisible()

  await openSettings(page)
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await expect(page).toHaveURL(`${server.url}/app`)
  const fragment = new URLSearchParams({ access_token, refresh_token, expires_in: '3600', token_type: 'bearer' })
  await page.goto(`${server.url}/app/home#${fragment}`)
  await page.reload()
  await expect(page.getByRole('heading', { name: 'Sign In' })).toBeVisible()
})

test('threat 14: opening the page of a link does not consume it; it works once, and then offers a new email', {
  tag: '@heavy',
}, async ({ page, newDevice, server }) => {
  await page.goto(`${server.url}/app/signup`)
  await fillSignUp(page, MARA)
  await expect(page.getByText('Account Created!')).toBeVisible()
  const link = await newestLink(server, MARA)
  for (let i = 0; i < 12; i++) expect((await page.request.get(link)).status()).toBe(200)
  await page.goto(link)
  await expect(page.getByRole('button', { name: 'Confirm' })).toBeVisible()
  // The token is removed from the address bar; the email still has it.
  await expect(page).toHaveURL(`${server.url}/app/confirm`)
  await page.reload()
  await expect(page.getByText('Open the link in your email again.')).toBeVisible()
  await page.goto(link)
  await page.getByRole('button', { name: 'Confirm' }).click()
  await expect(page.getByRole('dialog', { name: 'Welcome to deeb!' })).toBeVisible()

  const stranger = await newDevice()
  await stranger.goto(link)
  await expect(stranger.getByText('This link has expired or was already used.')).toBeVisible()
  await stranger.getByLabel('Email').fill(MARA.email)
  await stranger.getByRole('button', { name: 'Send the email again' }).click()
  await expect(stranger.getByText('Check your email')).toBeVisible()
})

test('threat 25: an injected script does not run', async ({ browser, server }) => {
  // A separate page without `watch`: blocked scripts are reported in its console.
  const page = await browser.newPage()
  await page.goto(`${server.url}/app`)
  await expect(page.getByRole('heading', { name: 'Sign In' })).toBeVisible()
  const outcome = await page.evaluate(async () => {
    const blocked: string[] = []
    document.addEventListener('securitypolicyviolation', (event) => blocked.push(event.effectiveDirective))
    const inline = document.createElement('script')
    let markup = 'written'
    try {
      inline.textContent = 'window.wasRun = true'
      document.body.append(inline)
    } catch {
      // Trusted Types refuse the text before the CSP blocks the script.
    }
    try {
      document.body.insertAdjacentHTML('beforeend', '<img src=x onerror="window.wasRun = true">')
    } catch {
      markup = 'refused'
    }
    await new Promise((resolve) => setTimeout(resolve, 0))
    return { wasRun: 'wasRun' in window, markup, isBlocked: blocked.length > 0 }
  })
  expect(outcome).toEqual({ wasRun: false, markup: 'refused', isBlocked: true })
})

test.describe('when the server is killed', () => {
  test.use({ setting: { isAlone: true } })

  test('threat 33: an unreachable server signs nobody out', { tag: '@heavy' }, async ({ page, server }) => {
    await becomeUser(page, server, MARA)
    await page.clock.install()
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
    await server.end('SIGKILL')
    // The access token expires while the server is down.
    await page.clock.fastForward('02:00:00')
    await deebSwitch(page).click()
    await expect(page.getByText('1 change waiting to sync')).toBeVisible({ timeout: 30_000 })
    await expect(page.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
    await server.start()
    await page.reload()
    await expect(page.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
    await expect(deebSwitch(page)).toBeChecked()
    await expect(page.getByText('1 change waiting to sync')).toHaveCount(0)
  })
})
