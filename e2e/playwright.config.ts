import { defineConfig } from '@playwright/test'
import { browserLaunch } from './browser.ts'

/** The tag of journeys that run in `npm run test:all` only. */
export const HEAVY = /@heavy/

const launch = await browserLaunch()
/** A journey runs little code, so optimizing it costs more than it saves. */
const QUICK = '--js-flags=--no-opt --no-maglev'

export default defineConfig({
  testDir: 'journeys',
  globalSetup: ['./report-browser.ts', './servers-setup.ts'],
  outputDir: 'test-results',
  // Long enough for a busy machine. A journey with a time limit sets its own.
  timeout: 300_000,
  expect: { timeout: 30_000 },
  fullyParallel: true,
  // One more than the two processors, since a journey waits for much of its time.
  workers: 3,
  // A machine that freezes can fail a correct journey. The end of the run lists journeys that passed only after a retry.
  retries: 1,
  forbidOnly: true,
  reporter: process.env.E2E_REPORT ? [['line'], ['json', { outputFile: process.env.E2E_REPORT }]] : 'list',
  use: {
    viewport: { width: 390, height: 844 },
    timezoneId: zoneOfMorning(),
    locale: 'en-GB',
    // Tests cannot intercept the answers of a service worker. Its own journeys allow it.
    serviceWorkers: 'block',
  },
  projects: [
    {
      name: 'Chromium',
      use: { launchOptions: { ...launch, args: [...(launch.args ?? []), QUICK] } },
      grepInvert: HEAVY,
    },
  ],
})

/** A time zone where it is about ten o'clock, so that a journey of an hour never crosses midnight. */
function zoneOfMorning(): string {
  const behind = Math.min(12, new Date().getUTCHours() - 10)
  return `Etc/GMT${behind < 0 ? '' : '+'}${behind}`
}
