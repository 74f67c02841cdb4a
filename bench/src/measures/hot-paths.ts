import { type Bench, freshPeople, historians } from '../bench.ts'
import { BARE_MAIN, type DeebServer, startDeeb } from '../deeb-server.ts'
import { alternate, figure, median, percentile } from '../figures.ts'
import { load } from '../load.ts'
import { openLoop } from '../open-loop.ts'
import { homeRequest } from '../requests.ts'
import type { Person } from '../tokens.ts'

const CONNECTIONS = 16
/** In its first seconds a process compiles its code. */
const WARM_UP_SECONDS = 3

/** A frequent operation of the product. */
interface HotPath {
  name: string
  what: 'home' | 'switches'
  /** The maximum CPU of the server, relative to that of the bare server with the same statements. */
  maxRatio: number
  people(round: number): Promise<Person[]>
}

/** Compares the CPU of home reads and switches with that of a server which only runs the same statements. */
export async function measureHotPaths(bench: Bench): Promise<void> {
  const { dataset, report } = bench
  const deeb = await startDeeb({ databaseUrl: dataset.url })
  const bare = await startDeeb({ databaseUrl: dataset.url, main: BARE_MAIN })
  if (!bench.wrk) report.skipped('load by wrk', 'wrk is not installed; a client in Node was used')

  const servers = { deeb, bare }
  const capacity = await measureHotPath(bench, servers, {
    name: 'home read',
    what: 'home',
    maxRatio: 2,
    people: (round) => historians(bench, round, CONNECTIONS),
  })
  await measureHotPath(bench, servers, {
    name: 'switch',
    what: 'switches',
    maxRatio: 1.8,
    people: () => freshPeople(bench, CONNECTIONS),
  })
  await measureSteadyReads(bench, deeb, capacity)
  for (const server of [deeb, bare]) await server.stop()
}

/** Resolves with the answers per second. */
async function measureHotPath(
  bench: Bench,
  { deeb, bare }: { deeb: DeebServer; bare: DeebServer },
  { name, what, maxRatio, people }: HotPath,
): Promise<number> {
  const { size, report } = bench
  const rates: number[] = []
  const run = async (server: DeebServer, work: typeof what | 'constant', round: number, seconds = size.seconds) =>
    load(bench, server, work, await people(round), seconds)
  for (const server of [deeb, bare]) await run(server, what, 0, WARM_UP_SECONDS)

  const cpu = await alternate(size.rounds, {
    constant: async (round) => (await run(bare, 'constant', round)).cpuMicroseconds,
    bare: async (round) => (await run(bare, what, round)).cpuMicroseconds,
    async deeb(round) {
      const { perSecond, cpuMicroseconds } = await run(deeb, what, round)
      rates.push(perSecond)
      return cpuMicroseconds
    },
  })
  report.raw(`${name}, a second`, rates)
  report.raw(`${name}, CPU of the server, µs each`, cpu.deeb)
  report.raw(`${name}, CPU of a bare server with the same statement, µs each`, cpu.bare)
  report.raw(`a constant answer of a bare server, CPU, µs each`, cpu.constant)
  const ratio = median(cpu.deeb.map((each, round) => each / (cpu.bare[round] ?? Number.NaN)))
  report.goal({
    what: `${name}, CPU of the server`,
    goal: `at most ${maxRatio} times that of a bare server`,
    figure: `${figure(ratio)} times`,
    isRatio: true,
    isReached: ratio <= maxRatio,
  })
  return median(rates)
}

async function measureSteadyReads(bench: Bench, { port }: DeebServer, capacity: number): Promise<void> {
  const { size, report } = bench
  const people = await historians(bench, 0, Math.min(size.historians - 1, 500))
  const requests = people.map(homeRequest)
  for (const share of bench.isQuick ? [0.5] : [0.25, 0.5, 0.75]) {
    const perSecond = capacity * share
    const pace = { perSecond, count: Math.round(perSecond * size.seconds) }
    const sent = await openLoop(port, (n) => requests[n % requests.length] ?? '', pace)
    const took = sent.map(({ dueAtMs, answeredAtMs }) => answeredAtMs - dueAtMs)
    const [p50, p90, p99] = [50, 90, 99].map((percent) => figure(percentile(took, percent)))
    report.note(
      `Home reads by a client in Node, ${figure(perSecond)} a second (${share * 100} % of one process's rate), open loop: ${p50} ms (p50), ${p90} ms (p90), ${p99} ms (p99).`,
    )
  }
}
