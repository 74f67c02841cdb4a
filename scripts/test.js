// Runs the tests: check, which builds, then vitest (core, CLI, web and server), then the journeys in Chromium. With --all also what takes
// long; with --all --part NAME only that part. Parts of their own take arguments: --all --part node 24. The last lines have the time of each part, the slowest tests, those that were retried, the
// failures, the browsers and the counts.
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { browserOf, readReport, testsOf } from './read-report.js'
import { run } from './run.js'

const SLOWEST = 20
const USUAL = {
  check: () => run('node', ['scripts/check.js']),
  tests: () => vitest(['core', 'cli', 'web', 'server-*']),
  journeys: () => journeys('playwright.config.ts'),
}
/** The parts that take long, or that another engine or browser seldom changes. */
const FURTHER = {
  heavy: () => vitest(['all-*']),
  pooler: () =>
    hasPgBouncer() ? vitest(['*-postgres'], { POOLER: '1' }) : skip('there is no PgBouncer 1.21 or newer'),
  browsers: () => journeys('all.config.ts'),
}

/** Parts that run only if they are named. */
const ALONE = { node: 'scripts/test-node.js', soak: 'scripts/soak.js', mutation: 'scripts/mutation.js' }

const root = fileURLToPath(new URL('..', import.meta.url))
const OPTIONS = { all: { type: 'boolean' }, part: { type: 'string' } }
const { values, positionals } = parseArgs({ options: OPTIONS, allowPositionals: true })
const { all, part: only } = values
if (all && only in ALONE) process.exit(await run('node', [ALONE[only], ...positionals]))
const folder = mkdtempSync(join(tmpdir(), 'deeb-test-'))
const PARTS = all ? { ...USUAL, ...FURTHER } : USUAL
if (only && !PARTS[only]) throw new Error(`--part is one of ${Object.keys({ ...PARTS, ...ALONE }).join(', ')}.`)

const reports = []
const times = []
const failures = []
for (const [name, start] of Object.entries(PARTS)) {
  if (only && name !== only) continue
  console.log(`\n> ${name}`)
  const beganAtMs = performance.now()
  const before = reports.length
  // Otherwise the parts before have built.
  const code = only && only !== 'check' ? (await run('npm', ['run', 'build'])) || (await start()) : await start()
  times.push(`${name} ${minutes(performance.now() - beganAtMs)}`)
  const failed = reports
    .slice(before)
    .flatMap(testsOf)
    .filter(({ failure }) => failure !== null)
  failures.push(...failed.map(({ name, failure }) => `${name}\n${failure}`))
  if (code !== 0 && failed.length === 0) failures.push(`${name} ended with code ${code}`)
}
rmSync(folder, { recursive: true, force: true })

const tests = reports.flatMap(testsOf)
const slowest = tests.toSorted((a, b) => b.ms - a.ms).slice(0, SLOWEST)
const retried = tests.filter(({ isRetried }) => isRetried)
if (slowest.length > 0) console.log('\nThe slowest tests, in seconds:')
for (const { name, ms } of slowest) console.log(`${(ms / 1000).toFixed(1).padStart(6)}  ${name.replace(root, '')}`)
if (retried.length > 0) console.log('\nPassed only after a retry:')
for (const { name } of retried) console.log(`  ${name}`)
for (const failure of failures) console.log(`\nFailed: ${failure}`)
console.log(`\nTime: ${times.join(', ')}. Node ${process.version}.`)
const browsers = reports.map(browserOf).filter(Boolean)
if (browsers.length > 0) console.log(`The journeys ran in ${browsers.join(', ')}.`)
console.log(`${tests.filter(({ failure }) => failure === null).length} passed, ${failures.length} failed`)
process.exit(failures.length === 0 ? 0 : 1)

async function vitest(projects, env = {}) {
  const report = join(folder, `${reports.length}.json`)
  const options = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`]
  const code = await run('vitest', ['run', ...projects.flatMap((name) => ['--project', name]), ...options], {
    ...inMemory(),
    ...env,
  })
  reports.push(readReport(report))
  return code
}

async function journeys(config) {
  const report = join(folder, `${reports.length}.json`)
  const env = { E2E_REPORT: report, ...inMemory() }
  const code = await run('npm', ['run', '--silent', 'e2e', '-w', 'e2e', '--', '--config', config], env)
  reports.push(readReport(report))
  return code
}

function skip(why) {
  console.log(`Skipped: ${why}.`)
  return 0
}

/** Earlier versions keep no prepared statements. */
function hasPgBouncer() {
  const PATH = [process.env.PATH, '/usr/sbin', '/usr/local/sbin'].join(delimiter)
  const { stdout } = spawnSync('pgbouncer', ['--version'], { encoding: 'utf8', env: { ...process.env, PATH } })
  const [, major, minor] = /(\d+)\.(\d+)/.exec(stdout ?? '') ?? []
  return Number(major) > 1 || Number(minor) >= 21
}

function minutes(ms) {
  const seconds = Math.round(ms / 1000)
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
}

/** Uses a RAM disk if it has 4 GB: temporary data on a disk costs the journeys a sixth of their time. */
function inMemory() {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize > 4e9 ? { TMPDIR: '/dev/shm' } : {}
  } catch {
    return {}
  }
}
