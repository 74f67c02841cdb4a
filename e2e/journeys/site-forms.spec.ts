import { expect, type Locator, type Page } from '@playwright/test'
import { admin } from '../admin.ts'
import type { TestServer } from '../server.ts'
import { hold, test } from '../test.ts'

const ADDRESS = 'ann.meyer@fjordlab.example'
const OTHER_ADDRESS = 'bo.strand@fjordlab.example'

const FORMS = [
  {
    path: '/coming-soon',
    source: 'coming_soon_page',
    submit: 'Notify me',
    saving: 'Saving...',
    saved: "Thanks — you'll be the first to know.",
  },
  {
    path: '/waitlist',
    source: 'main_coming_soon',
    submit: 'join the waitlist',
    saving: 'saving...',
    saved: "you're on the list!",
  },
]

const field = (page: Page) => page.getByLabel('Email')
const button = (page: Page, name: string) => page.getByRole('button', { name, exact: true })

/** Whether another element covers the bottom edge of the control, where toasts appear. */
function isCovered(control: Locator): Promise<boolean> {
  return control.evaluate((element) => {
    const { left, bottom, width } = element.getBoundingClientRect()
    return document.elementFromPoint(left + width / 2, bottom - 1) !== element
  })
}

/** Checks what the form shows and keeps, with and without script. */
async function askForInfoSheet(page: Page, server: TestServer): Promise<void> {
  await page.goto(`${server.url}/companiesLP4358`)
  await page.getByRole('link', { name: 'download info sheet' }).click()
  await expect(page.getByText('you asked for the info sheet.')).toBeVisible()
  await expect(page.getByText('you asked for a demo.')).toBeHidden()
  await expect(page.getByText('not ready yet')).toBeHidden()
  await field(page).fill(ADDRESS)
  await button(page, 'Notify me').click()
  await expect(page.getByText("Thanks — you'll be the first to know.")).toBeVisible()
  await expect(page).toHaveURL(`${server.url}/coming-soon?for=info_sheet#saved`)
  await page.getByRole('link', { name: 'open it and print' }).click()
  await expect(page.getByRole('heading', { name: 'what it costs, what you sign' })).toBeVisible()
  await server.stop()
  expect((await admin(server, 'visitors', 'leads')).text.trim().split('\t')[3]).toBe('info_sheet')
}

test('the coming-soon page names what the visitor asked for and keeps it, and shows what is ready today, once', async ({
  page,
  server,
}) => {
  const ready = page.getByText('they are yours today.')
  for (const [query, isShown] of [
    ['', true],
    ['?for=contact', true],
    ['?for=info_sheet', false],
    ['?for=demo', false],
  ] as const) {
    await page.goto(`${server.url}/coming-soon${query}`)
    await expect(ready, query).toBeVisible({ visible: isShown })
    await expect(page.getByRole('main').getByRole('link')).toHaveCount(isShown ? 2 : 1)
  }
  await page.addInitScript(() => {
    window.print = () => document.documentElement.setAttribute('data-printed', '')
  })
  await askForInfoSheet(page, server)
  await expect(page.locator('html')).toHaveAttribute('data-printed', '')
  await expect(page).toHaveURL(`${server.url}/companiesLP4358?print`)
})

test.describe('without script', () => {
  test.use({ javaScriptEnabled: false })

  test('the coming-soon page names what the visitor asked for and keeps it', { tag: '@heavy' }, async ({
    page,
    server,
  }) => {
    await askForInfoSheet(page, server)
  })
})

async function leads(server: TestServer): Promise<string[]> {
  await server.stop()
  const lines = (await admin(server, 'visitors', 'leads')).text.split('\n').filter(Boolean)
  return lines.map((line) => line.split('\t').slice(0, 2).join(' '))
}

for (const { path, source, submit, saving, saved } of FORMS) {
  test(`the form of ${path} keeps what it could not save, says why, and saves once`, { tag: '@heavy' }, async ({
    page,
    server,
  }) => {
    let sent = 0
    page.on('request', (request) => {
      if (request.method() === 'POST') sent += 1
    })
    const open = () => page.goto(server.url + path)

    await test.step('shows no outcome to a visitor with a saved link', async () => {
      for (const view of ['saved', 'not-saved', 'not-now']) {
        await page.goto('about:blank')
        await page.goto(`${server.url}${path}#${view}`)
        await expect(page).toHaveURL(server.url + path)
        await expect(field(page)).toBeVisible()
        await expect(field(page)).toHaveAccessibleDescription('')
        await expect(page.getByText("that didn't work")).toHaveCount(2)
        for (const failure of await page.getByText("that didn't work").all()) await expect(failure).toBeHidden()
      }
    })

    await test.step('sends nothing if it is empty', async () => {
      await open()
      await button(page, submit).click()
      await expect(field(page)).toBeFocused()
      // Not even without the browser's validation.
      await page.locator('form').evaluate((form) => form.dispatchEvent(new SubmitEvent('submit', { cancelable: true })))
      await field(page).fill('   ')
      await button(page, submit).click()
      await expect(button(page, submit)).toBeEnabled()
      expect(sent).toBe(0)
      await expect(page).toHaveURL(server.url + path)
    })

    await test.step('stays on an invalid address and shows the message of the server', async () => {
      await field(page).fill('ann@fjordlab')
      await button(page, submit).focus()
      await page.keyboard.press('Enter')
      await expect(page.getByRole('alert')).toContainText('Email Save Failed')
      await expect(page.getByRole('alert')).toContainText('This is not a valid email address.')
      await expect(field(page)).toHaveValue('ann@fjordlab')
      await expect(button(page, submit)).toBeEnabled()
      await expect(button(page, submit)).toBeFocused()
      expect(await isCovered(button(page, submit)), 'the toast leaves the button free').toBe(false)
      await page.getByRole('button', { name: 'Dismiss' }).click()
      await expect(page.locator('form')).toContainText('This is not a valid email address.')
    })

    await test.step('submitted before the script is loaded, keeps the outcome until the next submit', async () => {
      await open()
      await field(page).fill('ann@fjordlab')
      await page.locator('form').evaluate((form) => (form as HTMLFormElement).submit())
      await expect(page).toHaveURL(`${server.url}${path}#not-saved`)
      // Without the script, the browser submits the form.
      await page.waitForLoadState()
      const failure = page.getByRole('alert').filter({ hasText: 'please check the address' })
      await expect(failure).toBeVisible()
      await expect(field(page)).toHaveAccessibleDescription(/please check the address and try again\.$/)
      const saves = await hold(page, '**/api/leads')
      await field(page).fill(OTHER_ADDRESS)
      await button(page, submit).click()
      await expect(failure).toBeHidden()
      await expect(page).toHaveURL(server.url + path)
      saves.release()
      await expect(page.getByText(saved)).toBeVisible()
      await expect(page.getByText('Email Save Failed')).toHaveCount(0)
      await page.unroute('**/api/leads')
    })

    await test.step('shows a general error when a proxy answers instead of the server', async () => {
      await page.route('**/api/leads', (route) =>
        route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>502 Bad Gateway</h1>' }),
      )
      await open()
      await expect(page.getByText(saved)).toBeHidden()
      await field(page).fill(ADDRESS)
      await button(page, submit).click()
      await expect(page.getByRole('alert')).toContainText('Email Exception')
      await expect(page.getByRole('alert')).toContainText(/Error: (Bad Gateway|no answer)/)
      await page.unroute('**/api/leads')
    })

    await test.step('stays while the server is unreachable', async () => {
      await open()
      await field(page).fill(ADDRESS)
      await server.stop()
      await button(page, submit).click()
      await expect(page.getByRole('alert')).toContainText('Email Exception')
      await expect(page.getByRole('alert')).toContainText(/Error: .* fetch/)
      await expect(field(page)).toHaveValue(ADDRESS)
      await expect(page.getByText('please try again in a moment')).toBeHidden()
      await page.getByRole('button', { name: 'Dismiss' }).click()
      await expect(page.getByText('please try again in a moment')).toBeVisible()
      await server.start()
    })

    await test.step('saves once, shows its progress, then the thanks', async () => {
      sent = 0
      const saves = await hold(page, '**/api/leads')
      await button(page, submit).click()
      await expect(button(page, saving)).toBeDisabled()
      await field(page).press('Enter')
      saves.release()
      await expect(page.getByText(saved)).toBeVisible()
      await expect(page.getByText(saved)).toBeFocused()
      await expect(page.getByRole('status')).toContainText('Email Saved!')
      await expect(page.getByRole('status')).toContainText('Thank you for your interest!')
      await expect(field(page)).toBeHidden()
      expect(sent).toBe(1)
      expect((await leads(server)).sort()).toEqual([ADDRESS, OTHER_ADDRESS].map((address) => `${address} ${source}`))
    })
  })

  test.describe(`the form of ${path} without script`, { tag: '@heavy' }, () => {
    test.use({ javaScriptEnabled: false })

    test('returns with an error message if it could not save, else with the thanks', async ({ page, server }) => {
      await page.goto(server.url + path)
      const toCorrect = page.getByText("that didn't work. please check the address and try again.")
      const later = page.getByText("that didn't work. please try again in a moment.")
      await expect(toCorrect).toBeHidden()
      await field(page).fill('ann@fjordlab')
      await button(page, submit).click()
      await expect(toCorrect).toBeVisible()
      await expect(later).toBeHidden()
      await page.goto(`${server.url}${path}#not-now`)
      await expect(later).toBeVisible()
      await expect(toCorrect).toBeHidden()
      await field(page).fill(ADDRESS)
      await button(page, submit).click()
      await expect(page.getByText(saved)).toBeVisible()
      await expect(page.getByText("that didn't work").first()).toBeHidden()
      await expect(field(page)).toBeHidden()
      await expect(page).toHaveURL(`${server.url}${path}#saved`)
      await page.reload()
      await expect(page.getByText(saved)).toBeVisible()
      expect(await leads(server)).toEqual([`${ADDRESS} ${source}`])
    })
  })
}
