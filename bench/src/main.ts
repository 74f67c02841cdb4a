import { mkdir, writeFile } from 'node:fs/promises'
import type { Bench } from './bench.ts'
import { type Databases, type Dataset, startDatabases } from './databases.ts'
import { BENCH_FOLDER } from './folders.ts'
import { describeMachine } from './machine.ts'
import { measureGrowth } from './measures/growth.ts'
import { measureHotPaths } from './measures/hot-paths.ts'
import { measureLive } from './measures/live.ts'
import { measurePeer } from './measures/peer.ts'
import { measurePublishing } from './measures/publishing.ts'
import { measureReads } from './measures/reads.ts'
import { measureReport } from './measures/report.ts'
import { measureSignIn } from './measures/sign-in.ts'
import { measureStarts } from './measures/start.ts'
import { parentOf } from './process-stat.ts'
import { findProgram } from './programs.ts'
import { createReport } from './report.ts'
import { FULL, HOT, QUICK, sizeFor } from './size.ts'

const RESULTS = `${BENCH_FOLDER}results/`

const isQuick = process.argv.includes('--quick')
/** Only home reads and switches. */
const isHotOnly = process.argv.includes('--hot')
/** Only the counting of weeks for company reports. */
const isReportOnly = process.argv.includes('--report')
/** With `--streams=N`: only N live streams on one process. */
const streamsOnly = Number(/--streams=(\d+)/.exec(process.argv.join(' '))?.[1] ?? 0)
const isPart = isHotOnly || isReportOnly || streamsOnly > 0
const beganAtMs = performance.now()
const say = (line: string) =>
  console.log(`${((performance.now() - beganAtMs) / 1000).toFixed(0).padStart(5)} s  ${line}`)

async function measure(databases: Databases): Promise<string> {
  const size = streamsOnly > 0 ? sizeFor(streamsOnly) : isHotOnly ? HOT : isQuick || isReportOnly ? QUICK : FULL
  const report = createReport(say)
  say(`creating ${size.people.toLocaleString('en-US')} people`)
  const dataset = await databases.make('deeb', size)
  const bench: Bench = {
    ...{ isQuick, size, databases, dataset, report },
    postmaster: await postmasterOf(dataset),
    pgbench: findProgram('pgbench', [databases.binaries]),
    wrk: findProgram('wrk'),
  }
  if (isPart) {
    const measurePart = isHotOnly ? measureHotPaths : isReportOnly ? measureReport : measureLive
    await measurePart(bench)
    return report.text(await describeMachine(bench))
  }
  await measureHotPaths(bench)
  await measurePublishing(bench)
  const reads = await measureReads(bench)
  const live = await measureLive(bench)
  await measureSignIn(bench)
  await measureStarts(bench)
  await measurePeer(bench)
  await measureReport(bench)
  await measureGrowth(bench, { ...reads, live })
  return report.text(await describeMachine(bench))
}

async function postmasterOf({ client }: Dataset): Promise<number> {
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  return parentOf(rows[0]?.pid ?? 0)
}

const databases = await startDatabases()
if (!databases) {
  console.log('Skipped all benchmarks: no PostgreSQL can run on this machine.')
} else {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => void databases.stop().finally(() => process.exit(130)))
  }
  try {
    const text = await measure(databases)
    if (isQuick || isPart) console.log(`\n${text}`)
    else {
      await mkdir(RESULTS, { recursive: true })
      await writeFile(`${RESULTS}latest.md`, text)
      say(`the report is in ${RESULTS}latest.md`)
    }
  } finally {
    await databases.stop()
  }
}
