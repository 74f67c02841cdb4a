// Builds the server if it is missing or stale, and the bench, then runs all benchmarks. --quick: a short run in under a minute.
// --report: only how long the weeks of a large company take to count. --streams=N: only N live streams on one process.
import { buildIfStale } from './build-if-stale.js'
import { run } from './run.js'

buildIfStale()
const code = await run('tsc', ['-b', 'bench'])
process.exit(code === 0 ? await run('node', ['bench/dist/main.js', ...process.argv.slice(2)]) : code)
