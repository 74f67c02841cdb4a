import { APP_PATHS, SITE_PATHS } from '@deeb/core/paths'
import { SETTINGS_PARTS, settingsPath } from '@deeb/core/settings-parts'
import * as settingsTexts from '@deeb/texts/settings'
import { expect, type Locator, type Page } from '@playwright/test'
import { browserLaunch } from '../browser.ts'
import { type OwnBuild, ownBuild } from '../own-build.ts'
import { TestServer } from '../server.ts'
import { deebSwitch, expectClean, MARA, makeAccount, test } from '../test.ts'

/*
 * Texts that are 40 % longer and have accents (en-XA), and texts from right to left (ar-XB), in the place of English. A word without
 * accents is in no catalogue.
 */
type PseudoLocale = 'en-XA' | 'ar-XB'

const SCREENS = [
  ...['home', 'team', 'circles', 'profile', 'goalSettings', 'sessions', 'company', 'settings', 'signInSettings'].map(
    (name) => APP_PATHS[name as keyof typeof APP_PATHS],
  ),
  ...SETTINGS_PARTS.map(settingsPath),
]
const SIGNED_OUT = [
  APP_PATHS.signIn,
  APP_PATHS.signUp,
  APP_PATHS.forgotPassword,
  APP_PATHS.resetPassword,
  APP_PATHS.confirm,
]

/** What is the same in every language: names, addresses, file formats, the keys of a keyboard, times. */
const NOT_TRANSLATED =
  /\b([A-Z0-9]{4}( [A-Z0-9]{4})+|(focus|goal)\.\w+|deeb|mara|lind|fjordlab|example|google|microsoft|slack|github|mattermost|zulip|json|csv|ics|https?|localhost|english|deutsch|fran|ais|espa|chrome|linux|pat)\b|\S+@\S+|https?:\S+|\/\S+|npx \S+|\d+h \d+m/gi

const { args = [], ...launch } = await browserLaunch()
const LARGE_TEXT = { ...launch, args: [...args, '--blink-settings=defaultFontSize=32'] }

test.use({
  viewport: { width: 320, height: 568 },
  launchOptions: LARGE_TEXT,
  contextOptions: { reducedMotion: 'reduce' },
})

let build: OwnBuild
let server: TestServer

async function start(language: PseudoLocale): Promise<void> {
  build = await ownBuild()
  await build.buildWeb('0.1.0', language)
  server = await TestServer.fresh(undefined, { main: build.main })
}

async function stop(): Promise<void> {
  await server?.dispose()
  await build?.dispose()
}

async function open(page: Page, path: string): Promise<void> {
  await page.goto(server.url + path)
  await expect(page.locator('h1, [role=dialog]').first()).toBeAttached()
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0)
}

/** Signs in as a new user. The language of the account would lead the page to a real one. */
async function becomeUser(page: Page): Promise<void> {
  const { session } = await makeAccount(page.request, server, MARA)
  await page.goto(`${server.url}/robots.txt`)
  await page.evaluate((tokens) => {
    sessionStorage.setItem('deeb.language.followed', 'en')
    const expiresAt = Math.floor(Date.now() / 1000) + tokens.expires_in
    localStorage.setItem('deeb.auth.token', JSON.stringify({ ...tokens, expires_at: expiresAt }))
  }, session)
}

/** Nothing is wider than the page, and no text is cut that is not made to be cut. */
async function expectNothingCut(page: Page, where: string): Promise<void> {
  const cut = await page.evaluate(() => {
    const reachesOut = (element: Element) => {
      const { left, right, width } = element.getBoundingClientRect()
      return width > 0 && (left < -1 || right > window.innerWidth + 1)
    }
    const isShown = (element: Element) => element.checkVisibility({ visibilityProperty: true, opacityProperty: true })
    const isWide = document.documentElement.scrollWidth > window.innerWidth
    const wide = isWide ? [...document.querySelectorAll('body :not(.phone *)')].filter(reachesOut) : []
    const texts = [...document.querySelectorAll('body *')].filter((element) => {
      const hasText = [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent?.trim())
      if (
        !hasText ||
        !isShown(element) ||
        element.closest('.sr-only, .truncate, option, textarea, pre, noscript, .phone, .step-picture')
      )
        return false
      const { overflowX, textOverflow } = getComputedStyle(element)
      if (textOverflow === 'ellipsis') return false
      return reachesOut(element) || (overflowX !== 'visible' && element.scrollWidth > element.clientWidth + 1)
    })
    return [...new Set([...wide, ...texts])].map((element) => element.outerHTML.slice(0, 300))
  })
  expect.soft(cut, where).toEqual([])
}

/** Every word that is shown or spoken has accents. */
async function expectTranslated(page: Page, where: string): Promise<void> {
  const texts = await page.evaluate(() => {
    const spoken = ['aria-label', 'title', 'placeholder', 'alt', 'aria-description']
    const shown = [...document.querySelectorAll('body *')].filter(
      (element) => !element.closest('bdi, script, style, noscript, code, pre, time'),
    )
    return shown.flatMap((element) => [
      ...[...element.childNodes].filter((node) => node.nodeType === 3).map((node) => node.textContent ?? ''),
      ...spoken.map((name) => element.getAttribute(name) ?? ''),
    ])
  })
  const english = texts.filter((text) =>
    /[a-z]{3,}/i.test(
      text
        .replaceAll(NOT_TRANSLATED, '')
        .replaceAll(/\b(mon|tue|wed|thu|fri|sat|sun|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w*\b/gi, ''),
    ),
  )
  expect.soft(english, where).toEqual([])
}

async function look(page: Page, language: PseudoLocale, where: string): Promise<void> {
  await expectNothingCut(page, where)
  if (language === 'en-XA') await expectTranslated(page, where)
  await expectClean(page)
}

/** Opens every dialog of the screen that a button opens, looks at it, and closes it. */
async function lookAtDialogs(page: Page, language: PseudoLocale, path: string): Promise<void> {
  const buttons = page.locator('main button:visible:enabled, main summary:visible')
  const signOut = settingsTexts.signOut({}, { locale: language })
  for (let index = 0; index < (await buttons.count()); index++) {
    const button = buttons.nth(index)
    const name = (await button.textContent()) ?? ''
    if (name.includes(signOut) || (await button.getAttribute('type')) === 'submit') continue
    await button.click({ timeout: 5_000 }).catch(() => undefined)
    const dialog = page.locator('dialog[open], [role=dialog]').last()
    if (await isShown(dialog)) {
      await look(page, language, `${path}, ${name}`)
      await page.keyboard.press('Escape')
      // A link that is shown only once stays.
      await open(page, path)
    } else if (new URL(page.url()).pathname !== path) await open(page, path)
  }
}

async function isShown(dialog: Locator): Promise<boolean> {
  return dialog.waitFor({ timeout: 700 }).then(
    () => true,
    () => false,
  )
}

for (const language of ['en-XA', 'ar-XB'] as const) {
  test.describe(language, () => {
    test.describe.configure({ mode: 'default' })
    test.beforeAll(() => start(language))
    test.afterAll(stop)

    test('no text of a signed-out screen or public page is cut, left in English or wrong for axe', async ({ page }) => {
      test.slow()
      for (const path of [...SIGNED_OUT, ...Object.values(SITE_PATHS), '/nowhere']) {
        await open(page, path)
        await look(page, language, path)
      }
    })

    test('no text of a screen or dialog is cut, left in English or wrong for axe', async ({ page }) => {
      test.setTimeout(600_000)
      await becomeUser(page)
      await open(page, APP_PATHS.home)
      await deebSwitch(page).click()
      await expect(page.getByRole('timer')).toBeVisible()
      for (const path of SCREENS) {
        await open(page, path)
        await look(page, language, path)
        await lookAtDialogs(page, language, path)
      }
    })
  })
}
