import type { Bench } from '../bench.ts'
import { latencies } from '../closed-loop.ts'
import { type DeebServer, startDeeb } from '../deeb-server.ts'
import { databaseMs } from '../explain.ts'
import { alternate, figure, median } from '../figures.ts'
import { CIRCLES, CONNECTIONS, HISTORY_DAYS, idOf, withCircles, withConnections, withHistory } from '../person.ts'
import { presenceRead, search } from '../recorded.ts'
import { teamRequest, weekRequest } from '../requests.ts'
import { type Person, signedIn } from '../tokens.ts'

/** Queries of one and two letters, three and more, two words, a word that everyone has, and one that nobody has. */
const QUERIES = [
  'a',
  'x',
  'me',
  'ann',
  'mann',
  'nnake',
  'wagner',
  'large',
  'a m',
  'anna me',
  'ann mann',
  'annanna.wagson',
]

/** Measures search, profile and team reads with growing data. */
export async function measureReads(bench: Bench): Promise<void> {
  await measureSearch(bench)
  const server = await startDeeb({ databaseUrl: bench.dataset.url })
  await measureProfile(bench, server)
  await measureTeam(bench, server)
  await measureCircles(bench, server)
  await server.stop()
}

async function measureSearch({ dataset, size, report }: Bench): Promise<void> {
  const times: [string, number][] = []
  for (const query of QUERIES)
    times.push([query, await databaseMs(dataset.client, await search(idOf('person', 1), query))])
  times.sort(([, a], [, b]) => b - a)
  const company = size.company.toLocaleString('en-US')
  report.note(
    `Search in the database, in a company of ${company}: ${times.map(([query, ms]) => `"${query}" ${figure(ms)} ms`).join(', ')}.`,
  )
}

async function measureProfile(bench: Bench, server: DeebServer): Promise<void> {
  const names = Object.keys(HISTORY_DAYS) as (keyof typeof HISTORY_DAYS)[]
  const took = await readAlternately(bench, server, names, (name) => withHistory(bench.size, name), weekRequest)
  for (const name of names) bench.report.raw(`profile read with ${name} of history, ms`, took[name] ?? [])
  const ratio = median(took['10 years']) / median(took['10 days'])
  bench.report.goal({
    what: 'profile read with 10 years of history, compared with 10 days',
    goal: 'at most 1.2 times',
    figure: `${figure(ratio)} times`,
    isRatio: true,
    isReached: ratio <= 1.2,
  })
}

async function measureTeam(bench: Bench, server: DeebServer): Promise<void> {
  const names = CONNECTIONS.map(String)
  const numberOf = (name: string) => withConnections(bench.size, Number(name) as (typeof CONNECTIONS)[number])
  const took = await readAlternately(bench, server, names, numberOf, teamRequest)
  for (const name of names) bench.report.raw(`team read with ${name} connections, ms`, took[name] ?? [])
  const [few = Number.NaN, , many = Number.NaN] = names.map((name) => median(took[name] ?? []))
  bench.report.goal({
    what: 'team read with 500 connections, compared with 5',
    goal: 'at most 100 times',
    figure: `${figure(many / few)} times`,
    isRatio: true,
    isReached: many <= 100 * few,
  })
}

/** The team of a person in ten circles, and the read that finds those who see their switch. */
async function measureCircles(bench: Bench, server: DeebServer): Promise<void> {
  const { dataset, size, isQuick, report } = bench
  const n = withCircles(size)
  const people = CIRCLES.count * CIRCLES.others
  const took = await readAlternately(bench, server, ['team'], () => n, teamRequest)
  report.raw(`team read with ${people} people through circles, ms`, took.team)
  const { name, text, values } = await presenceRead(idOf('person', n))
  const times: number[] = []
  for (let run = 0; run < (isQuick ? 50 : 500); run++) {
    const beganAtMs = performance.now()
    const { rows } = await dataset.client.query<{ seenBy: string[] }>({ name, text, values })
    times.push(performance.now() - beganAtMs)
    if (rows[0]?.seenBy.length !== people) throw new Error('The people of the circles were not found.')
  }
  report.raw(`read of one change for ${CIRCLES.count} circles of ${CIRCLES.others} others, before it is sent, ms`, [
    median(times),
  ])
}

/** One connection reads for each of them alternately. The median of each round, in ms. */
async function readAlternately<Name extends string>(
  { size, isQuick }: Bench,
  { port }: DeebServer,
  names: Name[],
  numberOf: (name: Name) => number,
  requestOf: (person: Person) => string,
): Promise<Record<Name, number[]>> {
  const measures = await Promise.all(
    names.map(async (name) => {
      const [person] = await signedIn(numberOf(name), numberOf(name))
      const request = person ? requestOf(person) : ''
      return [name, async () => median(await latencies(port, () => request, isQuick ? 20 : 200))] as const
    }),
  )
  return alternate(size.rounds, Object.fromEntries(measures) as Record<Name, () => Promise<number>>)
}
