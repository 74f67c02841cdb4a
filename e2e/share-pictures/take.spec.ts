import { writeFile } from 'node:fs/promises'
import { test } from '@playwright/test'
import { FINGERPRINT, fingerprint, PICTURES, serveShareCards } from '../../web/share-cards.ts'

test('pictures of shared links, and the touch icon', async ({ page }) => {
  const { cards, icon, close } = await serveShareCards()

  await page.goto(cards)
  await page.evaluate(() => document.fonts.ready)
  for (const card of await page.locator('.share-card').all()) {
    await card.screenshot({ path: `${PICTURES}share/${await card.getAttribute('id')}.png` })
  }

  // iOS cuts the corners itself: the icon fills its square.
  await page.setViewportSize({ width: 180, height: 180 })
  await page.goto(icon)
  await page.locator('rect').evaluate((square) => square.removeAttribute('rx'))
  await page.screenshot({ path: `${PICTURES}touch-icon.png` })

  await close()
  await writeFile(FINGERPRINT, `${await fingerprint()}\n`)
})
