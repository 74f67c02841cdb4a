import { expect, type Page } from '@playwright/test'
import type { TestServer } from '../server.ts'
import { becomeUser, deebSwitch, fillSignUp, MARA, newestLink, type Person, signIn, test } from '../test.ts'

const NOA: Person = { email: 'noa.berg@fjordlab.example', password: 'slow-heron-77', username: 'noa' }
const NEXT = 'mara@acme.example'

/** Requests a change of email in Settings. Resolves with the link of the email. */
async function askForChange(page: Page, server: TestServer, { password }: Person, email: string): Promise<string> {
  await page.goto(`${server.url}/app/settings/sign-in`)
  await page.getByRole('button', { name: 'Change email' }).click()
  const dialog = page.getByRole('dialog', { name: 'Change email' })
  await dialog.getByLabel('New email').fill(email)
  await dialog.getByLabel('Current password').fill(password)
  await dialog.getByRole('button', { name: 'Change email' }).click()
  await expect(page.getByText('Check the new mailbox')).toBeVisible()
  return newestLink(server, { ...MARA, email })
}

async function signUpLink(page: Page, server: TestServer, person: Person): Promise<string> {
  await page.goto(`${server.url}/app/signup`)
  await fillSignUp(page, person)
  await expect(page.getByText('Account Created!')).toBeVisible()
  return newestLink(server, person)
}

const confirm = (page: Page) => page.getByRole('button', { name: 'Confirm' })

test('threat 78: an email-change link in another browser shows both addresses and needs the password', {
  tag: '@heavy',
}, async ({ page, newDevice, server }) => {
  await becomeUser(page, server, MARA)
  const link = await askForChange(page, server, MARA, NEXT)
  const device = await newDevice()
  await device.goto(link)
  await expect(device.getByText(`${MARA.email} → ${NEXT}`)).toBeVisible()
  await expect(device).toHaveURL(`${server.url}/app/confirm`)
  await confirm(device).click()
  // The field is required, so nothing is sent.
  await expect(device.getByLabel('Password')).toBeFocused()
  await device.getByLabel('Password').fill('not this one')
  await confirm(device).click()
  await expect(device.getByText('This is not the password of this account.')).toBeVisible()
  await page.reload()
  await expect(page.getByText(MARA.email)).toBeVisible()

  await device.getByLabel('Password').fill(MARA.password)
  await confirm(device).click()
  await expect(device.getByText('Email changed')).toBeVisible()
  await expect(device.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
  await expect(page.getByText('Your session has ended. Please sign in again.')).toBeVisible()
})

test('threat 78: an email-change link needs the password when its auth session was revoked', { tag: '@heavy' }, async ({
  page,
  newDevice,
  server,
}) => {
  await becomeUser(page, server, MARA)
  const link = await askForChange(page, server, MARA, NEXT)
  // This page gets no notice that its auth session was revoked.
  await page.route(/\/api\/live|\/auth\/v1\/user/, (route) => route.abort())
  await page.goto(link)
  await expect(confirm(page)).toBeVisible()
  await expect(page.getByLabel('Password')).toHaveCount(0)
  const device = await newDevice()
  await device.goto(`${server.url}/app`)
  await signIn(device, MARA)
  await expect(device.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
  const authorization = await device.evaluate(
    () => `Bearer ${JSON.parse(localStorage.getItem('deeb.auth.token') ?? '{}').access_token}`,
  )
  const ended = await device.request.post(`${server.url}/auth/v1/logout?scope=others`, { headers: { authorization } })
  expect(ended.status()).toBe(204)
  await confirm(page).click()
  await page.getByLabel('Password').fill(MARA.password)
  await confirm(page).click()
  await expect(page.getByText('Email changed')).toBeVisible()
})

test('threat 79: a link of another account names the signed-in user and needs a sign-out first (login CSRF)', {
  tag: '@heavy',
}, async ({ page, newDevice, server }) => {
  const device = await newDevice()
  await becomeUser(page, server, MARA)
  const change = await askForChange(page, server, MARA, NEXT)
  await page.goto(`${server.url}/app/forgot-password`)
  await page.getByLabel('Email').fill(MARA.email)
  await page.getByRole('button', { name: 'Send reset link' }).click()
  await expect.poll(() => newestLink(server, MARA)).toContain('/app/reset-password')
  const recovery = await newestLink(server, MARA)
  const joe: Person = { email: 'joe@fjordlab.example', password: 'calm-badger-18', username: 'joe' }
  const signUp = await signUpLink(await newDevice(), server, joe)

  await becomeUser(device, server, NOA)
  const verified: string[] = []
  device.on('request', (request) => request.url().endsWith('/auth/v1/verify') && verified.push(request.url()))
  for (const [link, { email }] of [
    [change, MARA],
    [recovery, MARA],
    [signUp, joe],
  ] as const) {
    await device.goto(link)
    await expect(device.getByText(`You are signed in here as ${NOA.email}. This link is for ${email}.`)).toBeVisible()
    await expect(device.getByRole('textbox')).toHaveCount(0)
    await expect(confirm(device)).toHaveCount(0)
  }
  await device.getByRole('link', { name: 'Back to Home' }).click()
  await expect(device.getByRole('heading', { name: 'Hi noa' })).toBeVisible()
  expect(verified).toEqual([])

  await device.goto(signUp)
  await device.getByRole('button', { name: 'Sign out and continue' }).click()
  await device.getByLabel('Password').fill(joe.password)
  await confirm(device).click()
  await expect(device.getByRole('dialog', { name: 'Welcome to deeb!' })).toBeVisible()
})

test('threat 79: a sign-in in another tab removes the form of a link', { tag: '@heavy' }, async ({
  page,
  context,
  newDevice,
  server,
}) => {
  await becomeUser(await newDevice(), server, NOA)
  await page.goto(await signUpLink(page, server, MARA))
  await expect(confirm(page)).toBeVisible()
  const tab = await context.newPage()
  await tab.goto(`${server.url}/app`)
  await signIn(tab, NOA)
  await expect(page.getByText(`You are signed in here as ${NOA.email}. This link is for ${MARA.email}.`)).toBeVisible()
  await expect(confirm(page)).toHaveCount(0)
})

test('signing out for a link asks about pending changes', { tag: '@heavy' }, async ({ page, newDevice, server }) => {
  const link = await signUpLink(await newDevice(), server, MARA)
  await becomeUser(page, server, NOA)
  await page.route('**/api/focus/**', (route) => route.abort())
  await deebSwitch(page).click()
  await expect(page.getByText('1 change waiting to sync')).toBeVisible()
  await page.goto(link)
  await page.getByRole('button', { name: 'Sign out and continue' }).click()
  const dialog = page.getByRole('dialog', { name: '1 change has not been sent.' })
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await expect(page.getByText('You are signed in here as')).toBeVisible()
  await page.getByRole('button', { name: 'Sign out and continue' }).click()
  await dialog.getByRole('button', { name: 'Keep on this device' }).click()
  await expect(page.getByLabel('Password')).toBeVisible()
})
