import { chromium, type FullConfig } from '@playwright/test'
import { FIREFOX, WEBKIT } from './engines/find.ts'

/**
 * Adds the versions of the browsers to the report. `scripts/test.js` prints them at the end. Names the engines that are not
 * installed; with `ENGINES=required` their absence is an error.
 */
export default async function reportBrowser({ metadata, projects }: FullConfig): Promise<void> {
  const versions = new Map([FIREFOX, WEBKIT].map(({ name, version }) => [name, version]))
  const { launchOptions } = projects.find(({ name }) => name === 'Chromium')?.use ?? {}
  if (launchOptions) {
    const browser = await chromium.launch(launchOptions)
    versions.set('Chromium', `${browser.version()} (${launchOptions.executablePath})`)
    await browser.close()
  }
  metadata.browser = projects.map(({ name }) => `${name} ${versions.get(name)}`).join(', ')

  if (!metadata.hasOtherEngines) return
  const absent = [FIREFOX, WEBKIT].filter(({ version }) => !version)
  const lines = absent.map(({ name, install }) => `${name}: not installed (${install}), its journeys are left out.`)
  if (lines.length > 0 && process.env.ENGINES === 'required') throw new Error(lines.join('\n'))
  for (const line of lines) console.log(line)
}
