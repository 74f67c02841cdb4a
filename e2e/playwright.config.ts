import { defineConfig } from '@playwright/test'
import { browserLaunch } from './browser.ts'

export default defineConfig({
  testDir: 'journeys',
  globalSetup: './report-browser.ts',
  outputDir: 'test-results',
  // As long as a busy machine may take: what has to be quick says so itself.
  timeout: 120_000,
  expect: { timeout: 20_000 },
  fullyParallel: true,
  // One more than two processors: each journey waits a good part of its time.
  workers: 3,
  // A machine that stops for that long fails a journey that is right. What passed only then is named, at the end.
  retries: 1,
  forbidOnly: true,
  reporter: process.env.E2E_REPORT ? [['line'], ['json', { outputFile: process.env.E2E_REPORT }]] : 'list',
  use: {
    viewport: { width: 390, height: 844 },
    launchOptions: await browserLaunch(),
    timezoneId: zoneOfMorning(),
    locale: 'en-GB',
    // What a worker answers, no test can hold up or refuse. Whoever tests the worker allows it.
    serviceWorkers: 'block',
  },
})

/** A zone in which it is about ten o'clock, so that a journey of an hour stays within its day whenever it is tried. */
function zoneOfMorning(): string {
  const behind = Math.min(12, new Date().getUTCHours() - 10)
  return `Etc/GMT${behind < 0 ? '' : '+'}${behind}`
}
