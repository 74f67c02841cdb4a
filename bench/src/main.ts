import { mkdir, writeFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import type { Bench } from './bench.ts'
import { type Databases, startDatabases } from './databases.ts'
import { describeMachine } from './machine.ts'
import { measureAnnouncing } from './measures/announcing.ts'
import { measureHotPaths } from './measures/hot-paths.ts'
import { measureLive } from './measures/live.ts'
import { measureReads } from './measures/reads.ts'
import { measureSignIn } from './measures/sign-in.ts'
import { measureStarts } from './measures/start.ts'
import { findProgram } from './programs.ts'
import { createReport } from './report.ts'
import { FULL, QUICK } from './size.ts'

const RESULTS = fileURLToPath(new URL('../results/', import.meta.url))

const isQuick = process.argv.includes('--quick')
const beganAtMs = performance.now()
const say = (line: string) =>
  console.log(`${((performance.now() - beganAtMs) / 1000).toFixed(0).padStart(5)} s  ${line}`)
process.once('SIGINT', () => process.exit(130))

async function measure(databases: Databases): Promise<string> {
  const size = isQuick ? QUICK : FULL
  const report = createReport(say)
  say(`making ${size.people.toLocaleString('en-US')} people`)
  const dataset = await databases.make('deeb', size)
  const bench: Bench = {
    ...{ isQuick, size, databases, dataset, report },
    pgbench: findProgram('pgbench', [databases.binaries]),
    wrk: findProgram('wrk'),
  }
  await measureHotPaths(bench)
  await measureAnnouncing(bench)
  await measureReads(bench)
  await measureLive(bench)
  await measureSignIn(bench)
  await measureStarts(bench)
  return report.text(await describeMachine(bench))
}

const databases = await startDatabases()
if (!databases) {
  console.log('Skipped, all of it: no PostgreSQL can run on this machine.')
} else {
  try {
    const text = await measure(databases)
    if (isQuick) console.log(`\n${text}`)
    else {
      await mkdir(RESULTS, { recursive: true })
      await writeFile(`${RESULTS}latest.md`, text)
      say(`${RESULTS}latest.md has it all`)
    }
  } finally {
    await databases.stop()
  }
}
