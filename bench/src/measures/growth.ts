import { mkdir, writeFile } from 'node:fs/promises'
import type { Bench } from '../bench.ts'
import { latencies } from '../closed-loop.ts'
import type { Dataset } from '../databases.ts'
import { type DeebServer, startDeeb } from '../deeb-server.ts'
import { databaseMs } from '../explain.ts'
import { alternate, median, percentile } from '../figures.ts'
import { BENCH_FOLDER } from '../folders.ts'
import { idOf } from '../person.ts'
import { type Plot, svgOf } from '../plot.ts'
import { search } from '../recorded.ts'
import { homeRequest, switches } from '../requests.ts'
import { CLIQUE, FULL, type Size } from '../size.ts'
import { type Person, signedIn } from '../tokens.ts'
import { type LiveFigures, measureStreams } from './live.ts'
import type { Medians } from './reads.ts'

const FOLDER = `${BENCH_FOLDER}../docs/develop/performance/`

/** Datasets with a hundredth and a tenth of the people. */
const SMALLER: Record<string, Size> = {
  '1,000': { ...FULL, people: 1_000, company: 600, historians: 50, streams: CLIQUE },
  '10,000': { ...FULL, people: 10_000, company: 5_000, historians: 100, streams: 20 * CLIQUE },
}

interface Measured {
  profile: Medians
  team: Medians
  live: LiveFigures
}

/** Measures how times and memory grow, and draws the plots of docs/develop/performance. */
export async function measureGrowth(bench: Bench, { profile, team, live }: Measured): Promise<void> {
  if (bench.isQuick)
    return bench.report.skipped(
      'growth with people, history, connections and streams',
      'they take too long for the quick run',
    )
  await mkdir(FOLDER, { recursive: true })
  await draw('people', await growthWithPeople(bench))
  await draw('history', {
    ...{
      title: 'Reading the profile screen',
      unit: 'ms',
      across: { name: 'history of the user', steps: Object.keys(profile) },
    },
    lines: [{ name: 'HTTP, median', values: Object.values(profile) }],
  })
  await draw('connections', {
    ...{ title: 'Reading the team screen', unit: 'ms', across: { name: 'connections', steps: Object.keys(team) } },
    lines: [{ name: 'HTTP, median', values: Object.values(team) }],
  })
  const fewer = []
  for (const streams of [2 * CLIQUE, 20 * CLIQUE]) {
    const pace = Math.round((streams * bench.size.switchesPerSecond) / bench.size.streams)
    fewer.push(await measureStreams(bench, streams, pace))
  }
  const all = [...fewer, live]
  for (const { streams, bytesEach, fromAnswerMs } of all) {
    bench.report.raw(`kB of memory for each of ${streams} streams`, [bytesEach / 1000])
    bench.report.raw(`ms from the answer to the last of 50 watchers, ${streams} streams`, [median(fromAnswerMs)])
  }
  const across = {
    name: 'open streams, each with 2.5 changes a second',
    steps: all.map(({ streams }) => `${streams}`),
  }
  await draw('streams-memory', {
    ...{ title: 'Memory of an open stream', unit: 'kB', across },
    lines: [{ name: 'each', values: all.map(({ bytesEach }) => bytesEach / 1000) }],
  })
  await draw('streams-time', {
    ...{ title: 'From a switch’s answer to the last of 50 watchers', unit: 'ms', across },
    lines: [
      { name: 'median', values: all.map(({ fromAnswerMs }) => median(fromAnswerMs)) },
      { name: 'p99', values: all.map(({ fromAnswerMs }) => percentile(fromAnswerMs, 99)) },
    ],
  })
}

async function growthWithPeople(bench: Bench): Promise<Plot> {
  const datasets: Record<string, Dataset> = {}
  for (const [name, size] of Object.entries(SMALLER)) {
    datasets[name] = await bench.databases.make(`people_${size.people}`, size)
  }
  datasets['100,000'] = bench.dataset
  const steps = Object.keys(datasets)
  const servers: Record<string, DeebServer> = {}
  for (const name of steps) servers[name] = await startDeeb({ databaseUrl: datasets[name]?.url ?? null })

  const medianOf = async (name: string, requestsOf: (person: Person) => (round: number) => string) => {
    // A person in a company of fifty who is not in deeb mode.
    const n = Math.floor((datasets[name]?.size.people ?? 0) * 0.97)
    const [person] = await signedIn(n, n)
    return median(await latencies(servers[name]?.port ?? 0, requestsOf(person as Person), 200))
  }
  const alternately = async (what: string, measure: (name: string) => Promise<number>): Promise<number[]> => {
    const rounds = await alternate(
      bench.size.rounds,
      Object.fromEntries(steps.map((name) => [name, () => measure(name)])),
    )
    for (const name of steps) bench.report.raw(`${what} with ${name} people, ms`, rounds[name] ?? [])
    return steps.map((name) => median(rounds[name] ?? []))
  }
  const lines = [
    {
      name: 'home',
      values: await alternately('home read', (name) => medianOf(name, (person) => () => homeRequest(person))),
    },
    { name: 'switch', values: await alternately('switch', (name) => medianOf(name, switches)) },
    {
      name: 'search, database',
      values: await alternately('search for "ann" in the database', async (name) => {
        const { client } = datasets[name] as Dataset
        return databaseMs(client, await search(idOf('person', 1), 'ann'))
      }),
    },
  ]
  for (const server of Object.values(servers)) await server.stop()
  return {
    title: 'One user, with a growing number of others',
    unit: 'ms',
    across: { name: 'people, half of them in one company', steps },
    lines,
  }
}

async function draw(name: string, plot: Plot): Promise<void> {
  await writeFile(`${FOLDER}${name}.svg`, svgOf(plot))
}
