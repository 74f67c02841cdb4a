// Builds what `npm start` runs: the texts, then the server and the web at the same time.
import { buildServer } from '../server/build.js'
import { run } from './run.js'
import { compileTexts } from './texts.js'

await compileTexts()
const server = buildServer().then(
  () => 0,
  (error) => {
    console.error(error.message)
    return 1
  },
)
const codes = await Promise.all([run('npm', ['run', '--silent', 'build', '-w', 'web']), server])
process.exit(Math.max(...codes))
