import { expect, test } from '@playwright/test'
import { startDevLoop } from '../dev-loop.ts'
import { confirmAddress, deebSwitch, MARA, switchDeeb } from '../test.ts'

test('npm run dev works in a fresh clone: sign up, confirm, reload, hot replacement', { tag: '@heavy' }, async ({
  page,
}) => {
  test.setTimeout(300_000)
  const dev = await startDevLoop()
  try {
    await test.step('sign up, confirm and use a first account', async () => {
      await confirmAddress(page, dev, MARA)
      await page.getByLabel('Username').fill(MARA.username)
      await page.keyboard.press('Enter')
      await page.getByRole('button', { name: 'Skip (1h daily)' }).click()
      await switchDeeb(page, 'on')
    })

    await test.step('a screen can be reloaded', async () => {
      await page.reload()
      await expect(page).toHaveURL(`${dev.url}/app/home`)
      await expect(deebSwitch(page)).toBeChecked()
    })

    await test.step('an edit of a component is shown without a reload', async () => {
      await page.evaluate(() => Object.assign(window, { stillThisPage: true }))
      await dev.edit('web/src/home/DayView.tsx', 'no">{username}</bdi>', 'no">{username}!</bdi>')
      await expect(page.getByRole('heading', { name: 'Hi mara!' })).toBeVisible()
      expect(await page.evaluate(() => 'stillThisPage' in window)).toBe(true)
    })

    await test.step('an edit of a text is shown', async () => {
      await dev.edit('texts/messages/en/home.json', 'Hi {{name}}', 'Ahoy {{name}}')
      await expect(page.getByRole('heading', { name: 'Ahoy mara!' })).toBeVisible()
    })

    await test.step('public pages, their forms and the not-found page are served', async () => {
      await page.goto(`${dev.url}/waitlist`)
      await page.getByLabel('Email').fill('bo@fjordlab.example')
      await page.getByRole('button', { name: 'join the waitlist' }).click()
      await expect(page.getByText("you're on the list!")).toBeVisible()
      const missing = await page.goto(`${dev.url}/app/nowhere`)
      expect(missing?.status()).toBe(404)
      await expect(page.getByText('Oops! Page not found')).toBeVisible()
    })

    await test.step("legal pages are the administrator's, or those of deeb", async () => {
      await page.goto(dev.url)
      await page.getByRole('link', { name: 'imprint' }).click()
      await expect(page).toHaveURL(`${dev.url}/imprint`)
      await expect(page.getByRole('heading', { name: 'Who' })).toBeVisible()
      await page.goto(`${dev.url}/coming-soon?for=privacy`)
      await expect(page).toHaveURL(/\/privacy$/)
      await expect(page.getByRole('heading', { name: 'What is kept, and for how long' })).toBeVisible()
    })

    await test.step('an edit of a public page is shown', async () => {
      await page.goto(dev.url)
      await dev.edit('web/src/marketing/HomePage.tsx', 'title={texts.homeTitle()}', "title={'Edited'}")
      await expect(page).toHaveTitle('Edited')
      await dev.edit('texts/messages/en/site.json', '"homeLead": "', '"homeLead": "Ahoy, ')
      await expect(page.getByText('Ahoy, bright')).toBeVisible()
    })
  } finally {
    await dev.stop()
  }
})
