// Builds deeb if it is missing or stale, and the bench, then runs all benchmarks. --quick: a short run in about a minute. Only one part:
// --hot (home reads and switches), --layers (where their CPU goes), --report (counting a week), --streams=N, --takes (what a server takes for so
// many people, on Node 24, and the sizes of a release: the table of README.md).
import { readFileSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { gzipSync } from 'node:zlib'
import { bundle } from '../server/build.js'
import { imageSize } from './artefacts/image.js'
import { makeArtefacts } from './artefacts.js'
import { buildIfStale } from './build-if-stale.js'
import { fetchNode } from './fetch-node.js'
import { run } from './run.js'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const FOLDER = `${ROOT}bench/`
const PROGRAMS = ['main', 'bare-server', 'counting-server', 'profiled-server']

const args = process.argv.slice(2)
const isTakes = args.includes('--takes')
const env = isTakes ? { RELEASE_SIZES: JSON.stringify(await releaseSizes()) } : {}
buildIfStale()
await bundle(Object.fromEntries(PROGRAMS.map((name) => [name, `${FOLDER}src/${name}.ts`])), `${FOLDER}dist`)
process.exit(await run(isTakes ? await fetchNode('24') : 'node', ['bench/dist/main.js', ...args], env))

/** Makes the files of a release, and measures them: a name and a size each. */
async function releaseSizes() {
  const output = `${ROOT}dist-release/`
  const files = makeArtefacts(output)
  const file = (pattern) => output + files.find((name) => pattern.test(name))
  const mb = (bytes) => `${(bytes / 1e6).toFixed(bytes < 2e7 ? 1 : 0)} MB`
  const { compressed, unpacked } = imageSize(file(/\.oci\.tar$/), 'amd64')
  const { default: limits } = await import('../.size-limit.js')
  const scripts = limits.find(({ name }) => name === '/app/home script').path
  const kilobytes = scripts.reduce((sum, path) => sum + gzipSync(readFileSync(path), { level: 9 }).length, 0) / 1000
  return [
    ['image', `${mb(compressed)} compressed, ${mb(unpacked)} unpacked`],
    ['Debian package', mb(statSync(file(/_amd64\.deb$/)).size)],
    ['npm package, without Node.js', mb(statSync(file(/server-.*\.tgz$/)).size)],
    ['script of Home, compressed', `${kilobytes.toFixed(1)} kB`],
  ]
}
