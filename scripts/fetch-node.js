import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from './run.js'

const CACHE = fileURLToPath(new URL('../node_modules/.cache/deeb-node/', import.meta.url))

/** Installs the newest Node of a version such as 22 or 22.13.0. Returns its path, or exits if npm does not have it. */
export async function fetchNode(version) {
  const name = packageName()
  const folder = join(CACHE, version)
  const code = await run('npm', ['install', '--silent', '--no-save', '--prefix', folder, `${name}@${version}`])
  const program = join(folder, 'node_modules', name, 'bin', process.platform === 'win32' ? 'node.exe' : 'node')
  if (code === 0 && existsSync(program)) return program
  console.error(`Node ${version} could not be installed from npm (${name}@${version}).`)
  process.exit(1)
}

function packageName() {
  const system = process.platform === 'win32' ? 'win' : process.platform
  return `node-${system === 'darwin' && process.arch === 'arm64' ? 'bin-darwin' : system}-${process.arch}`
}
