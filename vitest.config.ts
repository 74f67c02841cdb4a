import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig, type TestProjectConfiguration } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { browserLaunch } from './e2e/browser.ts'
import { compileTexts } from './scripts/texts.js'
import { canRunPostgres } from './server/src/testing/postgres-server.ts'

const source = { resolve: { conditions: ['deeb-source'] }, ssr: { resolve: { conditions: ['deeb-source'] } } }

/**
 * About accounts, email, HTTP, limits, what other programs see, noise, sample data and query plans, not about the engine: these run on
 * PostgreSQL only, where it is found. The journeys run on the embedded engine.
 */
const ON_ONE_ENGINE = [
  'src/{account,alerts,auth,calendar,demo,http,limits,mail,monitoring,outside,push,reminders,scim,signs,status}/**',
  'src/{testing,tokens,visitors,webhooks}/**',
  'src/report/{adversary,noise,simulation}.test.ts',
  'src/{focus,team}/plans.test.ts',
  'src/live/waves.test.ts',
]

/** Starts the longest test file first: as the last one, it would run alone. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const isLongest = ({ moduleId }: TestSpecification) => moduleId.endsWith('/http/who-may-what.test.ts')
    const sorted = await super.sort(files)
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))]
  }
}

/** The server tests, once on each engine. */
function serverProject(engine: 'embedded' | 'postgres', except: string[]): TestProjectConfiguration {
  return {
    ...source,
    test: {
      name: `server-${engine}`,
      root: 'server',
      include: ['src/**/*.test.ts'],
      exclude: except,
      globalSetup: fileURLToPath(new URL(`server/src/testing/setup-${engine}.ts`, import.meta.url)),
      testTimeout: 30_000,
      hookTimeout: 60_000,
      // Each test file has its own app and database, so one process can load the modules once for all files.
      isolate: false,
    },
  }
}

// npm sets "production" (.npmrc), and the tests would run React without its warnings.
process.env.NODE_ENV = 'test'
await compileTexts()
const postgres = await canRunPostgres()
if (!postgres) console.log('Skipped: the server tests on PostgreSQL. No PostgreSQL can run on this machine.')

export default defineConfig({
  test: {
    // At least two: the default would leave one of two processors idle.
    maxWorkers: Math.max(2, availableParallelism() - 1),
    globalSetup: fileURLToPath(new URL('server/src/testing/setup-built.ts', import.meta.url)),
    sequence: { sequencer: LongestFirst },
    projects: [
      { ...source, test: { name: 'core', root: 'core', include: ['src/**/*.test.ts'], testTimeout: 30_000 } },
      {
        ...source,
        test: { name: 'cli', root: 'cli', include: ['src/**/*.test.ts'], testTimeout: 30_000, hookTimeout: 60_000 },
      },
      serverProject('embedded', postgres ? ON_ONE_ENGINE : []),
      // Without the tests of the database folder, which PostgreSQL manages itself.
      ...(postgres ? [serverProject('postgres', ['src/db/embedded*.test.ts'])] : []),
      {
        extends: 'web/vite.config.ts',
        // If Vite found them late, it would reload the page in the middle of a test.
        optimizeDeps: { include: ['@supabase/auth-js', 'eventsource-parser', 'idb', 'lean-qr/nano'] },
        test: {
          name: 'web',
          root: 'web',
          include: ['src/**/*.test.{ts,tsx}'],
          // Long enough for a busy machine. No test measures time with it.
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
