import { APP_PATHS, SITE_PATHS } from '@deeb/core/paths'
import * as settingsTexts from '@deeb/texts/settings'
import { expect, type Page } from '@playwright/test'
import { browserLaunch } from '../browser.ts'
import { becomeMara, forEachDialog, openScreen, SCREENS, SIGNED_OUT } from '../every-screen.ts'
import { type OwnBuild, ownBuild } from '../own-build.ts'
import { TestServer } from '../server.ts'
import { deebSwitch, expectClean, test } from '../test.ts'

/*
 * Texts that are 40 % longer and have accents (en-XA), and texts from right to left (ar-XB), in the place of English. A word without
 * accents is in no catalogue.
 */
type PseudoLocale = 'en-XA' | 'ar-XB'

/** Matches what is the same in every language: names, addresses, file formats, the keys of a keyboard, times. */
const NOT_TRANSLATED =
  /\b([A-Z0-9]{4}( [A-Z0-9]{4})+|(focus|goal)\.\w+|deeb|mara|lind|ada|novak|ben|hoff|backend|fjordlab|example|google|microsoft|slack|github|mattermost|zulip|json|csv|ics|https?|localhost|english|deutsch|fran|ais|espa|italiano|chrome|linux|pat)\b|\S+@\S+|https?:\S+|\/\S+|npx \S+|\d+h \d+m/gi

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
  server = await TestServer.fresh(undefined, { isAlone: true, dist: build.dist })
}

async function stop(): Promise<void> {
  await server?.dispose()
  await build?.dispose()
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

async function expectReadable(page: Page, language: PseudoLocale, where: string): Promise<void> {
  await expectNothingCut(page, where)
  if (language === 'en-XA') await expectTranslated(page, where)
  await expectClean(page)
}

for (const language of ['en-XA', 'ar-XB'] as const) {
  test.describe(language, { tag: '@heavy' }, () => {
    test.describe.configure({ mode: 'default' })
    test.beforeAll(() => start(language))
    test.afterAll(stop)

    test('no text of a signed-out screen or public page is cut, left in English or wrong for axe', async ({ page }) => {
      for (const path of [...SIGNED_OUT, ...Object.values(SITE_PATHS), '/nowhere']) {
        await openScreen(page, server, path)
        await expectReadable(page, language, path)
      }
    })

    test('no text of a screen or dialog is cut, left in English or wrong for axe', async ({ page, browser }) => {
      test.setTimeout(600_000)
      const signOut = settingsTexts.signOut({}, { locale: language })
      await becomeMara(page, browser, server, 'en')
      await openScreen(page, server, APP_PATHS.home)
      await deebSwitch(page).click()
      await expect(page.getByRole('timer')).toBeVisible()
      for (const path of SCREENS) {
        const open = () => openScreen(page, server, path)
        const visit = (text: string) => expectReadable(page, language, `${path}, ${text}`)
        await open()
        await expectReadable(page, language, path)
        await forEachDialog(page, open, (text) => text.includes(signOut), visit)
      }
    })
  })
}
