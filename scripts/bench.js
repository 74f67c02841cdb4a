// Builds deeb if it is missing or stale, and the bench, then runs all benchmarks. --quick: a short run in about a minute. Only one part:
// --hot (home reads and switches), --layers (where their CPU goes), --takes (what a server takes for so many people), --report (counting a
// week), --streams=N.
import { fileURLToPath } from 'node:url'
import { bundle } from '../server/build.js'
import { buildIfStale } from './build-if-stale.js'
import { run } from './run.js'

const FOLDER = fileURLToPath(new URL('../bench/', import.meta.url))
const PROGRAMS = ['main', 'bare-server', 'counting-server', 'profiled-server']

buildIfStale()
await bundle(Object.fromEntries(PROGRAMS.map((name) => [name, `${FOLDER}src/${name}.ts`])), `${FOLDER}dist`)
process.exit(await run('node', ['bench/dist/main.js', ...process.argv.slice(2)]))
