// The one gate: types, lint with the import rules, what nothing uses, the licences of what is used, whether what is broken on
// purpose is still there to be broken, and how much a first visit is sent.
import { run } from './run.js'

const steps = [
  ['tsc', ['-b', 'core', 'server', 'bench']],
  ['tsc', ['-p', 'web']],
  ['tsc', ['-p', 'web/worker']],
  ['tsc', ['-p', 'e2e']],
  ['npm', ['run', '--silent', 'build', '-w', 'web']],
  ['biome', ['check', '--error-on-warnings', '.']],
  ['knip', []],
  ['node', ['scripts/licences.js', '--check']],
  ['node', ['scripts/tables.js', '--check']],
  ['node', ['scripts/mutation.js', '--check']],
  ['node', ['scripts/room-imports.js', '--check']],
  ['size-limit', []],
]
for (const [command, args] of steps) {
  console.log(`\n> ${command} ${args.join(' ')}`)
  const code = await run(command, args)
  if (code !== 0) process.exit(code)
}
