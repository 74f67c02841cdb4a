import { defineConfig } from '@playwright/test'
import { otherEngines } from './engines/projects.ts'
import base, { HEAVY } from './playwright.config.ts'

const [chromium] = base.projects ?? []

/** Adds to the journeys of `npm test` what `npm run test:all` has: the heavy ones, and the other engines that are installed. */
export default defineConfig({
  ...base,
  metadata: { hasOtherEngines: true },
  projects: [{ ...chromium, grep: HEAVY, grepInvert: [] }, ...otherEngines],
})
