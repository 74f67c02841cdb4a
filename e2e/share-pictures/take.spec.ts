import { writeFile } from 'node:fs/promises'
import { test } from '@playwright/test'
import { FINGERPRINT, fingerprint, PICTURES, serveShareCards } from '../../web/share-cards.ts'
import { takeIcon } from './icon.ts'

test('pictures of shared links, and the icons', async ({ page }) => {
  const { cards, icon, close } = await serveShareCards()

  await page.goto(cards)
  await page.evaluate(() => document.fonts.ready)
  for (const card of await page.locator('.share-card').all()) {
    await card.screenshot({ path: `${PICTURES}share/${await card.getAttribute('id')}.png` })
  }

  await page.goto(icon)
  await takeIcon(page, { size: 192, path: `${PICTURES}icon-192.png` })
  await takeIcon(page, { size: 512, path: `${PICTURES}icon-512.png` })
  // iOS cuts the corners itself: the icon fills its square.
  await takeIcon(page, { size: 180, ground: 'square', path: `${PICTURES}touch-icon.png` })
  // Android cuts whatever shape it likes out of the square, but never into the middle 80 percent.
  await takeIcon(page, { size: 512, ground: 'square', drawing: 0.8, path: `${PICTURES}icon-maskable-512.png` })

  await close()
  await writeFile(FINGERPRINT, `${await fingerprint()}\n`)
})
