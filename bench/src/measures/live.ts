import { setTimeout as wait } from 'node:timers/promises'
import type { Bench } from '../bench.ts'
import { startDeeb } from '../deeb-server.ts'
import { figure, median, percentile } from '../figures.ts'
import { openLoop, type Sent } from '../open-loop.ts'
import { cpuSeconds, residentBytes } from '../process-stat.ts'
import { newSessionId, switchOffRequest, switchOnRequest } from '../requests.ts'
import { CLIQUE } from '../size.ts'
import { openStreams } from '../streams.ts'
import { type Person, signedIn } from '../tokens.ts'

/** What was seen of that many streams while switches ran at a steady pace. */
export interface LiveFigures {
  streams: number
  switchesPerSecond: number
  bytesEach: number
  /** From the answer to a switch to the last of its 50 watchers; and from when it was due. In ms, each switch one. */
  fromAnswerMs: number[]
  fromDueMs: number[]
  /** Of how many switches not every watcher heard within 10 s. */
  incomplete: number
  /** CPU of the server for each switch with its 50 deliveries, in µs. */
  cpuMicroseconds: number
}

const WATCHERS = CLIQUE - 1
const SETTLE_MS = 2_000

/** Streams of people who are all connected within their clique; each switches at most once, the cliques in turns. */
export async function measureStreams(bench: Bench, streams: number, switchesPerSecond: number): Promise<LiveFigures> {
  const server = await startDeeb({ databaseUrl: bench.dataset.url })
  const people = await signedIn(1, streams)
  const before = residentBytes(server.pid)
  const heard = new Map<string, { times: number; lastAtMs: number }>()
  const open = await openStreams(server.port, people, (userId) => {
    const so = heard.get(userId)
    if (so) {
      so.times += 1
      so.lastAtMs = performance.now()
    } else heard.set(userId, { times: 1, lastAtMs: performance.now() })
  })
  await wait(SETTLE_MS)
  const bytesEach = (residentBytes(server.pid) - before) / streams

  const count = Math.min(streams, Math.round(switchesPerSecond * bench.size.seconds * 2))
  const cliques = streams / CLIQUE
  const switching = people
    .map((_, n) => people[(n % cliques) * CLIQUE + Math.floor(n / cliques)] as Person)
    .slice(0, count)
  const sessionIds = switching.map(newSessionId)
  const cpuBefore = cpuSeconds(server.pid)
  const result: LiveFigures = {
    ...{ streams, switchesPerSecond, bytesEach, incomplete: 0 },
    fromAnswerMs: [],
    fromDueMs: [],
    cpuMicroseconds: 0,
  }
  for (const requestOf of [switchOnRequest, switchOffRequest]) {
    heard.clear()
    const request = (n: number) => requestOf(switching[n] as Person, sessionIds[n] ?? '')
    const sent = await openLoop(server.port, request, { perSecond: switchesPerSecond, count })
    await untilAllHeard(heard, count)
    collect(result, sent, (n) => heard.get(switching[n]?.userId ?? ''))
  }
  result.cpuMicroseconds = ((cpuSeconds(server.pid) - cpuBefore) / (2 * count)) * 1e6
  open.close()
  await server.stop()
  return result
}

async function untilAllHeard(heard: Map<string, { times: number }>, count: number): Promise<void> {
  const isWhole = () => heard.size >= count && [...heard.values()].every(({ times }) => times >= WATCHERS)
  for (let tries = 0; tries < 100 && !isWhole(); tries++) await wait(100)
}

function collect(
  result: LiveFigures,
  sent: Sent[],
  heardOf: (n: number) => { times: number; lastAtMs: number } | undefined,
): void {
  for (const [n, { dueAtMs, answeredAtMs }] of sent.entries()) {
    const so = heardOf(n)
    if (!so || so.times < WATCHERS) result.incomplete += 1
    else {
      // The last watcher may hear of it before the answer is here.
      result.fromAnswerMs.push(Math.max(0, so.lastAtMs - answeredAtMs))
      result.fromDueMs.push(so.lastAtMs - dueAtMs)
    }
  }
}

/** All streams at once on one process, beside the goals. */
export async function measureLive(bench: Bench): Promise<LiveFigures> {
  const { size, report } = bench
  const figures = await measureStreams(bench, size.streams, size.switchesPerSecond)
  const streams = size.streams.toLocaleString('en-US')
  const at = (times: number[], percent: number) => figure(percentile(times, percent))
  report.note(
    `${streams} streams, ${size.switchesPerSecond} switches a second, ${figures.fromDueMs.length} in all, read by one client in Node: to the last of 50 watchers from the answer ${at(figures.fromAnswerMs, 50)} ms (median), ${at(figures.fromAnswerMs, 99)} ms (99 of 100); from when the switch was due ${at(figures.fromDueMs, 50)} and ${at(figures.fromDueMs, 99)} ms; ${figures.incomplete} not told to everybody within 10 s; ${figure(figures.cpuMicroseconds)} µs of the server's CPU for each switch with its 50 deliveries.`,
  )
  const kilobytes = figures.bytesEach / 1000
  report.goal({
    what: `memory of each of ${streams} streams`,
    goal: 'at most 12 kB',
    figure: `${figure(kilobytes)} kB`,
    isReached: kilobytes <= 12,
  })
  const most = percentile(figures.fromAnswerMs, 99)
  report.goal({
    what: `from a switch's answer to the last of 50 watchers, ${size.switchesPerSecond} switches/s`,
    goal: 'at most 5 ms (median), 25 ms (99 of 100)',
    figure: `${figure(median(figures.fromAnswerMs))} ms, ${figure(most)} ms`,
    isReached: figures.incomplete === 0 && median(figures.fromAnswerMs) <= 5 && most <= 25,
  })
  return figures
}
