// Runs the tests of the server and the CLI on other versions of Node, from the npm packages that contain its binary: npm run test:all -- --part node 22 24.
// Further arguments go to vitest: npm run test:all -- --part node 22 server/src/auth
import { execFileSync } from 'node:child_process'
import { fetchNode } from './fetch-node.js'
import { run } from './run.js'

const SUPPORTED = ['22', '24']

const isVersion = (arg) => /^\d+(\.\d+){0,2}$/.test(arg)
const args = process.argv.slice(2)
const named = args.filter(isVersion)
const forVitest = [
  'run',
  '--project=server-*',
  '--project=all-*',
  '--project=cli',
  ...args.filter((arg) => !isVersion(arg)),
]

const programs = []
for (const version of named.length > 0 ? named : SUPPORTED) programs.push(await fetchNode(version))

const results = []
for (const program of programs) {
  const version = execFileSync(program, ['--version'], { encoding: 'utf8' }).trim()
  console.log(`\n> The tests of the server and the CLI with Node ${version}`)
  const code = await run(program, ['node_modules/vitest/vitest.mjs', ...forVitest])
  results.push({ code, line: `Node ${version}: ${code === 0 ? 'passed' : 'failed'}` })
}
console.log(`\n${results.map(({ line }) => line).join('\n')}`)
process.exit(results.every(({ code }) => code === 0) ? 0 : 1)
