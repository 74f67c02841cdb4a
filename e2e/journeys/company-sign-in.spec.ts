import { expect, type Page } from '@playwright/test'
import { freePort } from '../../server/src/testing/free-port.ts'
import { CLIENT, type IdentityProvider, startIdentityProvider } from '../../server/src/testing/identity-provider.ts'
import { test as base, becomeUser, deebSwitch, MARA } from '../test.ts'

const DOMAIN = 'fjordlab.example'
const ADA = { sub: 'ada', email: `ada.novak@${DOMAIN}`, email_verified: true, given_name: 'Ada', family_name: 'Novak' }

/** A server whose company signs in by a real identity provider, in processes of their own. */
const test = base.extend<{ provider: IdentityProvider; port: number }>({
  // biome-ignore lint/correctness/noEmptyPattern: Playwright reads the names of the fixtures.
  port: async ({}, use) => use(await freePort()),
  provider: async ({ port }, use) => {
    const provider = await startIdentityProvider({
      callbacks: [`http://localhost:${port}/auth/v1/callback/${DOMAIN}`],
      // The provider itself refuses to call this machine.
      deliver: (url, { body }) => fetch(url, { method: 'POST', body: new URLSearchParams(body) }),
    })
    provider.authenticate(ADA)
    await use(provider)
    await provider.close()
  },
  setting: async ({ port, provider }, use) => {
    const env = {
      OIDC_ISSUER: provider.issuer,
      OIDC_CLIENT_ID: CLIENT.id,
      OIDC_CLIENT_SECRET: CLIENT.secret,
      OIDC_DOMAINS: DOMAIN,
      OIDC_NAME: 'Fjordlab',
    }
    await use({ port, env })
  },
})

const byCompany = (page: Page) => page.getByRole('button', { name: 'Continue with Fjordlab' })

test('a company sign-in creates the account once, and a sign-out at the company ends it here and keeps unsent switches', {
  tag: '@heavy',
}, async ({ page, server, provider }) => {
  let sid: unknown
  provider.faults.claims = (claims) => {
    sid = claims.sid
    return claims
  }
  await page.goto(`${server.url}/app`)
  await byCompany(page).click()
  await page.getByLabel('Username').fill('ada')
  await page.getByRole('button', { name: 'Continue' }).click()
  await page.getByRole('button', { name: /^Skip/ }).click()
  await expect(page.getByRole('heading', { name: 'Hi ada' })).toBeVisible()

  await page.getByRole('button', { name: 'Settings' }).click()
  await expect(page.getByText('Ada Novak')).toBeVisible()
  await page.getByRole('button', { name: 'Sign Out' }).click()
  await byCompany(page).click()
  await expect(page.getByRole('heading', { name: 'Hi ada' })).toBeVisible()

  await page.route('**/api/focus/**', (route) => route.abort())
  await deebSwitch(page).click()
  await expect(page.getByText('1 change waiting to sync')).toBeVisible()
  await provider.signOut(ADA.sub, String(sid))
  await expect(byCompany(page)).toBeVisible({ timeout: 10_000 })
  await page.unroute('**/api/focus/**')
  const sent = page.waitForResponse('**/api/focus/**')
  await byCompany(page).click()
  expect((await sent).ok()).toBe(true)
  await expect(deebSwitch(page)).toBeChecked()
  await expect(page.getByText('1 change waiting to sync')).toHaveCount(0)
})

test('an account that existed before is opened by a code from its mailbox, and signed-in people stay while the company is down', {
  tag: '@heavy',
}, async ({ page, newDevice, server, provider }) => {
  await becomeUser(page, server, MARA)
  provider.authenticate({ sub: 'mara', email: MARA.email, email_verified: true })
  const phone = await newDevice()
  await phone.goto(`${server.url}/app?company=${DOMAIN}`)
  const digits = phone.getByLabel('Code from the email')
  await expect(phone.getByText(MARA.email)).toBeVisible()
  const emailed = async () => /^\d{6}(?=\r$)/m.exec((await server.emailsTo(MARA.email)).at(-1) ?? '')?.[0] ?? ''
  await expect.poll(emailed).not.toBe('')
  const code = await emailed()
  await digits.fill(code === '000000' ? '111111' : '000000')
  await phone.getByRole('button', { name: 'Continue' }).click()
  await expect(phone.getByText('This code is wrong. Check the email and try again.')).toBeVisible()
  await phone.reload()
  await digits.fill(code)
  await phone.getByRole('button', { name: 'Continue' }).click()
  await expect(phone.getByRole('heading', { name: 'Hi mara' })).toBeVisible()

  provider.faults.isDown = true
  await server.stop()
  await server.start()
  const tablet = await newDevice()
  await tablet.goto(`${server.url}/app`)
  await byCompany(tablet).click()
  await expect(tablet.getByRole('alert').getByText(/^The sign-in page of your company cannot be reached/)).toBeVisible()
  await phone.reload()
  await expect(phone.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
})
