// Builds what `npm start` runs: the texts, then the server, the CLI and the web at the same time.
import { copyFileSync, rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildCli, CLI_PACKAGE } from '../cli/build.js'
import { buildServer } from '../server/build.js'
import { BUILD_STAMP } from './build-if-stale.js'
import { run } from './run.js'
import { compileTexts } from './texts.js'

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
const codes = await Promise.all([run('npm', ['run', '--silent', 'build', '-w', 'web']), programs])
const code = Math.max(...codes)
if (code === 0) {
  // For GET /cli.tgz.
  copyFileSync(CLI_PACKAGE, fileURLToPath(new URL('../web/dist/cli.tgz', import.meta.url)))
  writeFileSync(stamp, '')
}
process.exit(code)
