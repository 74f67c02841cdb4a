import { defineConfig } from '@playwright/test'
import { otherEngines } from './engines/projects.ts'
import base, { HEAVY } from './playwright.config.ts'

const [chromium] = base.projects ?? []

/** What `npm run test:all` has besides the journeys of `npm test`: the heavy ones, and the other engines that are installed. */
export default defineConfig({
  ...base,
  metadata: { hasOtherEngines: true },
  projects: [{ ...chromium, grep: HEAVY, grepInvert: [] }, ...otherEngines],
})
