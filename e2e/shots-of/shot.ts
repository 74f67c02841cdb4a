import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'

const SHOTS = fileURLToPath(new URL('../shots/', import.meta.url))

/** Takes a screenshot of the window, or of the whole page, as e2e/shots/NAME.png. */
export async function shot(page: Page, name: string, { fullPage = false } = {}): Promise<void> {
  await page.evaluate(() => document.fonts.ready)
  await page.screenshot({ path: `${SHOTS}${name}.png`, fullPage })
}
