import { type Bench, freshPeople, historians } from '../bench.ts'
import { type DeebServer, startDeeb } from '../deeb-server.ts'
import { alternate, figure, median, percentile } from '../figures.ts'
import { load } from '../load.ts'
import { openLoop } from '../open-loop.ts'
import { pgbenchRate } from '../pgbench.ts'
import { cpuSeconds, cpuSecondsOfEndedChildren, cpuSecondsWithChildren } from '../process-stat.ts'
import { homeRead, switchOff, switchOn } from '../recorded.ts'
import { homeRequest, newSessionId } from '../requests.ts'
import type { Person } from '../tokens.ts'

const CONNECTIONS = 16
/** In its first seconds a process compiles its code. */
const WARM_UP_SECONDS = 3

/** A frequent operation of the product. */
interface HotPath {
  name: string
  what: 'home' | 'switches'
  /** Minimum rates relative to pgbench with the same statements, for one process and for two. */
  goals: { one: number; two: number | null }
  maxMicroseconds: number
  /** The maximum total CPU of an operation relative to that of pgbench. */
  maxCpuRatio: number
  people(round: number): Promise<{ first: number; people: Person[] }>
  /** The rate per second of the same statements in pgbench. */
  inPgbench(pgbench: string, firstPerson: number): Promise<number>
}

/** Compares home reads and switches over HTTP with the same statements in pgbench, and measures the CPU of each. */
export async function measureHotPaths(bench: Bench): Promise<void> {
  const { dataset, size, report } = bench
  const one = await startDeeb({ databaseUrl: dataset.url })
  const servers = bench.isQuick ? [one] : [one, await startDeeb({ databaseUrl: dataset.url })]
  if (bench.isQuick) report.skipped('two processes', 'the quick run has one')
  if (!bench.pgbench) report.skipped('rates compared with pgbench', 'pgbench is not installed')
  if (!bench.wrk) report.skipped('load by wrk', 'wrk is not installed; a client in Node was used')

  const pace = { connections: CONNECTIONS, seconds: size.seconds }
  const capacity = await measureHotPath(bench, servers, {
    name: 'home read',
    what: 'home',
    goals: { one: 0.8, two: 0.8 },
    maxMicroseconds: 120,
    maxCpuRatio: 1.2,
    people: (round) => historians(bench, round, CONNECTIONS),
    inPgbench: async (pgbench, firstPerson) =>
      pgbenchRate(pgbench, dataset.url, { statements: [await homeRead('')], firstPerson }, pace),
  })
  await measureHotPath(bench, servers, {
    name: 'switch',
    what: 'switches',
    goals: { one: 1, two: null },
    maxMicroseconds: 130,
    maxCpuRatio: 1.5,
    people: () => freshPeople(bench, CONNECTIONS),
    async inPgbench(pgbench, firstPerson) {
      const sessionId = newSessionId()
      const statements = [await switchOn('', sessionId), await switchOff('', sessionId)]
      return 2 * (await pgbenchRate(pgbench, dataset.url, { statements, firstPerson, sessionId }, pace))
    },
  })
  await measureSteadyReads(bench, one, capacity)
  for (const server of servers) await server.stop()
}

/** Resolves with the answers per second of one process. */
async function measureHotPath(bench: Bench, servers: DeebServer[], path: HotPath): Promise<number> {
  const { size, report, pgbench } = bench
  const { name, what, goals, maxMicroseconds, maxCpuRatio } = path
  const cpu: number[] = []
  const total: Record<'pgbench' | 'one', number[]> = { pgbench: [], one: [] }
  const run = async (on: DeebServer[], round: number) =>
    load(bench, on, what, (await path.people(round)).people, size.seconds)
  /** The CPU of server, database and load generator. */
  const totalCpu = () =>
    cpuSecondsWithChildren(bench.postmaster) +
    cpuSecondsOfEndedChildren() +
    servers.reduce((sum, { pid }) => sum + cpuSeconds(pid), 0)
  for (const server of servers) {
    await load(bench, [server], what, (await path.people(0)).people, WARM_UP_SECONDS)
  }

  const rates = await alternate(size.rounds, {
    async pgbench(round) {
      if (!pgbench) return Number.NaN
      const { first } = await path.people(round)
      const before = totalCpu()
      const perSecond = await path.inPgbench(pgbench, first)
      total.pgbench.push(((totalCpu() - before) / (perSecond * size.seconds)) * 1e6)
      return perSecond
    },
    async one(round) {
      const before = totalCpu()
      const { perSecond, answers, cpuMicroseconds } = await run(servers.slice(0, 1), round)
      total.one.push(((totalCpu() - before) / answers) * 1e6)
      cpu.push(cpuMicroseconds)
      return perSecond
    },
    two: async (round) => (servers.length === 2 ? (await run(servers, round)).perSecond : Number.NaN),
  })
  report.raw(`${name}, pgbench, a second`, rates.pgbench)
  for (const [processes, least] of [['one', goals.one] as const, ['two', goals.two] as const]) {
    if (processes === 'two' && servers.length < 2) continue
    report.raw(`${name}, ${processes} of the server, a second`, rates[processes])
    const ratio = median(rates[processes].map((rate, round) => rate / (rates.pgbench[round] ?? Number.NaN)))
    if (least === null) continue
    const goal = `at least ${least} of pgbench`
    const isReached = Number.isNaN(ratio) ? null : ratio >= least
    report.goal({ what: `${name}, processes: ${processes}`, goal, figure: figure(ratio), isRatio: true, isReached })
  }
  report.raw(`${name}, CPU of the server, µs each`, cpu)
  report.goal({
    what: `${name}, CPU of the server`,
    goal: `at most ${maxMicroseconds} µs`,
    figure: `${figure(median(cpu))} µs`,
    isReached: median(cpu) <= maxMicroseconds,
  })
  report.raw(`${name}, total CPU, µs each`, total.one)
  report.raw(`${name}, total CPU with pgbench, µs each`, total.pgbench)
  const ratio = median(total.one.map((each, round) => each / (total.pgbench[round] ?? Number.NaN)))
  report.goal({
    what: `${name}, total CPU (server, database and load generator)`,
    goal: `at most ${maxCpuRatio} times that of pgbench and its database`,
    figure: `${figure(ratio)} times`,
    isRatio: true,
    isReached: Number.isNaN(ratio) ? null : ratio <= maxCpuRatio,
  })
  return median(rates.one)
}

async function measureSteadyReads(bench: Bench, { port }: DeebServer, capacity: number): Promise<void> {
  const { size, report } = bench
  const { people } = await historians(bench, 0, Math.min(size.historians - 1, 500))
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
