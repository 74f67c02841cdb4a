import { expect, type Page } from '@playwright/test'
import { confirmAddress, deebSwitch, fillSignUp, MARA, signIn, test } from '../test.ts'

test('every screen, empty and full, light and in focus mode', async ({ page, server }, { project }) => {
  const shoot = (name: string) => shot(page, `${project.name}-${name}`)
  await page.clock.install()

  await page.goto(`${server.url}/nowhere`)
  await shoot('not-found')

  await page.goto(`${server.url}/app`)
  await expect(page.getByRole('heading', { name: 'Sign In' })).toBeVisible()
  await shoot('sign-in')
  await page.getByLabel('Email').fill(MARA.email)
  await signIn(page, { ...MARA, password: 'wrong' })
  await expect(page.getByText('Sign In Failed')).toBeVisible()
  await shoot('sign-in-failed')

  await page.goto(`${server.url}/app/signup`)
  await expect(page.getByRole('heading', { name: 'Create Account' })).toBeVisible()
  await shoot('sign-up')
  await fillSignUp(page, { ...MARA, email: 'other@fjordlab.example' })
  await expect(page.getByText('Account Created!')).toBeVisible()
  await shoot('account-created')

  await page.goto(`${server.url}/app/confirm#type=signup`)
  await expect(page.getByText('This link has expired')).toBeVisible()
  await shoot('confirm-expired')
  await confirmAddress(page, server, MARA)
  await shoot('onboarding-username')
  await page.getByLabel('Username').fill(MARA.username)
  await page.getByRole('button', { name: 'Continue' }).click()
  const goals = page.getByRole('dialog', { name: 'Set Your Daily Goals' })
  await expect(goals).toBeVisible()
  await shoot('onboarding-goals')
  for (const field of await goals.getByRole('spinbutton').all()) await field.fill('360')
  await goals.getByRole('button', { name: 'Save Goals' }).click()
  await expect(page.getByText('Goals set successfully')).toBeVisible()
  await shoot('home-empty-toast')

  const pass = async (minutes: number) => {
    await Promise.all([page.clock.fastForward(minutes * 60_000), server.travel(minutes)])
  }
  await deebSwitch(page).click()
  await expect(page.getByRole('timer')).toBeVisible()
  await pass(223)
  await expect(page.getByRole('img', { name: /3 hours 43 minutes/ })).toBeVisible()
  await page
    .getByRole('button', { name: 'Dismiss' })
    .click({ timeout: 500 })
    .catch(() => undefined)
  await shoot('home-focus')
  await page.getByRole('button', { name: 'Settings' }).click()
  await expect(page.getByRole('heading', { name: 'Settings' })).toBeVisible()
  await shoot('settings-focus')
  await page.getByRole('button', { name: 'deeb home' }).click()
  await deebSwitch(page).click()
  await expect(page.locator('html')).not.toHaveAttribute('data-focus')
  await shoot('home-light')
  await page.getByRole('button', { name: 'Settings' }).click()
  await shoot('settings')

  await page.getByRole('button', { name: 'deeb home' }).click()
  await deebSwitch(page).click()
  await expect(page.getByRole('timer')).toBeVisible()
  await pass(216)
  await expect(page.getByText('over performer')).toBeVisible()
  await shoot('home-over-focus')
  await deebSwitch(page).click()
  await expect(page.locator('html')).not.toHaveAttribute('data-focus')
  await shoot('home-over')

  await page.route('**/api/**', (route) => route.abort())
  await deebSwitch(page).click()
  await expect(page.getByText('Failed to toggle deeb mode')).toBeVisible({ timeout: 20_000 })
  await shoot('toggle-failed')
})

async function shot(page: Page, name: string): Promise<void> {
  await page.evaluate(() => document.fonts.ready)
  await page.screenshot({ path: new URL(`../shots/${name}.png`, import.meta.url).pathname })
}
