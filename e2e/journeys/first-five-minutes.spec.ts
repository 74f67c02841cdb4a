import { expect, type Locator, type Page } from '@playwright/test'
import type { TestServer } from '../server.ts'
import { deebSwitch, MARA, newestLink, type Person, switchDeeb, test } from '../test.ts'

const NOA: Person = { email: 'noa.berg@fjordlab.example', password: 'slow-heron-77', username: 'noa' }

/** Counts what a person has to do. */
function countSteps() {
  const count = { clicks: 0, fields: 0, emails: 0 }
  return {
    count,
    click: async (target: Locator) => {
      count.clicks++
      await target.click()
    },
    fill: async (field: Locator, text: string) => {
      count.fields++
      await field.fill(text)
    },
    openEmail: async (page: Page, server: TestServer, person: Person) => {
      count.emails++
      await page.goto(await newestLink(server, person))
    },
  }
}

/** From the sign-up page to Home, with the shortest answers. */
async function signUpAndOnboard(page: Page, server: TestServer, person: Person) {
  const { count, click, fill, openEmail } = countSteps()
  await fill(page.getByLabel('Email'), person.email)
  await fill(page.getByLabel('Password', { exact: true }), person.password)
  await fill(page.getByLabel('Confirm password'), person.password)
  await click(page.getByRole('button', { name: 'Create Account' }))
  await expect(page.getByText('Account Created!')).toBeVisible()
  await openEmail(page, server, person)
  await confirmAndOnboard(page, click)
  await expect(page.getByText('Press to start')).toBeVisible()
  return count
}

/** From the link of the email, in the browser that signed up, to the end of the onboarding. */
async function confirmAndOnboard(page: Page, click: (target: Locator) => Promise<void>) {
  await click(page.getByRole('button', { name: 'Confirm' }))
  await click(page.getByRole('button', { name: 'Continue' }))
  await click(page.getByRole('button', { name: 'Skip (1h daily)' }))
}

/** From the page of an invitation to where it leads, by the local part of the address. */
async function joinByInvitation(page: Page, server: TestServer, person: Person) {
  const { count, click, fill, openEmail } = countSteps()
  await fill(page.getByLabel('Your work email'), person.email.split('@')[0] ?? '')
  await fill(page.getByLabel('Password', { exact: true }), person.password)
  await click(page.getByRole('button', { name: 'Join' }))
  await expect(page.getByText('Account Created!')).toBeVisible()
  const tab = await page.context().newPage()
  await openEmail(tab, server, person)
  await confirmAndOnboard(tab, click)
  return { tab, taps: count.clicks + count.emails, fields: count.fields }
}

test('from the landing page to deeb mode: 6 clicks, 3 fields, 1 email', async ({ page, server }) => {
  await page.setViewportSize({ width: 390, height: 844 })
  await page.goto(server.url)
  await page.getByRole('link', { name: 'get started' }).first().click()
  const count = await signUpAndOnboard(page, server, MARA)
  // Nothing covers the switch.
  await deebSwitch(page).click()
  await expect(page.getByText(/^In deeb mode 0:00:\d\d$/)).toBeVisible()
  expect({ ...count, clicks: count.clicks + 2 }).toEqual({ clicks: 6, fields: 3, emails: 1 })
})

test('a second employee: from the invite link to the company in 5 taps and 2 fields, and to the presence of the first one', async ({
  page,
  newDevice,
  server,
}) => {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.goto(`${server.url}/app/signup`)
  await signUpAndOnboard(page, server, MARA)
  await page.getByRole('button', { name: 'Team' }).click()
  await page.getByRole('button', { name: 'Invite colleagues' }).click()
  await page.getByRole('button', { name: 'Copy invite link' }).click()
  await expect(page.getByText('Link copied')).toBeVisible()
  const link = await page.evaluate(() => navigator.clipboard.readText())
  await page.getByRole('button', { name: 'Close' }).click()

  const phone = await newDevice()
  await phone.setViewportSize({ width: 390, height: 844 })
  await phone.goto(link)
  await expect(phone.getByRole('heading', { name: 'Mara invites you to deeb' })).toBeVisible()
  const { tab, taps, fields } = await joinByInvitation(phone, server, NOA)
  expect([taps, fields]).toEqual([5, 2])
  // Joining has asked her already.
  await expect(tab.getByText('Requested')).toBeVisible()
  await page.getByRole('button', { name: 'Connection Requests, 1' }).click()
  await page.getByRole('button', { name: 'Accept' }).click()
  await page.getByRole('button', { name: 'Close' }).click()
  await switchDeeb(page, 'on')
  await expect(tab.getByRole('list', { name: 'Team members' }).getByText('In deeb mode')).toBeVisible()
})
