import { chromium, type FullConfig } from '@playwright/test'

/** Adds the browser's version to the report. `scripts/test.js` prints it at the end. */
export default async function reportBrowser({ metadata, projects }: FullConfig): Promise<void> {
  const launchOptions = projects[0]?.use.launchOptions ?? {}
  const browser = await chromium.launch(launchOptions)
  metadata.browser = `Chromium ${browser.version()} (${launchOptions.executablePath})`
  await browser.close()
}
