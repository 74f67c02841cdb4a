import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig, type TestProjectConfiguration } from 'vitest/config'
import { browserLaunch } from './e2e/browser.ts'
import { canRunPostgres } from './server/src/testing/postgres-server.ts'

const source = { resolve: { conditions: ['deeb-source'] }, ssr: { resolve: { conditions: ['deeb-source'] } } }

/** The same server tests, once on each engine. */
function serverProject(engine: 'embedded' | 'postgres'): TestProjectConfiguration {
  return {
    ...source,
    test: {
      name: `server-${engine}`,
      root: 'server',
      include: ['src/**/*.test.ts'],
      // About the folder on the disk, which PostgreSQL keeps itself, and a test that runs vitest on the embedded engine.
      exclude: engine === 'postgres' ? ['src/db/embedded*.test.ts', 'src/testing/contributing.test.ts'] : [],
      globalSetup: fileURLToPath(new URL(`server/src/testing/setup-${engine}.ts`, import.meta.url)),
      testTimeout: 30_000,
      hookTimeout: 60_000,
      // Test files share no state, each has an app and a database of its own: one process reads the modules once for all.
      isolate: false,
    },
  }
}

const postgres = await canRunPostgres()
if (!postgres) console.log('Skipped: the server tests on PostgreSQL, since none can run on this machine.')

export default defineConfig({
  test: {
    // Also where there are two processors: the default would leave one to itself.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    globalSetup: fileURLToPath(new URL('server/src/testing/setup-built.ts', import.meta.url)),
    projects: [
      { ...source, test: { name: 'core', root: 'core', include: ['src/**/*.test.ts'], testTimeout: 30_000 } },
      serverProject('embedded'),
      ...(postgres ? [serverProject('postgres')] : []),
      {
        extends: 'web/vite.config.ts',
        // Found late, they would make the page load anew in the middle of a test.
        optimizeDeps: { include: ['@supabase/auth-js', 'eventsource-parser', 'idb'] },
        test: {
          name: 'web',
          root: 'web',
          include: ['src/**/*.test.{ts,tsx}'],
          // As long as a busy machine may take: nothing is measured by it.
          expect: { poll: { timeout: 10_000 } },
          browser: {
            enabled: true,
            headless: true,
            screenshotFailures: false,
            provider: playwright({ launchOptions: await browserLaunch() }),
            instances: [{ browser: 'chromium', viewport: { width: 390, height: 844 } }],
          },
        },
      },
    ],
  },
})
