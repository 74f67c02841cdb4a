import { defineConfig } from '@playwright/test'
import { otherEngines } from './engines/projects.ts'
import base from './playwright.config.ts'

const [chromium] = base.projects ?? []

/** Every journey in every engine that is installed. Writes test-results/browsers.md: `npm run build && npm run engines -w e2e`. */
export default defineConfig({
  ...base,
  metadata: { hasOtherEngines: true },
  projects: [{ ...chromium, grepInvert: [] }, ...otherEngines],
  reporter: [['list'], ['./engines/write-table.ts']],
})
