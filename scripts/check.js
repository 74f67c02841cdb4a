// Static checks: the keys of texts, types, the web build, lint with the import rules, unused code, licences, generated tables, the anchors of the
// mutation tests, the tests and programs that docs name, mutual imports, the words of the glossary, and the size limits of the first visit.
import { run } from './run.js'

const steps = [
  ['node', ['scripts/texts.js', '--check']],
  ['tsc', ['-b', 'core', 'server', 'bench']],
  ['tsc', ['-p', 'web']],
  ['tsc', ['-p', 'web/worker']],
  ['tsc', ['-p', 'cli']],
  ['tsc', ['-p', 'e2e']],
  ['npm', ['run', '--silent', 'build', '-w', 'web']],
  ['biome', ['check', '--error-on-warnings', '.']],
  ['knip', []],
  ['node', ['scripts/licences.js', '--check']],
  ['node', ['scripts/tables.js', '--check']],
  ['node', ['scripts/mutation.js', '--check']],
  ['node', ['scripts/quoted-tests.js']],
  ['node', ['scripts/npx-names.js']],
  ['node', ['scripts/room-imports.js', '--check']],
  ['node', ['scripts/words.js']],
  ['size-limit', []],
]
for (const [command, args] of steps) {
  console.log(`\n> ${command} ${args.join(' ')}`)
  const code = await run(command, args)
  if (code !== 0) process.exit(code)
}
