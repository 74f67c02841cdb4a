import cluster, { type Worker } from 'node:cluster'
import { setTimeout as pause } from 'node:timers/promises'
import { AggregatorRegistry } from 'prom-client'
import { createRateLimitStore } from '../limits/rate-limit-store.ts'
import type { RunningServer } from '../start-server.ts'
import { answerWorkers } from './channel.ts'
import { dropLostConnections } from './drop-lost-connections.ts'
import { countFor } from './shared-rate-limits.ts'
import type { Ready, WorkerMessage } from './worker.ts'

const FIRST_PAUSE_MS = 250
const MAX_PAUSE_MS = 15_000
/** A worker that ran for this long has started well: the backoff starts again. */
const STEADY_MS = 60_000

/**
 * Runs `program` in `count` worker processes (node:cluster) that share its port. The primary process holds their rate
 * limits and metrics, and replaces dead workers with exponential backoff. Resolves when all listen; rejects if one ends
 * before.
 *
 * The first worker starts alone: it migrates the database, and a wrong configuration is reported only once.
 */
export async function runWorkers(count: number, program: string): Promise<RunningServer> {
  cluster.setupPrimary({ exec: program })
  answerWorkers(createMessageHandler())
  const stopping = new AbortController()
  const start = () => keepRunning(stopping.signal)
  try {
    const mailNote = await start()
    await Promise.all(Array.from({ length: count - 1 }, start))
    return { mailNote, stop: () => stop(stopping) }
  } catch (error) {
    await stop(stopping)
    throw error
  }
}

/** Keeps one worker running until `stopping`. Resolves with the `mailNote` of the first one when it listens. */
function keepRunning(stopping: AbortSignal): Promise<string> {
  return new Promise((resolve, reject) => {
    async function keep(): Promise<void> {
      let pauseMs = FIRST_PAUSE_MS
      while (!stopping.aborted) {
        const beganAtMs = performance.now()
        const end = await runOne(resolve).catch((error: Error) => error.message)
        reject(new Error('A worker ended before it listened.'))
        if (stopping.aborted) return
        console.error(`A worker ended (${end}). A new worker replaces it.`)
        if (performance.now() - beganAtMs >= STEADY_MS) pauseMs = FIRST_PAUSE_MS
        await pause(pauseMs, null, { signal: stopping }).catch(() => undefined)
        pauseMs = Math.min(pauseMs * 2, MAX_PAUSE_MS)
      }
    }
    void keep()
  })
}

/**
 * Runs one worker until it ends. Resolves with the exit reason. Calls `onListening` with its `mailNote`. Rejects if it
 * cannot start.
 */
async function runOne(onListening: (mailNote: string) => void): Promise<string> {
  const worker = cluster.fork()
  dropLostConnections(worker)
  worker.on('message', ({ mailNote }: Partial<Ready>) => mailNote !== undefined && onListening(mailNote))
  return endOf(worker)
}

/**
 * Resolves with the exit reason. Not `events.once`: a failed send to a dying worker also emits 'error'; only a failed fork
 * ends here.
 */
function endOf(worker: Worker): Promise<string> {
  return new Promise((resolve) => {
    worker.once('exit', (code, signal) => resolve(signal ?? `code ${code}`))
    worker.on('error', (error: Error) => worker.process.pid === undefined && resolve(error.message))
  })
}

/** Graceful shutdown: sends SIGTERM to all workers and waits until they have ended. */
async function stop(stopping: AbortController): Promise<void> {
  stopping.abort()
  const known = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
  const workers = known.filter((worker) => !worker.isDead())
  const ended = workers.map(endOf)
  for (const worker of workers) worker.process.kill('SIGTERM')
  await Promise.all(ended)
}

function createMessageHandler(): (message: WorkerMessage) => Promise<unknown> {
  const limitStore = createRateLimitStore()
  const all = new AggregatorRegistry()
  return (message) => {
    if (message !== 'metrics') return countFor(limitStore, message)
    // Null while a worker does not respond: it has just died or not started yet.
    return all.clusterMetrics().catch(() => null)
  }
}
