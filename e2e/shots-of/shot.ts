import type { Page } from '@playwright/test'

/** Takes a screenshot of the window as e2e/shots/NAME.png. A percentage in the name is the size of the text. */
export async function shot(page: Page, name: string): Promise<void> {
  const [textSize = ''] = /\d+%/.exec(name) ?? []
  await page.evaluate((size) => {
    document.documentElement.style.fontSize = size
  }, textSize)
  await page.evaluate(() => document.fonts.ready)
  await page.screenshot({ path: new URL(`../shots/${name}.png`, import.meta.url).pathname })
}
