import { defineConfig } from '@playwright/test'
import { otherEngines } from './engines/projects.ts'
import base from './playwright.config.ts'

/** Every journey in every engine that is installed. Writes docs/browsers.md: `npm run build && npm run engines -w e2e`. */
export default defineConfig({
  ...base,
  projects: [...(base.projects ?? []).slice(0, 1), ...otherEngines],
  reporter: [['list'], ['./engines/write-table.ts']],
})
