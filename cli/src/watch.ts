import { setTimeout as sleep } from 'node:timers/promises'
import { type OwnState, ownState } from '@deeb/core/focus/own-state'
import * as texts from '@deeb/texts/cli'
import type { Login } from './api.ts'
import { createRunner } from './command-runner.ts'
import { EXIT, Problem } from './exit.ts'
import { readStream } from './live.ts'

const FIRST_DELAY_MS = 1_000
const MAX_DELAY_MS = 60_000
/** Each stream above the server's limit ends an older one, such as that of a browser. */
const TOO_MANY_DELAY_MS = 5 * 60_000

/** Why a stream ended, for the next attempt. */
interface Ending {
  /** At least this long until the next attempt. */
  delayMs: number
  /** A sentence for the user, or null if the stream ended as planned. */
  problem: string | null
}

interface Watched {
  /** Runs for the state at the start and on each change of deeb mode, one after another. */
  run: (state: OwnState) => Promise<void>
  /** Called with the state on each sign of life of the server, and with null when the connection is lost. */
  known?: ((state: OwnState | null) => void) | undefined
  signal: AbortSignal
  note: (line: string) => void
}

/** Follows deeb mode. Reconnects until `signal` aborts. Throws a `Problem` if the server refuses the token. */
export async function watch(login: Login, { run, known = () => {}, signal, note }: Watched): Promise<void> {
  const runner = createRunner(run)
  /** Streams since the last event, plus one. */
  let attempts = 0
  let isLost = false
  const shown: Shown = {
    state(state) {
      if (isLost) note(texts.connectedAgain())
      attempts = 0
      isLost = false
      runner.show(state)
    },
    known,
  }
  try {
    while (!signal.aborted) {
      const { delayMs, problem } = await follow(login, shown, signal)
      if (problem !== null && !isLost) note(texts.reconnecting({ problem }))
      if (problem !== null) known(null)
      isLost ||= problem !== null
      attempts += 1
      await sleep(Math.max(delayMs, backoffMs(attempts)), null, { signal }).catch(() => undefined)
    }
  } finally {
    await runner.idle()
  }
}

interface Shown {
  state: (state: OwnState) => void
  known: (state: OwnState | null) => void
}

/** Shows the states of one stream until it ends. Throws only a `Problem` that another attempt would not solve. */
async function follow(login: Login, shown: Shown, signal: AbortSignal): Promise<Ending> {
  let version = Number.NEGATIVE_INFINITY
  let newest: OwnState | null = null
  const onAlive = () => newest && shown.known(newest)
  try {
    for await (const event of readStream(login, signal, onAlive)) {
      if (event.type === 'bye' && event.reason === 'too-many') {
        return { delayMs: TOO_MANY_DELAY_MS, problem: texts.tooManyStreams() }
      }
      if (event.type !== 'hello' && event.type !== 'me-changed') continue
      if (event.version < version) continue
      version = event.version
      newest = ownState(event)
      shown.state(newest)
      shown.known(newest)
    }
    return { delayMs: 0, problem: null }
  } catch (error) {
    if (signal.aborted) return { delayMs: 0, problem: null }
    if (!(error instanceof Problem) || error.code !== EXIT.unreachable) throw error
    return { delayMs: (error.retryAfterSeconds ?? 0) * 1000, problem: error.message }
  }
}

/** Exponential backoff with jitter: about 1 s, 2 s, 4 s, at most a minute. */
function backoffMs(attempt: number): number {
  return Math.min(MAX_DELAY_MS, FIRST_DELAY_MS * 2 ** (attempt - 1)) * (0.5 + Math.random() / 2)
}
