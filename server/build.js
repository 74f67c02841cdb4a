// Builds the server. `dist` has one file per program, and the chunks that they share: what runs in production, in tests that start a
// process, and in load tests. Beside them is the file with which a new embedded database begins.
import { execFile } from 'node:child_process'
import { readdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { rolldown, watch } from 'rolldown'
import { bundledLicences } from '../scripts/bundled-licences.js'

const SOURCE = fileURLToPath(new URL('src/', import.meta.url))
const TARGET = fileURLToPath(new URL('dist/', import.meta.url))
const NEW_DATABASE = fileURLToPath(new URL('new-database.js', import.meta.url))
/** It changes with the version of the engine, whose own files have no time of their own. */
const LOCK_FILE = fileURLToPath(new URL('../package-lock.json', import.meta.url))

const PROGRAMS = ['main', 'cli', 'demo/main', 'testing/killable-server', 'testing/unlimited-server']

/** The modules that scripts import which are not bundled themselves. */
const LIBRARY = ['config/config', 'start/start-server', 'start/stop-on-signal', 'testing/free-port']

/** Packages that load files beside them, WebAssembly and native code, and an optional one that is not installed. */
const EXTERNAL = [/^@electric-sql\/pglite/, '@node-rs/argon2', 'pg-native']

/** Bundles `input`, entries by name, for Node. Names stay as they are: a stack trace in a log must be readable. */
function bundleOf(input, dir) {
  return {
    input,
    platform: 'node',
    external: EXTERNAL,
    output: { dir, format: 'esm', entryFileNames: '[name].js', chunkFileNames: '[name]-[hash].js' },
  }
}

const serverBundle = {
  ...bundleOf(Object.fromEntries([...PROGRAMS, ...LIBRARY].map((name) => [name, `${SOURCE}${name}.ts`])), TARGET),
  plugins: [bundledLicences()],
}

/** Builds the server into its folder `dist`. */
export async function buildServer() {
  await makeNewDatabase()
  await write(serverBundle)
}

/** Bundles the server now and after each change of a module. Returns rolldown's watcher. */
export function watchServer() {
  return watch(serverBundle)
}

/** Bundles `input`, entries by name, into the folder `dir`, with source maps. */
export function bundle(input, dir) {
  const options = bundleOf(input, dir)
  return write({ ...options, output: { ...options.output, sourcemap: true } })
}

/** Writes a bundle, and removes what an earlier one left in its folder. */
async function write({ output, ...options }) {
  const bundle = await rolldown(options)
  const written = await bundle.write(output)
  await bundle.close()
  const files = new Set(written.output.map(({ fileName }) => join(output.dir, fileName)))
  for (const name of readdirSync(output.dir, { recursive: true })) {
    const file = join(output.dir, name)
    if (name.endsWith('.js') && !files.has(file)) rmSync(file)
  }
}

/** Runs new-database.js, unless its file is newer than the engine and itself. */
export async function makeNewDatabase() {
  const made = statSync(`${TARGET}new-database.tar.gz`, { throwIfNoEntry: false })
  if (made && [LOCK_FILE, NEW_DATABASE].every((file) => statSync(file).mtimeMs < made.mtimeMs)) return
  await promisify(execFile)(process.execPath, ['--liftoff-only', NEW_DATABASE])
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await buildServer()
