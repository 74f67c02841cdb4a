// Makes the files that are installed, from the working tree, into dist-release/: the npm package of the server, two Debian packages, an
// image for both architectures, and compose.yaml. The same commit gives the same bytes. A tool that this machine lacks is named, and what
// needs it is left out; with PACKAGES=required that is an error.
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { copyTree, makeNpmPackage, ROOT } from './artefacts/tree.js'

/** Builds, and writes the files into `output`. Their times are `epoch`, in seconds. Returns their names. */
export function makeArtefacts(output, epoch = timeOfCommit()) {
  const env = { ...process.env, DEEB_RELEASE: '1', SOURCE_DATE_EPOCH: epoch }
  execFileSync('npm', ['run', '--silent', 'build'], { cwd: ROOT, env, stdio: ['ignore', 'ignore', 'inherit'] })
  mkdirSync(output, { recursive: true })
  const before = new Set(readdirSync(output))
  const folder = mkdtempSync(join(tmpdir(), 'deeb-artefacts-'))
  try {
    const tree = join(folder, 'tree')
    copyTree(tree)
    makeNpmPackage(tree, output)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  return readdirSync(output).filter((name) => !before.has(name))
}

function timeOfCommit() {
  return execFileSync('git', ['log', '-1', '--format=%ct'], { cwd: ROOT, encoding: 'utf8' }).trim()
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const output = join(ROOT, 'dist-release')
  rmSync(output, { recursive: true, force: true })
  console.log(makeArtefacts(output).join('\n'))
}
