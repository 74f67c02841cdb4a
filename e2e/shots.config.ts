import { defineConfig } from '@playwright/test'
import { browserLaunch } from './browser.ts'

const launch = await browserLaunch()

/** A phone whose browser has a larger font size. Media queries in rem follow it. */
const phoneWithText = (percent: number) => ({
  viewport: { width: 390, height: 844 },
  launchOptions: {
    ...launch,
    args: [...(launch.args ?? []), `--blink-settings=defaultFontSize=${(16 * percent) / 100}`],
  },
})

/** Takes screenshots of every screen for review: `npm run build && npm run shots -w e2e`, then open e2e/shots/. */
export default defineConfig({
  testDir: 'shots-of',
  globalSetup: './servers-setup.ts',
  outputDir: 'test-results',
  timeout: 120_000,
  workers: 1,
  // In the order of the files: the README's images are made from the screenshots.
  fullyParallel: false,
  reporter: 'list',
  use: {
    launchOptions: launch,
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
    { name: '390-150%', use: phoneWithText(150) },
    { name: '390-200%', use: phoneWithText(200) },
  ],
})
