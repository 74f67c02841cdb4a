// The one gate: types, lint with the import rules, what nothing uses, and the licences of what is used.
import { run } from './run.js'

const steps = [
  ['tsc', ['-b', 'core', 'server', 'bench']],
  ['tsc', ['-p', 'web']],
  ['tsc', ['-p', 'web/worker']],
  ['tsc', ['-p', 'e2e']],
  ['biome', ['check', '--error-on-warnings', '.']],
  ['knip', []],
  ['node', ['scripts/licences.js', '--check']],
]
for (const [command, args] of steps) {
  console.log(`\n> ${command} ${args.join(' ')}`)
  const code = await run(command, args)
  if (code !== 0) process.exit(code)
}
