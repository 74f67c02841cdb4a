import { expect } from '@playwright/test'
import { browserLaunch } from '../browser.ts'
import { test } from '../test.ts'

const { args = [], ...launch } = await browserLaunch()
test.use({ launchOptions: { ...launch, args: [...args, '--blink-settings=defaultFontSize=32'] } })

test('a phone with text at 200 % shows all text', { tag: '@heavy' }, async ({ page, server }) => {
  for (const width of [390, 320]) {
    await page.setViewportSize({ width, height: 844 })
    for (const path of ['/', '/companiesLP4358', '/teamsLP678', '/coming-soon', '/waitlist', '/nowhere']) {
      const where = `${path} at ${width}`
      await page.goto(server.url + path)
      await expect(page.locator('html'), where).toHaveCSS('font-size', '32px')
      // The ears may leave the window, and the phone is one picture. Boxes may overflow, text may not.
      const outside = await page
        .locator('body :not(svg, svg *, .skip-link, .sr-only, .sr-only *, .phone *, .step-picture *)')
        .evaluateAll((elements) => {
          const { clientWidth, scrollWidth } = document.documentElement
          const texts = elements
            .filter((element) => element.checkVisibility())
            .flatMap((element) => [...element.childNodes].filter((node) => node.nodeType === Node.TEXT_NODE))
          const cut = texts.filter((text) => {
            const range = document.createRange()
            range.selectNodeContents(text)
            const boxes = [range.getBoundingClientRect(), (text.parentElement as Element).getBoundingClientRect()]
            return boxes.some(({ left, right }) => left < -0.5 || right > clientWidth + 0.5)
          })
          return [scrollWidth - clientWidth, ...cut.map((text) => text.textContent)]
        })
      expect(outside, where).toEqual([0])
      const [logo, ...links] = await page.locator('.site-header a').all()
      const name = await logo?.boundingBox()
      for (const link of links.filter(() => name)) {
        const box = await link.boundingBox()
        const isBelow = (box?.y ?? 0) >= (name?.y ?? 0) + (name?.height ?? 0) - 0.5
        const isBeside = (box?.x ?? 0) >= (name?.x ?? 0) + (name?.width ?? 0) + 8
        if (box) expect(isBelow || isBeside, where).toBe(true)
      }
    }
  }
})
