import { defineConfig } from '@playwright/test'
import { browserLaunch } from './browser.ts'

/** Takes the share images and the touch icon: `npm run share-pictures -w e2e`, then look at web/public. */
export default defineConfig({
  testDir: 'share-pictures',
  globalSetup: './servers-setup.ts',
  outputDir: 'test-results',
  reporter: 'list',
  use: {
    viewport: { width: 1200, height: 630 },
    launchOptions: await browserLaunch(),
    contextOptions: { reducedMotion: 'reduce' },
  },
})
