// Builds deeb if it is missing or stale, and the bench, then runs all benchmarks. --quick: a short run in under a minute.
// --report: only how long the weeks of a large company take to count. --streams=N: only N live streams on one process.
import { fileURLToPath } from 'node:url'
import { bundle } from '../server/build.js'
import { buildIfStale } from './build-if-stale.js'
import { run } from './run.js'

const FOLDER = fileURLToPath(new URL('../bench/', import.meta.url))
const PROGRAMS = ['main', 'bare-server', 'counting-server', 'silent-server']

buildIfStale()
await bundle(Object.fromEntries(PROGRAMS.map((name) => [name, `${FOLDER}src/${name}.ts`])), `${FOLDER}dist`)
process.exit(await run('node', ['bench/dist/main.js', ...process.argv.slice(2)]))
