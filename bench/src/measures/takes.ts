import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openEmbedded } from '../../../server/src/db/embedded.ts'
import { migrate } from '../../../server/src/db/migrate.ts'
import type { Bench } from '../bench.ts'
import { fill } from '../dataset.ts'
import { type DeebServer, startDeeb } from '../deeb-server.ts'
import { figure, median } from '../figures.ts'
import { BENCH_FOLDER } from '../folders.ts'
import { load } from '../load.ts'
import { residentBytes } from '../process-stat.ts'
import { CLIQUE, FULL, QUICK, type Size } from '../size.ts'
import { openStreams } from '../streams.ts'
import { signedIn } from '../tokens.ts'
import { measureStreams } from './live.ts'

const MB = 1e6
const LOADS = 3
const LOAD_SECONDS = 10
/** Everybody switches on within a quarter of an hour in the morning, and has the app open on one device in ten. */
const MORNING_SECONDS = 15 * 60
const ONE_OPEN_IN = 10
/** One clique of colleagues watches its own switches. */
const WATCHED = { streams: CLIQUE, switchesPerSecond: 10 }
const README = `${BENCH_FOLDER}../README.md`
const TABLE = /(<!-- table -->\n)[\s\S]*?(<!-- \/table -->)/
/** The sizes of the files of a release, by scripts/bench.js: a name and a size each. */
const SIZES: [string, string][] = JSON.parse(process.env.RELEASE_SIZES ?? '[]')

/** The data of a small company after its first year. */
const SMALL: Size = { ...QUICK, people: 1_000, company: 600, historians: 20, streams: CLIQUE }
const MEDIUM: Size = { ...FULL, people: 10_000, company: 5_000, historians: 100, streams: 20 * CLIQUE }

interface Installation {
  people: number
  /** The size of its data, at least that of a small company. */
  size: Size
  isEmbedded: boolean
}

const INSTALLATIONS: Installation[] = [
  { people: 10, size: SMALL, isEmbedded: true },
  { people: 300, size: SMALL, isEmbedded: true },
  { people: 10_000, size: MEDIUM, isEmbedded: false },
  { people: 100_000, size: FULL, isEmbedded: false },
]

/** Measures one process for so many people: time to start, memory, and the rate of switches. With the sizes of a release, writes README.md. */
export async function measureTakes(bench: Bench): Promise<void> {
  const rows: string[][] = []
  for (const installation of INSTALLATIONS) rows.push(await rowOf(bench, installation))
  if (SIZES.length > 0) await writeReadme(rows)
  bench.report.table(
    'What it takes',
    [
      ...['people', 'database', 'start, s', 'memory of the server, MB', 'the same after load, MB'],
      ...['switches a second', 'in a busy morning', 'from a switch to the last of 50 colleagues, ms'],
    ],
    rows,
  )
}

async function rowOf(bench: Bench, { people, size, isEmbedded }: Installation): Promise<string[]> {
  const dataDir = await mkdtemp(join(tmpdir(), 'deeb-bench-'))
  const databaseUrl = isEmbedded ? null : (await bench.databases.make(`takes_${people}`, size)).url
  if (isEmbedded) await fillEmbedded(dataDir, size)
  const start = () => startDeeb({ databaseUrl, dataDir })
  const startMs = await medianStart(bench, start)
  const server = await start()
  const opened = await signedIn(1, Math.max(1, people / ONE_OPEN_IN))
  const streams = await openStreams(server.port, opened, () => undefined)
  const atStart = residentBytes(server.pid) / MB
  const loads = await loadsOf(bench, server, size)
  streams.close()
  const { fromAnswerMs } = await measureStreams(bench, WATCHED, server)
  await server.stop()
  await rm(dataDir, { recursive: true, force: true })
  const [before = 0, after = 0] = loads.megabytes.slice(-2)
  const engine = isEmbedded ? 'embedded' : 'PostgreSQL'
  bench.report.raw(`memory after each of ${LOADS} equal loads, ${people} people, MB`, loads.megabytes)
  bench.report.goal({
    what: `memory, ${people} people, ${engine}, growth from the second to the third of equal loads`,
    goal: 'none (5 % is noise)',
    figure: `${figure((after / before - 1) * 100)} %`,
    isRatio: true,
    isReached: after <= before * 1.05,
  })
  return [
    ...[people.toLocaleString('en-US'), engine, figure(startMs / 1000), figure(atStart), figure(after)],
    ...[figure(loads.switchesPerSecond), figure(people / MORNING_SECONDS)],
    figure(median(fromAnswerMs)),
  ]
}

/** Writes the figures of a small company and of a large one into README.md, with the sizes. */
async function writeReadme(rows: string[][]): Promise<void> {
  const [, small = [], large = []] = rows
  const line = (name: string, column: number, unit: string) =>
    `| ${name} | ${small[column]} ${unit} | ${large[column]} ${unit} |`
  const table = [
    `| Node ${process.versions.node} | ${small[0]} people, embedded database | ${large[0]} people, with PostgreSQL |`,
    '|---|---|---|',
    line('start', 2, 's'),
    line('memory of the server', 3, 'MB'),
    line('the same after load', 4, 'MB'),
    line('switches', 5, 'a second'),
    line('from a switch to the last of 50 colleagues', 7, 'ms'),
    ...SIZES.map(([name, size]) => `| ${name} | ${size} | the same |`),
  ].join('\n')
  const text = await readFile(README, 'utf8')
  await writeFile(
    README,
    text.replace(TABLE, (_all, start, end) => `${start}\n${table}\n\n${end}`),
  )
}

async function fillEmbedded(dataDir: string, size: Size): Promise<void> {
  const database = await openEmbedded(dataDir)
  await migrate(database)
  await fill(database.script, size)
  await database.close()
}

async function medianStart({ size }: Bench, start: () => Promise<DeebServer>): Promise<number> {
  const times: number[] = []
  for (let round = 0; round < size.rounds; round++) {
    const server = await start()
    await server.stop()
    times.push(server.startMs)
  }
  return median(times)
}

/** Resident memory after each of some equal loads of reads and switches, and the rate of the last switches. */
async function loadsOf(bench: Bench, server: DeebServer, { company }: Size) {
  const people = await signedIn(company + 1, company + 16)
  const megabytes: number[] = []
  let switchesPerSecond = 0
  for (let round = 0; round < LOADS; round++) {
    await load(bench, server, 'home', people, LOAD_SECONDS)
    switchesPerSecond = (await load(bench, server, 'switches', people, LOAD_SECONDS)).perSecond
    megabytes.push(residentBytes(server.pid) / MB)
  }
  return { megabytes, switchesPerSecond }
}
