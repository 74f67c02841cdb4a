import type { Page } from '@playwright/test'

/**
 * Takes a screenshot of the window as e2e/shots/NAME.png, or of the whole page. A percentage in the name is the size of the text: the
 * font size of the browser, which media queries in rem follow.
 */
export async function shot(page: Page, name: string, { fullPage = false } = {}): Promise<void> {
  const [, percent = 100] = /(\d+)%/.exec(name) ?? []
  const browser = await page.context().newCDPSession(page)
  await browser.send('Page.setFontSizes', { fontSizes: { standard: (16 * Number(percent)) / 100 } })
  await page.evaluate(() => document.fonts.ready)
  await page.screenshot({ path: new URL(`../shots/${name}.png`, import.meta.url).pathname, fullPage })
  await browser.detach()
}
