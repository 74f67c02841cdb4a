// Breaks the product on purpose, one rule at a time, in a copy of the tree, and says which test sees it. Ends with code 1 if
// one of them is seen by none: then that rule is not tested. With --check it only looks whether there still is what it breaks.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MUTATIONS } from './mutations.js'
import { run } from './run.js'

const root = fileURLToPath(new URL('..', import.meta.url))
if (process.argv.includes('--check')) {
  for (const mutation of MUTATIONS) broken(readFileSync(join(root, mutation.file), 'utf8'), mutation)
  process.exit(0)
}

const copy = mkdtempSync(join(tmpdir(), 'deeb-mutation-'))
const report = join(copy, 'report.json')
/** What is made or installed, and what is somebody's. */
const NOT_COPIED = /[\\/](node_modules|dist|\.git|\.env.*)$/

try {
  cpSync(root, copy, { recursive: true, filter: (path) => path !== join(root, 'data') && !NOT_COPIED.test(path) })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction')
  const failing = await firstFailure([...new Set(MUTATIONS.map(({ test }) => test))])
  if (failing) throw new Error(`A test fails while nothing is broken: ${failing}`)
  const rows = []
  for (const mutation of MUTATIONS) rows.push(`| ${mutation.what} | ${(await seenBy(mutation)) ?? '**nothing**'} |`)
  console.log(`\n| broken on purpose | seen by |\n|---|---|\n${rows.join('\n')}`)
  process.exitCode = rows.some((row) => row.includes('**nothing**')) ? 1 : 0
} finally {
  rmSync(copy, { recursive: true, force: true })
}

/** The whole of a file with its rule broken. Throws where the rule is not written as the mutation has it. */
function broken(whole, { file, from, to }) {
  if (whole.split(from).length !== 2) throw new Error(`${file} does not say once: ${from}`)
  return whole.replace(from, to)
}

/** Which test sees it, or null. */
async function seenBy(mutation) {
  const path = join(copy, mutation.file)
  const whole = readFileSync(path, 'utf8')
  writeFileSync(path, broken(whole, mutation))
  try {
    const failed = await firstFailure([mutation.test])
    return failed && `\`${mutation.test}\`: ${failed}`
  } finally {
    writeFileSync(path, whole)
  }
}

/** The name of the first test of these files that fails, or null. */
async function firstFailure(tests) {
  const options = ['--project', 'server-embedded', '--reporter=json', `--outputFile=${report}`]
  await run('vitest', ['run', ...options, ...tests], {}, copy)
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  rmSync(report)
  const results = testResults.flatMap(({ assertionResults }) => assertionResults)
  return results.find(({ status }) => status === 'failed')?.fullName ?? null
}
