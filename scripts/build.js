// Builds what `npm start` runs: the texts, then the server, the CLI, the extension and the web at the same time.
import { copyFileSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { zipSync } from 'fflate'
import { buildCli, CLI_PACKAGE } from '../cli/build.js'
import { buildServer } from '../server/build.js'
import { BUILD_STAMP } from './build-if-stale.js'
import { run } from './run.js'
import { compileTexts } from './texts.js'

const WEB = fileURLToPath(new URL('../web/dist/', import.meta.url))
const stamp = fileURLToPath(new URL(`../${BUILD_STAMP}`, import.meta.url))
rmSync(stamp, { force: true })
compileTexts()
const programs = Promise.all([buildServer(), buildCli()]).then(
  () => 0,
  (error) => {
    console.error(error.message)
    return 1
  },
)
const buildOf = (workspace) => run('npm', ['run', '--silent', 'build', '-w', workspace])
const codes = await Promise.all([buildOf('web'), buildOf('extension'), programs])
const code = Math.max(...codes)
if (code === 0) {
  // For GET /cli.tgz and /extension.zip.
  copyFileSync(CLI_PACKAGE, `${WEB}cli.tgz`)
  writeFileSync(`${WEB}extension.zip`, zipOf(fileURLToPath(new URL('../extension/dist/', import.meta.url))))
  writeFileSync(stamp, '')
}
process.exit(code)

/** A zip of the files of a folder. The same files give the same bytes. */
function zipOf(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const paths = entries.map(({ parentPath, name }) =>
    `${parentPath.slice(folder.length)}/${name}`.replaceAll('\\', '/'),
  )
  const files = paths.map((path) => path.replace(/^\/+/, '')).sort()
  return zipSync(Object.fromEntries(files.map((path) => [path, readFileSync(folder + path)])), {
    mtime: new Date(1980, 0),
  })
}
