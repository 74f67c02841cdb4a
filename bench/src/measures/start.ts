import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbedded } from '../../../server/src/db/embedded.ts'
import { migrate } from '../../../server/src/db/migrate.ts'
import type { Bench } from '../bench.ts'
import { fill } from '../dataset.ts'
import { type DeebServer, startDeeb } from '../deeb-server.ts'
import { figure, median } from '../figures.ts'
import { load } from '../load.ts'
import { residentBytes } from '../process-stat.ts'
import { QUICK, type Size } from '../size.ts'
import { signedIn } from '../tokens.ts'

const MB = 1e6

/** The data of a small company after its first year. */
const SMALL: Size = { ...QUICK, people: 1_000, company: 600, historians: 20, streams: 51 }

interface Engine {
  name: string
  maxStartMs: number
  maxMegabytes: number
}

const EMBEDDED: Engine = { name: 'embedded', maxStartMs: 1_000, maxMegabytes: 400 }
const POSTGRESQL: Engine = { name: 'PostgreSQL', maxStartMs: 500, maxMegabytes: 150 }
const LOAD_SECONDS = 10

type Start = () => Promise<DeebServer>

/** Measures the start time on existing data, and the memory after the start and after load, on both engines. */
export async function measureStarts(bench: Bench): Promise<void> {
  const onPostgres = () => startDeeb({ databaseUrl: bench.dataset.url })
  if (bench.isQuick) {
    bench.report.skipped(
      'start and memory with the embedded database, memory after load',
      'they take too long for the quick run',
    )
    return reportStarts(bench, POSTGRESQL, await startTimes(bench, onPostgres))
  }
  const dataDir = await mkdtemp(join(tmpdir(), 'deeb-bench-'))
  const database = await openEmbedded(dataDir)
  await migrate(database)
  await fill(database.script, SMALL)
  await database.close()
  const onEmbedded = () => startDeeb({ databaseUrl: null, dataDir })
  reportStarts(bench, EMBEDDED, await startTimes(bench, onEmbedded))
  await measureMemory(bench, EMBEDDED, onEmbedded)
  reportStarts(bench, POSTGRESQL, await startTimes(bench, onPostgres))
  await measureMemory(bench, POSTGRESQL, onPostgres)
  await rm(dataDir, { recursive: true, force: true })
}

/** The start time of each round, in ms. */
async function startTimes({ size }: Bench, start: Start): Promise<number[]> {
  const times: number[] = []
  for (let round = 0; round < size.rounds; round++) {
    const server = await start()
    await server.stop()
    times.push(server.startMs)
  }
  return times
}

function reportStarts({ report }: Bench, { name, maxStartMs }: Engine, times: number[]): void {
  report.raw(`start until /healthz is 200, ${name}, ms`, times)
  report.goal({
    what: `start on existing data, ${name}`,
    goal: `at most ${maxStartMs / 1000} s`,
    figure: `${figure(median(times) / 1000)} s`,
    isReached: median(times) <= maxStartMs,
  })
}

async function measureMemory(bench: Bench, { name, maxMegabytes }: Engine, start: Start): Promise<void> {
  const { report } = bench
  const held = await memory(bench, start)
  report.raw(`memory after the start and after each of three equal loads, ${name}, MB`, held)
  const [atStart = 0, , second = 0, third = 0] = held
  report.goal({
    what: `memory, ${name}, after the start and after load`,
    goal: `at most ${maxMegabytes} MB`,
    figure: `${figure(atStart)} MB, ${figure(third)} MB`,
    isReached: Math.max(...held) <= maxMegabytes,
  })
  report.goal({
    what: `memory, ${name}, growth from the second to the third of equal loads`,
    goal: 'none (5 % is noise)',
    figure: `${figure((third / second - 1) * 100)} %`,
    isRatio: true,
    isReached: third <= second * 1.05,
  })
}

/** Resident memory in MB: after the start, and after each of three equal loads of reads and switches. */
async function memory(bench: Bench, start: Start): Promise<number[]> {
  const server = await start()
  const held = [residentBytes(server.pid) / MB]
  const people = await signedIn(SMALL.company + 1, SMALL.company + 16)
  for (let round = 0; round < 3; round++) {
    await load(bench, [server], 'home', people, LOAD_SECONDS)
    await load(bench, [server], 'switches', people, LOAD_SECONDS)
    held.push(residentBytes(server.pid) / MB)
  }
  await server.stop()
  return held
}
