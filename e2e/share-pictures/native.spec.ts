import { fileURLToPath } from 'node:url'
import { test } from '@playwright/test'
import { serveShareCards } from '../../web/share-cards.ts'
import { takeIcon } from './icon.ts'

const MOBILE = fileURLToPath(new URL('../../mobile/', import.meta.url))
const ANDROID = `${MOBILE}android/app/src/main/res/mipmap-`
const IOS = `${MOBILE}ios/App/App/Assets.xcassets/`

/** Pixels of one dp. */
const DENSITIES = { mdpi: 1, hdpi: 1.5, xhdpi: 2, xxhdpi: 3, xxxhdpi: 4 }

test('icons and launch images of the native apps', async ({ page }) => {
  const { icon, close } = await serveShareCards()
  await page.goto(icon)
  for (const [density, dp] of Object.entries(DENSITIES)) {
    const folder = ANDROID + density
    await takeIcon(page, { size: 48 * dp, path: `${folder}/ic_launcher.png` })
    await takeIcon(page, { size: 48 * dp, ground: 'disc', drawing: 0.8, path: `${folder}/ic_launcher_round.png` })
    // Android masks the 108 dp with any shape, but always shows the 66 dp in the middle.
    await takeIcon(page, {
      size: 108 * dp,
      ground: 'none',
      drawing: 0.65,
      path: `${folder}/ic_launcher_foreground.png`,
    })
  }
  await takeIcon(page, { size: 1024, ground: 'square', path: `${IOS}AppIcon.appiconset/AppIcon-512@2x.png` })
  // The template has one file per screen scale. All are the same image.
  for (const name of ['splash-2732x2732', 'splash-2732x2732-1', 'splash-2732x2732-2']) {
    await takeIcon(page, { size: 2732, share: 0.15, path: `${IOS}Splash.imageset/${name}.png` })
  }
  await close()
})
