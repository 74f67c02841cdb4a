// Builds what is missing or stale, and the bench, then measures: all of it, or with --quick a small form in under a minute.
import { buildIfStale } from './build-if-stale.js'
import { run } from './run.js'

buildIfStale()
const code = await run('tsc', ['-b', 'bench'])
process.exit(code === 0 ? await run('node', ['bench/dist/main.js', ...process.argv.slice(2)]) : code)
