// Breaks the product on purpose, one rule at a time, in a copy of the tree, and says which test sees it. Ends with code 1 if
// one of them is seen by none: then that rule is not tested.
import { cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { run } from './run.js'
import { SABOTAGES } from './sabotages.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const copy = mkdtempSync(join(tmpdir(), 'deeb-sabotage-'))
const report = join(copy, 'report.json')
/** What is made or installed, and what is somebody's. */
const NOT_COPIED = /[\\/](node_modules|dist|\.git|\.env.*)$/

try {
  cpSync(root, copy, { recursive: true, filter: (path) => path !== join(root, 'data') && !NOT_COPIED.test(path) })
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'), 'junction')
  const rows = []
  for (const sabotage of SABOTAGES) rows.push(`| ${sabotage.what} | ${(await seenBy(sabotage)) ?? '**nothing**'} |`)
  console.log(`\n| broken on purpose | seen by |\n|---|---|\n${rows.join('\n')}`)
  process.exitCode = rows.some((row) => row.includes('**nothing**')) ? 1 : 0
} finally {
  rmSync(copy, { recursive: true, force: true })
}

/** The name of the first test that fails, or null. */
async function seenBy({ file, from, to, test }) {
  const path = join(copy, file)
  const whole = readFileSync(path, 'utf8')
  if (whole.split(from).length !== 2) throw new Error(`${file} does not say once: ${from}`)
  writeFileSync(path, whole.replace(from, to))
  try {
    const options = ['--project', 'server-embedded', '--reporter=json', `--outputFile=${report}`]
    await run('vitest', ['run', ...options, test], {}, copy)
    const { testResults } = JSON.parse(readFileSync(report, 'utf8'))
    const failed = testResults
      .flatMap(({ assertionResults }) => assertionResults)
      .find(({ status }) => status === 'failed')
    return failed ? `\`${test}\`: ${failed.fullName}` : null
  } finally {
    rmSync(report, { force: true })
    writeFileSync(path, whole)
  }
}
