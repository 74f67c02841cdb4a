import { expect } from '@playwright/test'
import { deebSwitch, fillSignUp, MARA, newestLink, signIn, switchDeeb, test, today } from '../test.ts'

test('first day: sign up, onboard, save the first minutes and sign in again', { tag: '@heavy' }, async ({
  page,
  server,
  pass,
}) => {
  await page.clock.install()

  await test.step('sign up', async () => {
    await page.goto(`${server.url}/`)
    await page.getByRole('link', { name: 'get started' }).first().click()
    await expect(page).toHaveURL(`${server.url}/app/signup`)
    await fillSignUp(page, MARA)
    await expect(page.getByText('Account Created!')).toBeVisible()
    await expect(page.getByText('Please check your email to verify your account.')).toBeVisible()
    await expect(page).toHaveURL(`${server.url}/app`)
  })

  await test.step('sign-in is refused before the email is confirmed, and offers a new email', async () => {
    await expect.poll(() => server.linksFor(MARA.email)).toHaveLength(1)
    await page.getByRole('button', { name: 'Back to Sign In' }).click()
    await signIn(page, MARA)
    await expect(page.getByText('Sign In Failed')).toBeVisible()
    await expect(page.getByRole('alert').getByText('Email not confirmed')).toBeVisible()
    await page.getByRole('button', { name: 'Send it again' }).click()
    await expect.poll(() => server.linksFor(MARA.email)).toHaveLength(2)
  })

  await test.step('confirm with the link, in the same browser', async () => {
    await page.goto(await newestLink(server, MARA))
    await page.getByRole('button', { name: 'Confirm' }).click()
    await expect(page).toHaveURL(`${server.url}/app/home`)
  })

  await test.step('choose a username and goals', async () => {
    await expect(page.getByRole('dialog', { name: 'Welcome to deeb!' })).toBeVisible()
    await page.getByLabel('Username').fill('')
    await expect(page.getByRole('button', { name: 'Continue' })).toBeDisabled()
    await page.getByLabel('Username').fill('  mara ')
    await page.keyboard.press('Enter')
    const goals = page.getByRole('dialog', { name: 'Set Your Daily Goals' })
    await expect(goals).toBeVisible()
    await goals.getByRole('button', { name: 'Different days' }).click()
    for (const day of ['Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday', 'Sunday']) {
      await goals.getByLabel(day).fill('270')
    }
    await goals.getByRole('button', { name: 'Save Goals' }).click()
    await expect(page.getByText('Goals set successfully')).toBeVisible()
    await expect(page.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
    await expect(page.getByText("Today's Goal: 4h 30m")).toBeVisible()
    await expect(page.getByText('get deeb')).toBeVisible()
  })

  await test.step('switch on: focus mode and a running timer', async () => {
    await switchDeeb(page, 'on')
    await expect(page.locator('html')).toHaveAttribute('data-focus', 'on')
    await expect(page.getByRole('timer')).toHaveText(/^0:00:\d\d$/)
    await pass(25)
    await expect(page.getByRole('timer')).toHaveText(/^0:25:\d\d$/)
    await expect(today(page)).toHaveAccessibleName('0 hours 25 minutes of 4 hours 30 minutes today, 9 percent')
    await expect(page.getByText('on track')).toBeVisible()
  })

  await test.step('reload: still on, with the time of the server', async () => {
    await page.reload()
    await expect(deebSwitch(page)).toBeChecked()
    await expect(page.getByRole('timer')).toHaveText(/^0:25:\d\d$/)
  })

  await test.step('switch off, sign out, sign in: the minutes are still there', async () => {
    await deebSwitch(page).click()
    await expect(deebSwitch(page)).not.toBeChecked()
    await expect(page.locator('html')).not.toHaveAttribute('data-focus')
    await expect(today(page)).toHaveAccessibleName(/^0 hours 25 minutes/)
    await page.getByRole('button', { name: 'Settings' }).click()
    await expect(page.getByText(MARA.email)).toBeVisible()
    await page.getByRole('button', { name: 'Sign Out' }).click()
    await expect(page).toHaveURL(`${server.url}/app`)
    await expect(page.getByText('Signed out')).toBeVisible()
    await page.goto(`${server.url}/app/home`)
    await expect(page).toHaveURL(`${server.url}/app`)
    await signIn(page, MARA)
    await expect(page.getByRole('heading', { name: 'Hi mara' })).toBeVisible()
    await expect(page.getByText("Today's Goal: 4h 30m")).toBeVisible()
    await expect(today(page)).toHaveAccessibleName(/^0 hours 25 minutes/)
    await expect(deebSwitch(page)).not.toBeChecked()
  })
})
