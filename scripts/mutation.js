// Mutation tests: breaks one rule of the product at a time in a copy of the tree, and prints the test that fails. Exits with 1 if
// no test fails, since that rule is then not tested. With --check, only checks that the code to break and its test still exist.
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { MUTATIONS } from './mutations.js'
import { run } from './run.js'

const root = fileURLToPath(new URL('..', import.meta.url))
if (process.argv.includes('--check')) {
  for (const mutation of MUTATIONS) {
    mutated(readFileSync(join(root, mutation.file), 'utf8'), mutation)
    if (!existsSync(join(root, 'server', mutation.test))) throw new Error(`There is no test ${mutation.test}.`)
  }
  process.exit(0)
}

const copy = mkdtempSync(join(tmpdir(), 'deeb-mutation-'))
const report = join(copy, 'report.json')
/** Build output, installed packages and personal files. */
const NOT_COPIED = /[\\/](node_modules|dist|\.git|\.env.*)$/

try {
  cpSync(root, copy, { recursive: true, filter: (path) => path !== join(root, 'data') && !NOT_COPIED.test(path) })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction')
  const failing = await firstFailure([...new Set(MUTATIONS.map(({ test }) => test))])
  if (failing) throw new Error(`A test fails without a mutation: ${failing}`)
  const rows = []
  for (const mutation of MUTATIONS) rows.push(`| ${mutation.what} | ${(await killedBy(mutation)) ?? '**no test**'} |`)
  console.log(`\n| mutation | failing test |\n|---|---|\n${rows.join('\n')}`)
  process.exitCode = rows.some((row) => row.includes('**no test**')) ? 1 : 0
} finally {
  rmSync(copy, { recursive: true, force: true })
}

/** The text of a file with the mutation. Throws unless the file contains `from` exactly once. */
function mutated(original, { file, from, to }) {
  if (original.split(from).length !== 2) throw new Error(`${file} does not contain exactly once: ${from}`)
  return original.replace(from, to)
}

/** The test that fails with the mutation, or null. */
async function killedBy(mutation) {
  const path = join(copy, mutation.file)
  const original = readFileSync(path, 'utf8')
  writeFileSync(path, mutated(original, mutation))
  try {
    const failed = await firstFailure([mutation.test])
    return failed && `\`${mutation.test}\`: ${failed}`
  } finally {
    writeFileSync(path, original)
  }
}

/** The name of the first failing test in these files, or null. */
async function firstFailure(tests) {
  const options = ['--project', '*-postgres', '--project', '*-embedded', '--reporter=json', `--outputFile=${report}`]
  await run('vitest', ['run', ...options, ...tests], {}, copy)
  const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
  rmSync(report)
  const results = testResults.flatMap(({ assertionResults }) => assertionResults)
  return results.find(({ status }) => status === 'failed')?.fullName ?? null
}
