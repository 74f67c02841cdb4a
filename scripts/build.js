// Builds what `npm start` runs: the texts, then the server and the web at the same time.
import { rmSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { buildServer } from '../server/build.js'
import { BUILD_STAMP } from './build-if-stale.js'
import { run } from './run.js'
import { compileTexts } from './texts.js'

const stamp = fileURLToPath(new URL(`../${BUILD_STAMP}`, import.meta.url))
rmSync(stamp, { force: true })
compileTexts()
const server = buildServer().then(
  () => 0,
  (error) => {
    console.error(error.message)
    return 1
  },
)
const codes = await Promise.all([run('npm', ['run', '--silent', 'build', '-w', 'web']), server])
const code = Math.max(...codes)
if (code === 0) writeFileSync(stamp, '')
process.exit(code)
