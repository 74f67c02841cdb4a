import type { Page } from '@playwright/test'

/** Takes a screenshot of the window, or of the whole page, as e2e/shots/NAME.png. */
export async function shot(page: Page, name: string, { fullPage = false } = {}): Promise<void> {
  await page.evaluate(() => document.fonts.ready)
  await page.screenshot({ path: new URL(`../shots/${name}.png`, import.meta.url).pathname, fullPage })
}
