import { defineConfig } from '@playwright/test'

/** Measures the public pages and the first screens of the app, and writes test-results/lighthouse.md: `npm run build && npm run lighthouse -w e2e`, on an idle machine. */
export default defineConfig({
  testDir: 'lighthouse-of',
  globalSetup: './servers-setup.ts',
  outputDir: 'test-results',
  timeout: 1_800_000,
  workers: 1,
  reporter: 'list',
})
