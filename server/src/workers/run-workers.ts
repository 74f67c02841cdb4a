import cluster, { type Worker } from 'node:cluster'
import { setTimeout as pause } from 'node:timers/promises'
import { AggregatorRegistry } from 'prom-client'
import { createRateLimitStore } from '../limits/rate-limit-store.ts'
import type { RunningServer } from '../start-server.ts'
import { answerWorkers } from './channel.ts'
import { dropLostConnections } from './drop-lost-connections.ts'
import { countFor } from './shared-rate-limits.ts'
import type { Question, Ready } from './worker.ts'

const FIRST_PAUSE_MS = 250
const LONGEST_PAUSE_MS = 15_000
/** One that ran for so long did not die of how it was started. */
const STEADY_MS = 60_000

/**
 * Runs `program` in `count` processes that share its port, and keeps what they have in common: limits and metrics. One
 * that dies is replaced, after a pause that grows if it keeps dying. Settles when all listen; rejects if one ends before.
 * The first alone to begin with: it brings the database up to date, and what it cannot do is said once.
 */
export async function runWorkers(count: number, program: string): Promise<RunningServer> {
  cluster.setupPrimary({ exec: program })
  answerWorkers(createAnswers())
  const stopping = new AbortController()
  const start = () => keepOne(stopping.signal)
  try {
    const mailNote = await start()
    await Promise.all(Array.from({ length: count - 1 }, start))
    return { mailNote, stop: () => stop(stopping) }
  } catch (error) {
    await stop(stopping)
    throw error
  }
}

/** Keeps one process running until `stopping`. Settles with what the first one of them says when it listens. */
function keepOne(stopping: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    async function keep(): Promise<void> {
      let pauseMs = FIRST_PAUSE_MS
      while (!stopping.aborted) {
        const beganAtMs = performance.now()
        const end = await runOne(resolve).catch((error: Error) => error.message)
        reject(new Error('A worker ended before it listened.'))
        if (stopping.aborted) return
        console.error(`A worker ended (${end}). Another will take its place.`)
        if (performance.now() - beganAtMs >= STEADY_MS) pauseMs = FIRST_PAUSE_MS
        await pause(pauseMs, null, { signal: stopping }).catch(() => undefined)
        pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)
      }
    }
    void keep()
  })
}

/** Runs one process until it ends, and says how. `listens` is told what it says once it does. Rejects where none is begun. */
async function runOne(listens: (mailNote: string) => void): Promise<string> {
  const worker = cluster.fork()
  dropLostConnections(worker)
  worker.on('message', ({ mailNote }: Partial<Ready>) => mailNote !== undefined && listens(mailNote))
  return endOf(worker)
}

/**
 * Settles when it has ended, with how. Not `once` of node:events, which rejects at any error: what cannot be sent to one that
 * is dying is one too, and only of one that could not be made an error is the end.
 */
function endOf(worker: Worker): Promise<string> {
  return new Promise((resolve) => {
    worker.once('exit', (code, signal) => resolve(signal ?? `code ${code}`))
    worker.on('error', (error: Error) => worker.process.pid === undefined && resolve(error.message))
  })
}

/** Asks each process to stop, and waits for them: they finish what they have begun. */
async function stop(stopping: AbortController): Promise<void> {
  stopping.abort()
  const known = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
  const workers = known.filter((worker) => !worker.isDead())
  const gone = workers.map(endOf)
  for (const worker of workers) worker.process.kill('SIGTERM')
  await Promise.all(gone)
}

function createAnswers(): (question: Question) => Promise<unknown> {
  const limitStore = createRateLimitStore()
  const all = new AggregatorRegistry()
  return (question) => {
    if (question !== 'metrics') return countFor(limitStore, question)
    // Null while one of them does not answer: it has just died, or not yet begun.
    return all.clusterMetrics().catch(() => null)
  }
}
