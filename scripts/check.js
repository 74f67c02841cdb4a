// Static checks: the keys of texts, types, the build, lint with the import rules, unused code, licences, generated tables, the anchors of the
// mutation tests, the links, tests, threats and programs of the docs, bare texts on screens, the layers of rooms, the words of the glossary,
// and the size limits.
// Two run at a time. What a check prints is shown if it fails.
import { availableParallelism } from 'node:os'
import { run } from './run.js'

/** Later checks read what the first ones write: the compiled texts, then the build. */
const STAGES = [
  [['node', 'scripts/texts.js', '--check']],
  [
    ['node', 'scripts/build.js'],
    ['tsc', '-b', 'core', 'server', 'bench'],
    ['biome', 'check', '--error-on-warnings', '--colors=force', '.'],
    ['tsc', '-p', 'web'],
    ['tsc', '-p', 'web/worker'],
    ['tsc', '-p', 'cli'],
    ['tsc', '-p', 'extension'],
    ['tsc', '-p', 'e2e'],
    ['knip'],
    ['node', 'scripts/mutation.js', '--check'],
    ['node', 'scripts/docs.js'],
    ['node', 'scripts/npx-names.js'],
    ['node', 'scripts/bare-text.js'],
    [
      'depcruise',
      '--config',
      'scripts/layers.js',
      'core/src',
      'server/src',
      'web/src',
      'cli/src',
      'extension/src',
      'bench/src',
    ],
    ['node', 'scripts/words.js'],
  ],
  [['node', 'scripts/tables.js', '--check'], ['size-limit']],
]

let hasFailed = false
for (const stage of STAGES) {
  const waiting = [...stage]
  const lanes = Array.from({ length: Math.min(2, availableParallelism()) }, async () => {
    for (let check = waiting.shift(); check && !hasFailed; check = waiting.shift()) await pass(check)
  })
  await Promise.all(lanes)
  if (hasFailed) process.exit(1)
}

async function pass([command, ...args]) {
  const beganAtMs = performance.now()
  let output = ''
  const code = await run(command, args, {}, undefined, (chunk) => {
    output += chunk
  })
  const seconds = ((performance.now() - beganAtMs) / 1000).toFixed(1).padStart(5)
  console.log(`${code === 0 ? 'ok' : 'FAILED'} ${seconds} s  ${command} ${args.join(' ')}`)
  if (code === 0) return
  hasFailed = true
  console.log(output)
}
