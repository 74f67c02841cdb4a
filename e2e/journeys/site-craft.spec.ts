import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { LANGUAGES } from '@deeb/core/languages'
import { sitePathIn } from '@deeb/core/paths'
import { expect, type Page } from '@playwright/test'
import { TestServer } from '../server.ts'
import { expectClean, expectNoSidewaysScroll, hold, test } from '../test.ts'

const PAGES = ['/', '/companiesLP4358', '/teamsLP678', '/coming-soon', '/waitlist', '/nowhere']

test('axe finds no violation on any page, narrow or wide, or in the result of a form', { tag: '@heavy' }, async ({
  page,
  server,
}) => {
  await page.emulateMedia({ reducedMotion: 'reduce' })
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    for (const path of [...PAGES, '/privacy', '/terms', '/imprint']) {
      await page.goto(server.url + path)
      await expectClean(page)
    }
  }
  await page.goto(`${server.url}/companiesLP4358`)
  for (const question of (await page.locator('summary').all()).slice(1)) await question.click()
  await expect(page.locator('details[open]')).toHaveCount(5)
  await expectClean(page)
  await page.goto(`${server.url}/coming-soon?for=info_sheet`)
  await expectClean(page)
  await page.goto(`${server.url}/waitlist`)
  await page.getByLabel('Email').fill('ann@fjordlab')
  await page.locator('form').evaluate((form) => (form as HTMLFormElement).submit())
  await expect(page.getByText('please check the address')).toBeVisible()
  await expectClean(page)
  await page.getByLabel('Email').fill('ann.meyer@fjordlab.example')
  await page.keyboard.press('Enter')
  await expect(page.getByText("you're on the list!")).toBeVisible()
  await expectClean(page)
})

test("the administrator's texts are pages that the footer leads to, and their quotes replace the examples", {
  tag: '@heavy',
}, async ({ page, watch: _ }) => {
  const folder = await mkdtemp(join(tmpdir(), 'deeb-site-'))
  await writeFile(join(folder, 'imprint.txt'), '# Who\nFjordlab, Oslo\n- hello@fjordlab.example\n')
  // As long as the server allows.
  const text = 'One quiet morning is worth two days. '.repeat(7)
  const quote = { text, name: 'Ada Novak', role: 'Head of engineering', company: 'Fjordlab' }
  const second = { ...quote, text: 'Quiet, at last.', name: 'Noa Berg' }
  await writeFile(join(folder, 'quotes.json'), JSON.stringify([quote, second]))
  const server = await TestServer.fresh(undefined, { env: { SITE_DIR: folder } })
  try {
    for (const width of [320, 1280]) {
      await page.setViewportSize({ width, height: 844 })
      await page.goto(server.url)
      await page.getByRole('link', { name: 'imprint' }).click()
      await expect(page).toHaveURL(`${server.url}/imprint`)
      await expect(page.getByRole('heading', { level: 2, name: 'Who' })).toBeVisible()
      await expect(page.getByRole('link', { name: 'hello@fjordlab.example' })).toBeVisible()
      await expectClean(page)
      await page.goto(`${server.url}/companiesLP4358`)
      await expect(page.getByText(`“${text.trim()}”`)).toBeVisible()
      await expect(page.getByText('Noa Berg, Head of engineering, Fjordlab')).toBeVisible()
      await expect(page.getByText('example', { exact: true })).toHaveCount(0)
      await expectClean(page)
    }
    await page.getByRole('link', { name: 'privacy' }).click()
    await expect(page.getByRole('heading', { name: 'What is kept, and for how long' })).toBeVisible()
  } finally {
    await server.dispose()
    await rm(folder, { recursive: true })
  }
})

test('keyboard only: read, open a question, submit an address and go back', { tag: '@heavy' }, async ({
  page,
  server,
}) => {
  await page.setViewportSize({ width: 1280, height: 800 })
  const press = async (...keys: string[]) => {
    for (const key of keys) await page.keyboard.press(key)
  }
  const focused = page.locator(':focus')
  await page.goto(`${server.url}/companiesLP4358`)
  await press('Tab')
  await expect(focused).toHaveText('skip to content')
  await expect(focused).toBeInViewport()
  await press('Enter', 'Tab')
  await expect(focused).toHaveText('book a demo')
  const seen: string[] = []
  for (let n = 0; n < 10; n++) {
    await press('Tab')
    seen.push((await focused.textContent()) ?? '')
    await expect(focused).toHaveCSS('outline-width', '3px')
  }
  expect(seen).toEqual(
    [
      'download info sheet',
      'see the platform in action',
      'estimate your roi',
      'ask before you order',
      'is it gdpr compliant?',
      'what is tracked?',
      'how do employees log time?',
      'does it work for remote teams?',
      'how long does onboarding take?',
      'start a free pilot',
    ].map((text) => expect.stringContaining(text)),
  )
  await press('Shift+Tab', 'Enter')
  await expect(page.getByText('30 minutes to set up, together.')).toBeVisible()
  await press('Tab', 'Enter')
  await expect(page).toHaveURL(`${server.url}/coming-soon?for=pilot`)
  await page.waitForLoadState()

  await press('Tab', 'Tab', 'Tab')
  await expect(page.getByLabel('Email')).toBeFocused()
  await page.keyboard.type('ann.meyer@fjordlab.example')
  await press('Tab', 'Enter')
  await expect(page.getByText("Thanks — you'll be the first to know.")).toBeFocused()
})

test('reduced motion: nothing moves', async ({ page, server }) => {
  /** The classes of visible elements with an animation or a transition. */
  const moving = () =>
    page.evaluate(() => {
      const moves = (durations: string) => durations.split(', ').some((duration) => parseFloat(duration) > 0.001)
      return [...document.querySelectorAll('body *')]
        .filter((element) => element.checkVisibility())
        .map((element) => ({ element, style: getComputedStyle(element) }))
        .filter(
          ({ style }) =>
            moves(style.transitionDuration) || (style.animationName !== 'none' && moves(style.animationDuration)),
        )
        .map(({ element }) => element.className)
    })
  await page.goto(`${server.url}/nowhere`)
  expect(await moving()).toContain('not-found-plug')
  await page.emulateMedia({ reducedMotion: 'reduce' })
  for (const path of PAGES) {
    await page.goto(server.url + path)
    expect(await moving(), path).toEqual([])
  }
})

test('at 320 pixels and at 200 % all text is visible, and every touch target is large enough', {
  tag: '@heavy',
}, async ({ page, server }) => {
  for (const path of PAGES) {
    await page.goto(server.url + path)
    for (const [width, height] of [
      [320, 568],
      [390, 844],
      [768, 1024],
      [1024, 768],
      [1280, 800],
      [1920, 1080],
    ] as const) {
      await page.setViewportSize({ width, height })
      const where = `${path} at ${width}`
      await expectNoSidewaysScroll(page)
      // No text is outside the window, where the page would cut it off.
      const cut = await page
        .locator('main :is(h1, h2, h3, p, li, dd, dt, figcaption, label, .button)')
        .evaluateAll((elements) =>
          elements
            .filter((element) => element.checkVisibility() && !element.closest('[inert], .sr-only'))
            .filter((element) => {
              const range = document.createRange()
              range.selectNodeContents(element)
              const { left, right } = range.getBoundingClientRect()
              return right > innerWidth + 0.5 || left < -0.5
            })
            .map((element) => element.textContent),
        )
      expect(cut, where).toEqual([])
      const small = await page
        .locator('a:visible, button:visible, summary:visible, input:visible')
        .evaluateAll((targets) =>
          targets
            .filter((target) => !target.closest('[inert]') && !target.matches('.skip-link'))
            .filter((target) => target.getBoundingClientRect().height < 43.5)
            .map((target) => target.textContent),
        )
      expect(small, where).toEqual([])
    }

    const fontSize = () => page.locator('h1').evaluate((h1) => Number.parseFloat(getComputedStyle(h1).fontSize))
    await page.setViewportSize({ width: 1280, height: 800 })
    const wide = await fontSize()
    // A zoom of 200 % halves a window of 1280 pixels.
    await page.setViewportSize({ width: 640, height: 400 })
    expect(2 * (await fontSize()), path).toBeGreaterThan(1.2 * wide)
    await expectNoSidewaysScroll(page)
  }
})

test('at 320 by 568 pixels, in each language, the header has two lines and the first window has the form', {
  tag: '@heavy',
}, async ({ page, server }) => {
  await page.setViewportSize({ width: 320, height: 568 })
  for (const language of LANGUAGES) {
    await page.goto(server.url + sitePathIn(language, '/'))
    const [name, account] = [page.locator('.site-name'), page.locator('.site-account')]
    expect((await account.boundingBox())?.y, language).toBeCloseTo((await name.boundingBox())?.y ?? 0, -1)
    for (const path of ['/coming-soon', '/coming-soon?for=demo', '/waitlist']) {
      await page.goto(server.url + sitePathIn(language, path))
      await expect(page.locator('form button'), `${path} in ${language}`).toBeInViewport({ ratio: 1 })
    }
  }
})

test('printed pages show every answer and their address, no controls and no dark grounds', { tag: '@heavy' }, async ({
  page,
  server,
}) => {
  await page.emulateMedia({ media: 'print' })
  for (const path of PAGES.slice(0, 3)) {
    await page.goto(server.url + path)
    await expect(page.getByText(server.url + path, { exact: true })).toBeVisible()
    for (const link of await page.locator('a:not(.site-name), .button').all()) await expect(link).toBeHidden()
    const dark = page.locator('.on-ink, .on-black, .on-green, .phone, .scale-back')
    for (const ground of await dark.all()) await expect(ground).toHaveCSS('background-color', 'rgba(0, 0, 0, 0)')
  }
  await page.goto(`${server.url}/companiesLP4358`)
  await expect(page.locator('details > p')).toHaveCount(5)
  for (const answer of await page.locator('details > p').all()) {
    expect(await answer.evaluate((p) => p.checkVisibility({ contentVisibilityAuto: true }))).toBe(true)
    expect((await answer.boundingBox())?.height).toBeGreaterThan(10)
  }
})

/** Makes each page add up its layout shift (CLS). */
async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const watch: { sum: number; add?(): void } = { sum: 0 }
    const count = (entries: PerformanceEntryList) => {
      for (const entry of entries) watch.sum += (entry as unknown as { value: number }).value
    }
    const observer = new PerformanceObserver((list) => count(list.getEntries()))
    observer.observe({ type: 'layout-shift', buffered: true })
    watch.add = () => count(observer.takeRecords())
    Object.assign(window, { watch })
  })
}

async function shiftOf(page: Page): Promise<number> {
  return page.evaluate(async () => {
    await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)))
    const { watch } = window as unknown as { watch: { sum: number; add(): void } }
    watch.add()
    return watch.sum
  })
}

test('a late typeface causes no layout shift', { tag: '@heavy' }, async ({ page, server }) => {
  await useDoubleOfArial(page)
  await page.emulateMedia({ reducedMotion: 'reduce' })
  const tops = () => page.locator('body *').evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top))
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    for (const path of PAGES) {
      const typeface = await hold(page, '**/*.woff2')
      await page.goto(server.url + path, { waitUntil: 'commit' })
      await page.waitForFunction(() => performance.getEntriesByName('first-contentful-paint').length === 1)
      // The scripts have added their elements before this.
      await page.waitForLoadState('domcontentloaded')
      await page.evaluate(async () => {
        await [...document.fonts].find(({ family }) => family === 'Hanken Grotesk Fallback')?.load()
      })
      const before = await tops()
      typeface.release()
      await page.evaluate(async () => {
        await document.fonts.ready
      })
      const moved = (await tops()).map((top, n) => Math.abs(top - (before[n] ?? Number.NaN)))
      expect(Math.max(...moved), `${path} at ${width}`).toBeLessThan(4)
      await page.unroute('**/*.woff2')
    }
  }
})

/** Gives the pages an Arial: a typeface with the same metrics, independent of the installed fonts. */
async function useDoubleOfArial(page: Page): Promise<void> {
  const typeface = fileURLToPath(import.meta.resolve('@fontsource/arimo/files/arimo-latin-400-normal.woff2'))
  await page.route('**/arial', (route) => route.fulfill({ path: typeface, contentType: 'font/woff2' }))
  await page.route('**/*.css', async (route) => {
    const response = await route.fetch()
    const sheet = await response.text()
    await route.fulfill({ response, body: sheet.replace(/src: ?local\(Arial\)/, 'src:url(/arial)') })
  })
}

test('a page loads without layout shift, inline style and inline script, and the home page little', async ({
  page,
  server,
}) => {
  for (const path of PAGES) {
    const html = await (await page.request.get(server.url + path)).text()
    expect(html, path).toContain('<h1')
    expect(html.match(/ style=|<style|<script(?![^>]* src=)| on\w+=/g), path).toBeNull()
  }

  const fetched: Record<string, string[]> = {}
  page.on('request', (request) => {
    fetched[request.resourceType()] = [...(fetched[request.resourceType()] ?? []), request.url()]
  })
  await page.goto(server.url, { waitUntil: 'networkidle' })
  const { script = [], font = [], stylesheet = [] } = fetched
  const bodies = await Promise.all(script.map(async (url) => (await page.request.get(url)).body()))
  const bytes = bodies.reduce((sum, body) => sum + gzipSync(body).length, 0)
  expect(bytes).toBeGreaterThan(0)
  // Less than a kilobyte of script, one style sheet and one typeface.
  expect(bytes).toBeLessThanOrEqual(1024)
  expect([font.length, stylesheet.length]).toEqual([1, 1])

  await watchShifts(page)
  // The shift by the typeface depends on the fonts of this machine: see the test above.
  await page.route('**/*.woff2', (route) => route.abort())
  for (const width of [390, 1280]) {
    await page.setViewportSize({ width, height: 844 })
    for (const path of PAGES) {
      await page.goto(server.url + path)
      expect(await shiftOf(page), `${path} at ${width}`).toBe(0)
    }
  }
})
