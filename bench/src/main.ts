import { mkdir, writeFile } from 'node:fs/promises'
import type { Bench } from './bench.ts'
import { type Databases, startDatabases } from './databases.ts'
import { BENCH_FOLDER } from './folders.ts'
import { describeMachine } from './machine.ts'
import { measureHotPaths } from './measures/hot-paths.ts'
import { measureLayers } from './measures/layers.ts'
import { measureLive } from './measures/live.ts'
import { measureReads } from './measures/reads.ts'
import { measureReport } from './measures/report.ts'
import { measureSignIn } from './measures/sign-in.ts'
import { measureTakes } from './measures/takes.ts'
import { findProgram } from './programs.ts'
import { createReport } from './report.ts'
import { FULL, HOT, QUICK, type Size, sizeFor } from './size.ts'

const RESULTS = `${BENCH_FOLDER}results/`

const has = (option: string) => process.argv.includes(`--${option}`)
const isQuick = has('quick')
/** With `--streams=N`: only N live streams on one process. */
const streamsOnly = Number(/--streams=(\d+)/.exec(process.argv.join(' '))?.[1] ?? 0)
/** With one of these options, only its measurement. */
const PARTS: [isChosen: boolean, size: Size, measure: (bench: Bench) => Promise<void>][] = [
  [has('hot'), HOT, measureHotPaths],
  [has('layers'), HOT, measureLayers],
  [has('report'), QUICK, measureReport],
  [has('takes'), QUICK, measureTakes],
  [streamsOnly > 0, sizeFor(streamsOnly), measureLive],
]
/** Measured by the quick run too. */
const EACH = [measureHotPaths, measureReads, measureLive, measureSignIn]
const part = PARTS.find(([isChosen]) => isChosen)
const beganAtMs = performance.now()
const say = (line: string) =>
  console.log(`${((performance.now() - beganAtMs) / 1000).toFixed(0).padStart(5)} s  ${line}`)

async function measure(databases: Databases): Promise<string> {
  const size = part?.[1] ?? (isQuick ? QUICK : FULL)
  const report = createReport(say)
  say(`creating ${size.people.toLocaleString('en-US')} people`)
  const dataset = await databases.make('deeb', size)
  const bench: Bench = {
    ...{ isQuick, size, databases, dataset, report },
    wrk: findProgram('wrk'),
  }
  for (const each of part ? [part[2]] : isQuick ? EACH : [...EACH, measureTakes, measureReport]) await each(bench)
  return report.text(await describeMachine(bench))
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
    if (isQuick || part) console.log(`\n${text}`)
    else {
      await mkdir(RESULTS, { recursive: true })
      await writeFile(`${RESULTS}latest.md`, text)
      say(`the report is in ${RESULTS}latest.md`)
    }
  } finally {
    await databases.stop()
  }
}
