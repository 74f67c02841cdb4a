import { defineConfig } from '@playwright/test'

/**
 * Compares the first paint of Home with that of another build, and prints a table: `BEFORE=../other-clone npm run first-paint -w e2e`,
 * both built.
 */
export default defineConfig({
  testDir: 'first-paint-of',
  outputDir: 'test-results',
  timeout: 1_800_000,
  workers: 1,
  reporter: 'line',
})
