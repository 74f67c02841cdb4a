import { defineConfig } from '@playwright/test'
import { browserLaunch } from './browser.ts'

/** Takes screenshots of every screen for review: `npm run build && npm run shots -w e2e`, then open e2e/shots/. */
export default defineConfig({
  testDir: 'shots-of',
  outputDir: 'test-results',
  timeout: 120_000,
  workers: 1,
  // In the order of the files: the README's images are made from the screenshots.
  fullyParallel: false,
  reporter: 'list',
  use: {
    launchOptions: await browserLaunch(),
    contextOptions: { reducedMotion: 'reduce' },
    timezoneId: 'Europe/Berlin',
    locale: 'en-GB',
  },
  projects: [
    { name: '390', use: { viewport: { width: 390, height: 844 }, deviceScaleFactor: 2 } },
    { name: '1280', use: { viewport: { width: 1280, height: 800 } } },
    { name: '768', use: { viewport: { width: 768, height: 1024 } } },
    { name: '1366', use: { viewport: { width: 1366, height: 625 } } },
    { name: '320', use: { viewport: { width: 320, height: 568 }, deviceScaleFactor: 2 } },
    { name: '844', use: { viewport: { width: 844, height: 390 } } },
    { name: '1920', use: { viewport: { width: 1920, height: 1080 } } },
    // Text at 150 and 200 %: see shot.ts.
    { name: '390-150%', use: { viewport: { width: 390, height: 844 } } },
    { name: '390-200%', use: { viewport: { width: 390, height: 844 } } },
  ],
})
