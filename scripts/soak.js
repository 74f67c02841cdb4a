// Soak tests: the long form of every test that has one, on each engine, with hundreds of kills and thousands of generated
// histories. Takes most of an hour. The last line has the counts and the seed. To repeat a run: npm run test:all -- --part soak 12345
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readReport } from './read-report.js'
import { run } from './run.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const folder = mkdtempSync(join(tmpdir(), 'deeb-soak-'))
const report = join(folder, 'vitest.json')
const seed = process.argv[2] ?? String(Math.floor(Math.random() * 2 ** 31))
const beganAtMs = Date.now()

const files = readdirSync(join(root, 'server/src'), { recursive: true })
  .map((name) => `server/src/${name.replaceAll('\\', '/')}`)
  .filter((name) => name.endsWith('.test.ts') && readFileSync(join(root, name), 'utf8').includes("/testing/runs.ts'"))

// One file after the other: crash tests and measurements need the whole machine.
const options = ['--no-file-parallelism', '--testTimeout=3600000', '--reporter=default', '--reporter=json']
const projects = ['--project=*-embedded', '--project=*-postgres']
const args = ['run', ...projects, ...options, `--outputFile.json=${report}`, ...files]
const code = await run('vitest', args, { SOAK: '1', SOAK_SEED: seed })

const { numPassedTests, numFailedTests } = readReport(report)
rmSync(folder, { recursive: true, force: true })
const minutes = Math.round((Date.now() - beganAtMs) / 60_000)
console.log(`\n${numPassedTests} passed, ${numFailedTests} failed, with seed ${seed}, in ${minutes} minutes`)
process.exit(code)
