import { writeFile } from 'node:fs/promises'
import { LANGUAGE_QUERY, LANGUAGES } from '@deeb/core/languages'
import { sitePathIn } from '@deeb/core/paths'
import { expect, test } from '@playwright/test'
import { FINGERPRINT, fingerprint, PICTURES, serveShareCards } from '../../web/share-cards.ts'
import { takeIcon } from './icon.ts'

test('share images and icons', async ({ page }) => {
  const { cards, icon, close } = await serveShareCards()

  for (const language of LANGUAGES) {
    await page.goto(`${cards}?${LANGUAGE_QUERY}=${language}`)
    await page.evaluate(() => document.fonts.ready)
    await expect(page.locator('.share-card')).toHaveCount(5)
    for (const card of await page.locator('.share-card').all()) {
      const path = sitePathIn(language, `/${await card.getAttribute('id')}`)
      await card.screenshot({ path: `${PICTURES}share${path}.png` })
    }
  }

  await page.goto(icon)
  await takeIcon(page, { size: 192, path: `${PICTURES}icon-192.png` })
  await takeIcon(page, { size: 512, path: `${PICTURES}icon-512.png` })
  // iOS masks the corners itself, so the icon fills its square.
  await takeIcon(page, { size: 180, ground: 'square', path: `${PICTURES}touch-icon.png` })
  // Android masks the square with any shape, but always shows the middle 80 percent.
  await takeIcon(page, { size: 512, ground: 'square', drawing: 0.8, path: `${PICTURES}icon-maskable-512.png` })

  await close()
  await writeFile(FINGERPRINT, `${await fingerprint()}\n`)
})
