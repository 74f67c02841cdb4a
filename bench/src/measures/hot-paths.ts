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
/** The first seconds of a process are spent on compiling what it runs. */
const WARM_UP_SECONDS = 3

/** What people do all day. */
interface HotPath {
  name: string
  what: 'home' | 'switches'
  /** As parts of what pgbench reaches with the same statements, by one process and by two. */
  goals: { one: number; two: number | null }
  mostMicroseconds: number
  people(round: number): Promise<{ first: number; people: Person[] }>
  /** Answers a second, if pgbench ran the statements of one for these people. */
  inPgbench(pgbench: string, firstPerson: number): Promise<number>
}

/** Home reads and switches over HTTP beside the same statements in pgbench, and the CPU that each takes. */
export async function measureHotPaths(bench: Bench): Promise<void> {
  const { dataset, size, report } = bench
  const one = await startDeeb({ databaseUrl: dataset.url })
  const servers = bench.isQuick ? [one] : [one, await startDeeb({ databaseUrl: dataset.url })]
  if (bench.isQuick) report.skipped('two processes beside each other', 'the short form has one')
  if (!bench.pgbench) report.skipped('rates beside pgbench', 'there is no pgbench on this machine')
  if (!bench.wrk) report.skipped('load by wrk', 'there is no wrk on this machine; a client in Node took its place')

  const pace = { connections: CONNECTIONS, seconds: size.seconds }
  const capacity = await measureHotPath(bench, servers, {
    name: 'home read',
    what: 'home',
    goals: { one: 0.45, two: 0.55 },
    mostMicroseconds: 120,
    people: (round) => historians(bench, round, CONNECTIONS),
    inPgbench: async (pgbench, firstPerson) =>
      pgbenchRate(pgbench, dataset.url, { statements: [await homeRead('')], firstPerson }, pace),
  })
  await measureHotPath(bench, servers, {
    name: 'switch',
    what: 'switches',
    goals: { one: 0.65, two: null },
    mostMicroseconds: 130,
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

/** Gives how many answers a second one process came to. */
async function measureHotPath(bench: Bench, servers: DeebServer[], path: HotPath): Promise<number> {
  const { size, report, pgbench } = bench
  const { name, what, goals, mostMicroseconds } = path
  const cpu: number[] = []
  const inAll: Record<'pgbench' | 'one', number[]> = { pgbench: [], one: [] }
  const run = async (on: DeebServer[], round: number) =>
    load(bench, on, what, (await path.people(round)).people, size.seconds)
  /** With the database and whoever generates the load. */
  const cpuInAll = () =>
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
      const before = cpuInAll()
      const perSecond = await path.inPgbench(pgbench, first)
      inAll.pgbench.push(((cpuInAll() - before) / (perSecond * size.seconds)) * 1e6)
      return perSecond
    },
    async one(round) {
      const before = cpuInAll()
      const { perSecond, answers, cpuMicroseconds } = await run(servers.slice(0, 1), round)
      inAll.one.push(((cpuInAll() - before) / answers) * 1e6)
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
    report.goal({ what: `${name}, processes: ${processes}`, goal, figure: figure(ratio), isReached })
  }
  report.raw(`${name}, CPU of the server, µs each`, cpu)
  report.goal({
    what: `${name}, CPU of the server`,
    goal: `at most ${mostMicroseconds} µs`,
    figure: `${figure(median(cpu))} µs`,
    isReached: median(cpu) <= mostMicroseconds,
  })
  report.raw(`${name}, CPU of everything, µs each`, inAll.one)
  report.raw(`${name}, CPU of everything with pgbench, µs each`, inAll.pgbench)
  const share = median(inAll.one.map((each, round) => (inAll.pgbench[round] ?? Number.NaN) / each))
  report.note(
    `${name}: if nothing but the CPU counted, with server, database and load in it, over HTTP it would be ${figure(share)} of pgbench.`,
  )
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
    const [half, ninety, most] = [50, 90, 99].map((percent) => figure(percentile(took, percent)))
    report.note(
      `Home reads by a client in Node, ${figure(perSecond)} a second (${share * 100} % of one process's rate), counted from when each was due: ${half} ms (median), ${ninety} ms (90 of 100), ${most} ms (99 of 100).`,
    )
  }
}
