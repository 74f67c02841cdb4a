// Makes the files of a release from the commit that is checked out, into dist-release/: the npm package of the server, two Debian packages,
// an image for both architectures, compose.yaml, the source, a bill of materials, the list of what the database keeps, and checksums. The
// same commit gives the same bytes. A tool that this machine lacks is named, and what needs it is left out; with PACKAGES=required that is
// an error.
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { billOfMaterials } from './artefacts/bill-of-materials.js'
import { makeDebianPackage } from './artefacts/debian.js'
import { makeImage } from './artefacts/image.js'
import {
  ARCHITECTURES,
  copyTree,
  installRuntime,
  makeNpmPackage,
  missingTools,
  ROOT,
  readJson,
} from './artefacts/tree.js'

/** Each kind of file, and the programs that make it. */
const TOOLS = { image: ['mmdebstrap', 'tar', 'gzip'], 'Debian packages': ['dpkg-deb'] }

/** The pages of the command `data`, by their language. */
const DATA_PAGES = { 'data.md': 'en', 'daten.md': 'de' }

/** Builds, and writes the files into `output`, a folder that it empties. Returns their names. */
export function makeArtefacts(output) {
  const epoch = run('git', 'log', '-1', '--format=%ct').trim()
  const { version } = readJson('package.json')
  const write = (name, content) => writeFileSync(join(output, name), content)
  rmSync(output, { recursive: true, force: true })
  mkdirSync(output, { recursive: true })
  process.env.DEEB_RELEASE = '1'
  run('npm', 'run', 'build')
  run('git', 'archive', `--prefix=deeb-${version}/`, `--output=${join(output, `deeb-${version}.tar.gz`)}`, 'HEAD')
  write('sbom.cdx.json', billOfMaterials(epoch))
  for (const [name, language] of Object.entries(DATA_PAGES)) {
    write(name, run(process.execPath, 'server/dist/cli.js', 'data', '--language', language))
  }
  write('compose.yaml', readFileSync(join(ROOT, 'deploy/compose.yaml'), 'utf8').replace('VERSION', version))
  const folder = mkdtempSync(join(tmpdir(), 'deeb-artefacts-'))
  try {
    makePackages(folder, output, epoch)
  } finally {
    rmSync(folder, { recursive: true })
  }
  const names = readdirSync(output)
  write('SHA256SUMS', names.map((name) => `${sha256(join(output, name))}  ${name}\n`).join(''))
  return [...names, 'SHA256SUMS']
}

function makePackages(folder, output, epoch) {
  const tree = join(folder, 'tree')
  copyTree(tree)
  makeNpmPackage(tree, output)
  const roots = {}
  for (const [architecture, cpu] of Object.entries(ARCHITECTURES)) {
    roots[architecture] = join(folder, architecture)
    installRuntime(tree, join(roots[architecture], 'usr/lib/deeb'), cpu)
  }
  if (hasTools('image')) makeImage(roots, folder, output, epoch)
  if (hasTools('Debian packages')) {
    for (const [architecture, root] of Object.entries(roots)) makeDebianPackage(root, architecture, output, epoch)
  }
}

/** Whether this machine can make them. If not, says so. */
function hasTools(kind) {
  const missing = missingTools(TOOLS[kind])
  if (missing.length === 0) return true
  const sentence = `Left out: ${kind}, without ${missing.join(', ')} on this machine.`
  if (process.env.PACKAGES === 'required') throw new Error(sentence)
  console.log(sentence)
  return false
}

function sha256(file) {
  return createHash('sha256').update(readFileSync(file)).digest('hex')
}

function run(program, ...args) {
  return execFileSync(program, args, { cwd: ROOT, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  console.log(makeArtefacts(join(ROOT, 'dist-release')).join('\n'))
}
