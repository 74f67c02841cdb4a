// Installs the development packages (tests, linters, browsers), which a plain `npm ci` leaves out (.npmrc). Does nothing if all packages
// are those of the lock file. npm writes its list of the installed packages last, so it is older or absent after an interruption.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { run } from './run.js'

const root = fileURLToPath(new URL('..', import.meta.url))

if (!isComplete()) {
  console.log('Installing the development packages, which takes about a minute ...')
  // After Ctrl-C npm removes what it has installed so far. A second installation must not begin before it ends.
  process.on('SIGINT', () => {})
  // Keeps what is installed and the lock file. Warnings are about versions of Node that only these packages no longer support.
  const code = await run('npm', ['install', '--include=dev', '--no-save', '--loglevel=error'])
  if (code !== 0) {
    console.error(
      'The development packages are not installed: see above. If npm cannot reach its registry, check the connection.',
    )
    process.exit(1)
  }
}

/** Whether each package of the lock file is installed, in its version. Optional ones may be for other platforms. */
function isComplete() {
  const locked = Object.entries(packagesOf('package-lock.json')).filter(
    ([path, { optional, link }]) => path.includes('node_modules/') && !optional && !link,
  )
  const installed = packagesOf('node_modules/.package-lock.json')
  return locked.every(([path, { version }]) => installed[path]?.version === version && existsSync(root + path))
}

/** The packages of a lock file by path; none if the file does not exist. */
function packagesOf(file) {
  return existsSync(root + file) ? JSON.parse(readFileSync(root + file, 'utf8')).packages : {}
}
