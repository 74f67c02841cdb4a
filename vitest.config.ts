import { readdirSync, readFileSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { playwright } from '@vitest/browser-playwright'
import { defineConfig, type TestProjectConfiguration } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { browserLaunch } from './e2e/browser.ts'
import { compileTexts } from './scripts/texts.js'
import { canRunPostgres } from './server/src/testing/postgres-server.ts'

/** Long enough for a busy machine. No test measures time with it. */
const PATIENCE = { testTimeout: 120_000, hookTimeout: 120_000 }

/** One more than the processors, since some tests wait. */
const WORKERS = availableParallelism() + 1

const ROOT = fileURLToPath(new URL('.', import.meta.url))

/** The test files of a package, each with its text. */
function testsIn(folder: string): { name: string; text: string }[] {
  const names = readdirSync(join(ROOT, folder, 'src'), { recursive: true, encoding: 'utf8' })
  return names
    .filter((name) => name.endsWith('.test.ts'))
    .map((name) => `src/${name.replaceAll('\\', '/')}`)
    .map((name) => ({ name, text: readFileSync(join(ROOT, folder, name), 'utf8') }))
}

const SERVER_TESTS = testsIn('server')

/** The names of those whose first line is `// Runs <words>.`: see "Where a test runs" in CONTRIBUTING.md. */
function running(words: string, tests = SERVER_TESTS): string[] {
  return tests.filter(({ text }) => text.startsWith(`// Runs ${words}.\n`)).map(({ name }) => name)
}

const ON_EMBEDDED = running('on the embedded engine')
const ON_BOTH = running('on both engines')
const HEAVY_ON_EMBEDDED = running('in npm run test:all, on the embedded engine')
const HEAVY_ON_POSTGRES = running('in npm run test:all, on PostgreSQL')
const HEAVY_ON_BOTH = running('in npm run test:all')
const HEAVY = [...HEAVY_ON_EMBEDDED, ...HEAVY_ON_POSTGRES, ...HEAVY_ON_BOTH]
const HEAVY_OF_CLI = running('in npm run test:all', testsIn('cli'))

/** Starts the longest test file first: as the last one, it would run alone. */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]) {
    const isLongest = ({ moduleId }: TestSpecification) => moduleId.endsWith('/http/who-may-what.test.ts')
    const sorted = await super.sort(files)
    return [...sorted.filter(isLongest), ...sorted.filter((file) => !isLongest(file))]
  }
}

/** Server tests on an engine. */
function serverProject(
  name: string,
  engine: 'embedded' | 'postgres',
  files: { include?: string[]; exclude?: string[] },
): TestProjectConfiguration {
  return {
    test: {
      name,
      root: 'server',
      include: ['src/**/*.test.ts'],
      ...files,
      globalSetup: fileURLToPath(new URL(`server/src/testing/setup-${engine}.ts`, import.meta.url)),
      ...PATIENCE,
      // Each test file has its own app and database, so one process can load the modules once for all files.
      isolate: false,
    },
  }
}

/** The projects of the server. Those that begin with "all-" run in `npm run test:all` only. */
function serverProjects(): TestProjectConfiguration[] {
  if (!postgres)
    return [
      serverProject('server-embedded', 'embedded', { exclude: HEAVY }),
      serverProject('all-embedded', 'embedded', { include: HEAVY }),
    ]
  return [
    serverProject('server-postgres', 'postgres', { exclude: [...ON_EMBEDDED, ...HEAVY] }),
    serverProject('server-embedded', 'embedded', { include: [...ON_EMBEDDED, ...ON_BOTH] }),
    serverProject('all-postgres', 'postgres', { include: [...HEAVY_ON_POSTGRES, ...HEAVY_ON_BOTH] }),
    serverProject('all-embedded', 'embedded', { exclude: [...ON_EMBEDDED, ...ON_BOTH, ...HEAVY_ON_POSTGRES] }),
  ]
}

// npm sets "production" (.npmrc), and the tests would run React without its warnings.
process.env.NODE_ENV = 'test'
compileTexts()
const postgres = await canRunPostgres()
if (!postgres) console.log('Skipped: the server tests on PostgreSQL. No PostgreSQL can run on this machine.')

export default defineConfig({
  test: {
    maxWorkers: WORKERS,
    globalSetup: fileURLToPath(new URL('server/src/testing/setup-built.ts', import.meta.url)),
    sequence: { sequencer: LongestFirst },
    projects: [
      { test: { name: 'core', root: 'core', include: ['src/**/*.test.ts'], ...PATIENCE, isolate: false } },
      { test: { name: 'cli', root: 'cli', include: ['src/**/*.test.ts'], exclude: HEAVY_OF_CLI, ...PATIENCE } },
      { test: { name: 'all-cli', root: 'cli', include: HEAVY_OF_CLI, ...PATIENCE } },
      ...serverProjects(),
      {
        extends: 'web/vite.config.ts',
        // If Vite found them late, it would reload the page in the middle of a test.
        optimizeDeps: { include: ['@supabase/auth-js', 'eventsource-parser', 'idb', 'lean-qr/nano'] },
        test: {
          name: 'web',
          root: 'web',
          include: ['src/**/*.test.{ts,tsx}'],
          // Said here too, or one page runs all files.
          maxWorkers: WORKERS,
          ...PATIENCE,
          expect: { poll: { timeout: 20_000 } },
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
