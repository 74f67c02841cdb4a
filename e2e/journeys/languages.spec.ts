import * as circlesTexts from '@deeb/texts/circles'
import * as fieldTexts from '@deeb/texts/field'
import * as goalsTexts from '@deeb/texts/goals'
import * as homeTexts from '@deeb/texts/home'
import * as languageTexts from '@deeb/texts/language'
import * as settingsTexts from '@deeb/texts/settings'
import * as signInTexts from '@deeb/texts/signIn'
import { expect, type Page } from '@playwright/test'
import { becomeUser, comeBack, deebSwitch, MARA, newestLink, switchDeeb, test } from '../test.ts'

const GERMAN = { locale: 'de' } as const

/** Chooses a language in Settings, and waits for the page in it. */
async function choose(page: Page, name: string, language: string): Promise<void> {
  await page.goto(`${new URL(page.url()).origin}/app/settings`)
  await page.getByRole('combobox', { name: /^(Language|Sprache|Langue|Idioma)$/ }).selectOption(name)
  await expectLanguage(page, language)
}

const expectLanguage = (page: Page, language: string) => expect(page.locator('html')).toHaveAttribute('lang', language)

/** The language of each precached page of the app. */
const cachedPages = (page: Page) =>
  page.evaluate(async () => {
    const opened = await Promise.all((await caches.keys()).map((name) => caches.open(name)))
    const urls = (await Promise.all(opened.map((cache) => cache.keys()))).flat().map(({ url }) => new URL(url))
    return urls.filter(({ pathname }) => pathname === '/app').map(({ search }) => search.split('&')[0])
  })

test.describe('a browser that speaks German', () => {
  test.use({ locale: 'de-AT' })

  test('is led in German from the public page to the first switch, emails and the errors of fields included', {
    tag: '@heavy',
  }, async ({ page, server }) => {
    const message = () =>
      page
        .locator('input:invalid')
        .first()
        .evaluate((field: HTMLInputElement) => field.validationMessage)
    await page.goto(`${server.url}/app`)
    await page.getByRole('button', { name: signInTexts.signIn({}, GERMAN), exact: true }).click()
    await expect.poll(message).toBe(fieldTexts.missing({}, GERMAN))
    await page.getByLabel(signInTexts.email({}, GERMAN)).fill('mara')
    await page.getByRole('button', { name: signInTexts.signIn({}, GERMAN), exact: true }).click()
    await expect.poll(message).toBe(fieldTexts.notAnEmail({}, GERMAN))

    await page.goto(`${server.url}/de`)
    await expectLanguage(page, 'de')
    await page.goto(`${server.url}/app/signup`)
    await expectLanguage(page, 'de')
    await page.getByLabel(signInTexts.email({}, GERMAN)).fill(MARA.email)
    await page.getByLabel(signInTexts.password({}, GERMAN), { exact: true }).fill(MARA.password)
    await page.getByLabel(signInTexts.confirmPassword({}, GERMAN)).fill(MARA.password)
    await page.getByRole('button', { name: signInTexts.createAccount({}, GERMAN) }).click()
    await page.goto(await newestLink(server, MARA))
    await page.getByRole('main').getByRole('button').click()
    await page.getByRole('dialog').getByRole('textbox').fill(MARA.username)
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: goalsTexts.skip({}, GERMAN) }).click()
    await expect(page.getByRole('dialog')).toHaveCount(0)
    await switchDeeb(page, 'on')
    await expect(page.getByText(homeTexts.until({ time: '…' }, GERMAN))).toBeVisible()
    await expect(page.getByText('until')).toHaveCount(0)

    await page.goto(`${server.url}/app/circles`)
    await page.getByRole('button', { name: circlesTexts.create({}, GERMAN) }).click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: circlesTexts.createAction({}, GERMAN) })
      .click()
    await expect(page.getByText(circlesTexts.nameRule({ max: 40 }, GERMAN))).toBeVisible()
  })
})

test('a language that is chosen in Settings is kept, and other devices follow; without the server it stays', {
  tag: '@heavy',
}, async ({ page, server, context, newDevice }) => {
  await becomeUser(page, server, MARA)
  await page.goto(`${server.url}/app/settings`)
  await expect(page.getByRole('combobox', { name: 'Language' })).toBeVisible()
  await context.setOffline(true)
  await page.getByRole('combobox', { name: 'Language' }).selectOption('Deutsch')
  await expect(page.getByText(languageTexts.notSaved()).first()).toBeVisible()
  await expect(page.getByRole('combobox', { name: 'Language' })).toHaveValue('en')
  await expectLanguage(page, 'en')
  await context.setOffline(false)
  await choose(page, 'Deutsch', 'de')
  await expect(page.getByRole('heading', { name: settingsTexts.title({}, GERMAN) })).toBeVisible()
  // On a phone, Settings do not scroll in German either.
  await page.setViewportSize({ width: 390, height: 844 })
  await expect(page.getByRole('link', { name: settingsTexts.showFocus({}, GERMAN) })).toContainText(
    settingsTexts.off({}, GERMAN),
  )
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThanOrEqual(844)
  await page.reload()
  await expectLanguage(page, 'de')

  const other = await newDevice()
  await other.goto(`${server.url}/app`)
  await expectLanguage(other, 'en')
  await other.getByLabel('Email').fill(MARA.email)
  await other.getByLabel('Password').fill(MARA.password)
  await other.getByRole('button', { name: 'Sign In' }).click()
  await expectLanguage(other, 'de')
  await expect(deebSwitch(other)).toBeEnabled()

  await choose(page, 'Français', 'fr')
  await comeBack(other)
  await expectLanguage(other, 'fr')
})

test('a switch that is on stays on, and one that was not sent is sent', { tag: '@heavy' }, async ({ page, server }) => {
  await becomeUser(page, server, MARA)
  await page.route('**/api/focus/start', (route) => route.abort())
  await deebSwitch(page).click()
  await expect(deebSwitch(page)).toBeChecked()
  await choose(page, 'Español', 'es')
  await page.unroute('**/api/focus/start')
  await page.goto(`${server.url}/app/home`)
  await expect(deebSwitch(page)).toBeChecked()
  await expect(page.getByRole('timer')).toBeVisible()
})

test('another tab with an open dialog keeps its language until its user leaves the screen', { tag: '@heavy' }, async ({
  page,
  server,
  context,
}) => {
  const call = await becomeUser(page, server, MARA)
  await page.goto(`${server.url}/app/sessions`)
  await page.getByRole('button', { name: 'Add a session' }).click()
  await expect(page.getByRole('dialog')).toBeVisible()
  await call('PUT', '/api/profile/language', { language: 'de' })
  const read = page.waitForResponse('**/api/home?*')
  await comeBack(page)
  await read
  const second = await context.newPage()
  await second.goto(`${server.url}/app/home`)
  await expectLanguage(second, 'de')
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectLanguage(page, 'en')
})

test('a visitor chooses a language on Sign In, or by a link, which loses nothing else; offline nothing changes', {
  tag: '@heavy',
}, async ({ page, server, context }) => {
  const isWhole = page.waitForResponse(/auth-client/)
  await page.goto(`${server.url}/app`)
  await isWhole
  const language = page.getByRole('combobox', { name: 'Language' })
  await expect(language).toBeVisible()
  await context.setOffline(true)
  await language.selectOption('Deutsch')
  await expect(page.getByText(languageTexts.notSaved()).first()).toBeVisible()
  await expect(language).toHaveValue('en')
  await context.setOffline(false)
  await page.reload()
  await expectLanguage(page, 'en')

  await language.selectOption('Deutsch')
  await expectLanguage(page, 'de')
  await expect(page.getByRole('heading', { name: signInTexts.signInTitle({}, GERMAN) })).toBeVisible()

  await page.goto(`${server.url}/app/signup?language=fr&company=fjordlab.example#anything`)
  await expectLanguage(page, 'fr')
  await expect(page).toHaveURL(`${server.url}/app/signup?company=fjordlab.example#anything`)
  await page.goto(`${server.url}/app`)
  await expectLanguage(page, 'fr')
})

test.describe('with a service worker', () => {
  test.use({ serviceWorkers: 'allow' })

  test('the app of the chosen language is precached in place of the former', { tag: '@heavy' }, async ({
    page,
    server,
    context,
  }) => {
    await becomeUser(page, server, MARA)
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    await choose(page, 'Deutsch', 'de')
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined))
    await expect.poll(() => cachedPages(page)).toEqual(['?language=de'])
    await server.stop()
    await context.setOffline(true)
    await page.goto(`${server.url}/app/home`)
    await expectLanguage(page, 'de')
    await expect(deebSwitch(page)).toBeEnabled()
    // A link in another language needs the server, and leaves the app as it is.
    await page.goto(`${server.url}/app/home?language=fr`)
    await expect(page).toHaveURL(`${server.url}/app/home`)
    await page.reload()
    await expectLanguage(page, 'de')
    await expect(deebSwitch(page)).toBeEnabled()
  })
})
