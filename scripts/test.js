// Runs all tests, the fastest first: check, which builds, then vitest (core, server on each engine, components in a browser),
// then the journeys in a browser. The last lines list the failures, the engines and the browser, and the counts.
import { mkdtempSync, rmSync, statfsSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { browserOf, failedJourneys, failedTests, readReport } from './read-report.js'
import { run } from './run.js'

const folder = mkdtempSync(join(tmpdir(), 'deeb-test-'))
const vitestReport = join(folder, 'vitest.json')
const e2eReport = join(folder, 'e2e.json')

const checkCode = await run('node', ['scripts/check.js'])
const exitCodes = [
  checkCode,
  await run('vitest', ['run', '--reporter=default', '--reporter=json', `--outputFile.json=${vitestReport}`]),
  await run('npm', ['run', '--silent', 'e2e', '-w', 'e2e'], { E2E_REPORT: e2eReport, ...inMemory() }),
]

const vitest = readReport(vitestReport)
const journeys = readReport(e2eReport)
const { stats } = journeys
const passed = vitest.numPassedTests + stats.expected + stats.flaky
const failed = vitest.numFailedTests + stats.unexpected + (checkCode === 0 ? 0 : 1)
rmSync(folder, { recursive: true, force: true })

const failures = [...(checkCode === 0 ? [] : ['npm run check']), ...failedTests(vitest), ...failedJourneys(journeys)]
for (const failure of failures) console.log(`\nFailed: ${failure}`)
console.log(`\nThe server's tests ran on ${enginesOf(vitest)}, with Node ${process.version}.`)
console.log(`The tests in a browser ran in ${browserOf(journeys)}.`)
if (stats.flaky > 0) console.log(`${stats.flaky} journeys passed only after a retry; they are listed above.`)
console.log(`${passed} passed, ${failed} failed`)
process.exit(exitCodes.every((code) => code === 0) && failed === 0 && passed > 0 ? 0 : 1)

/** Uses a RAM disk if it has 4 GB: temporary data on a disk costs the journeys a sixth of their time. */
function inMemory() {
  try {
    const { bavail, bsize } = statfsSync('/dev/shm')
    return bavail * bsize > 4e9 ? { TMPDIR: '/dev/shm' } : {}
  } catch {
    return {}
  }
}

/** Each engine runs the same files, so a file that is in the report twice ran on both. */
function enginesOf({ testResults = [] }) {
  const files = testResults.map(({ name }) => name).filter((name) => /[\\/]server[\\/]src[\\/]/.test(name))
  return new Set(files).size < files.length ? 'both engines' : 'the embedded engine alone'
}
