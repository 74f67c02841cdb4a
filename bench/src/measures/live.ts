import { setTimeout as wait } from 'node:timers/promises'
import { type Bench, historians } from '../bench.ts'
import { BARE_MAIN, type DeebServer, PROFILED_MAIN, startDeeb } from '../deeb-server.ts'
import { figure, median, percentile } from '../figures.ts'
import { load } from '../load.ts'
import { openLoop, type Sent } from '../open-loop.ts'
import { cpuSeconds, residentBytes } from '../process-stat.ts'
import { newSessionId, switchOffRequest, switchOnRequest } from '../requests.ts'
import { CLIQUE } from '../size.ts'
import { openStreams } from '../streams.ts'
import { type Person, signedIn } from '../tokens.ts'

/** The results for a number of live streams, with switches at a steady rate. */
export interface LiveFigures {
  streams: number
  switchesPerSecond: number
  /** Fan-out latency of each switch in ms: from its answer, or from when it was due, to the last of its 50 watchers. */
  fromAnswerMs: number[]
  fromDueMs: number[]
  /** The number of switches that some watcher did not receive within 10 s. */
  incomplete: number
  /** The number of streams that ended before they were closed here. */
  lost: number
  /** CPU of the server per switch with its 50 deliveries, in µs. */
  cpuMicroseconds: number
}

const WATCHERS = CLIQUE - 1
const SETTLE_MS = 2_000
const WARM_UP_SECONDS = 3

/** Opens streams for people who are all connected within their clique. Each person switches at most once, alternating between cliques. */
export async function measureStreams(
  bench: Bench,
  { streams, switchesPerSecond }: Pick<LiveFigures, 'streams' | 'switchesPerSecond'>,
  server: DeebServer,
  record = (work: () => Promise<number>) => work(),
): Promise<LiveFigures> {
  const people = await signedIn(1, streams)
  const received = new Map<string, { times: number; lastAtMs: number }>()
  const open = await openStreams(server.port, people, (userId) => {
    const seen = received.get(userId)
    if (seen) {
      seen.times += 1
      seen.lastAtMs = performance.now()
    } else received.set(userId, { times: 1, lastAtMs: performance.now() })
  })
  await wait(SETTLE_MS)

  const count = Math.min(streams, Math.round(switchesPerSecond * bench.size.seconds * 2))
  const cliques = streams / CLIQUE
  const switching = people
    .map((_, n) => people[(n % cliques) * CLIQUE + Math.floor(n / cliques)] as Person)
    .slice(0, count)
  const sessionIds = switching.map(newSessionId)
  const result: LiveFigures = {
    ...{ streams, switchesPerSecond, incomplete: 0, lost: 0 },
    fromAnswerMs: [],
    fromDueMs: [],
    cpuMicroseconds: 0,
  }
  result.cpuMicroseconds = await record(async () => {
    const cpuBefore = cpuSeconds(server.pid)
    for (const requestOf of [switchOnRequest, switchOffRequest]) {
      received.clear()
      const request = (n: number) => requestOf(switching[n] as Person, sessionIds[n] ?? '')
      const sent = await openLoop(server.port, request, { perSecond: switchesPerSecond, count })
      await untilAllReceived(received, count)
      collect(result, sent, (n) => received.get(switching[n]?.userId ?? ''))
    }
    return ((cpuSeconds(server.pid) - cpuBefore) / (2 * count)) * 1e6
  })
  result.lost = open.lost()
  open.close()
  return result
}

async function untilAllReceived(received: Map<string, { times: number }>, count: number): Promise<void> {
  const isWhole = () => received.size >= count && [...received.values()].every(({ times }) => times >= WATCHERS)
  for (let tries = 0; tries < 100 && !isWhole(); tries++) await wait(100)
}

function collect(
  result: LiveFigures,
  sent: Sent[],
  receivedOf: (n: number) => { times: number; lastAtMs: number } | undefined,
): void {
  for (const [n, { dueAtMs, answeredAtMs }] of sent.entries()) {
    const seen = receivedOf(n)
    if (!seen || seen.times < WATCHERS) result.incomplete += 1
    else {
      // The last watcher may receive the event before the answer arrives.
      result.fromAnswerMs.push(Math.max(0, seen.lastAtMs - answeredAtMs))
      result.fromDueMs.push(seen.lastAtMs - dueAtMs)
    }
  }
}

/**
 * Measures the growth of a server's resident memory by `streams` streams, without that of the first work: compiled code and the young
 * generation. Call `before` on a new server, and `each` when they are open.
 */
function createMemory(bench: Bench, server: DeebServer, streams: number) {
  let bytes = 0
  const inUse = async () => {
    process.kill(server.pid, 'SIGUSR2')
    await wait(SETTLE_MS)
    return residentBytes(server.pid)
  }
  return {
    async before() {
      await load(bench, server, 'home', await historians(bench, 0, 16), WARM_UP_SECONDS)
      const few = await openStreams(server.port, await signedIn(1, CLIQUE), () => undefined)
      few.close()
      bytes = await inUse()
    },
    each: async () => ((await inUse()) - bytes) / streams,
  }
}

/** The memory of each open response of the bare server, in bytes: what Node itself needs. */
async function bytesOfBareStream(bench: Bench): Promise<number> {
  const server = await startDeeb({ databaseUrl: bench.dataset.url, main: BARE_MAIN })
  const memory = createMemory(bench, server, bench.size.streams)
  await memory.before()
  const open = await openStreams(server.port, await signedIn(1, bench.size.streams), () => undefined)
  const bytes = await memory.each()
  open.close()
  await server.stop()
  return bytes
}

/** Measures all streams on one process, and compares the results with the goals. */
export async function measureLive(bench: Bench): Promise<void> {
  const { size, report } = bench
  const server = await startDeeb({ databaseUrl: bench.dataset.url, main: PROFILED_MAIN })
  const memory = createMemory(bench, server, size.streams)
  await memory.before()
  let bytes = 0
  const figures = await measureStreams(bench, size, server, async (work) => {
    bytes = await memory.each()
    return work()
  })
  await server.stop()
  const bareBytes = await bytesOfBareStream(bench)
  const streams = size.streams.toLocaleString('en-US')
  const at = (times: number[], percent: number) => figure(percentile(times, percent))
  report.note(
    `${streams} streams, ${size.switchesPerSecond} switches a second, ${figures.fromDueMs.length} in all, read by one client in Node: from the answer to the last of 50 watchers ${at(figures.fromAnswerMs, 50)} ms (p50), ${at(figures.fromAnswerMs, 99)} ms (p99); from when the switch was due ${at(figures.fromDueMs, 50)} and ${at(figures.fromDueMs, 99)} ms; ${figures.incomplete} not received by every watcher within 10 s; ${figures.lost} streams ended; ${figure(figures.cpuMicroseconds)} µs of the server's CPU for each switch with its 50 deliveries.`,
  )
  report.raw('memory of each open response of the bare server, kB', [bareBytes / 1000])
  const kilobytes = bytes / 1000
  report.goal({
    what: `memory of each of ${streams} streams`,
    goal: 'at most 12 kB',
    figure: `${figure(kilobytes)} kB`,
    isReached: kilobytes <= 12,
  })
  const p99 = percentile(figures.fromAnswerMs, 99)
  report.goal({
    what: `from a switch's answer to the last of 50 watchers, ${size.switchesPerSecond} switches/s`,
    goal: 'at most 5 ms (p50), 25 ms (p99)',
    figure: `${figure(median(figures.fromAnswerMs))} ms, ${figure(p99)} ms`,
    isReached: figures.incomplete === 0 && median(figures.fromAnswerMs) <= 5 && p99 <= 25,
  })
}
