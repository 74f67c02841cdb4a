import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { FirstWords } from './killable-server.ts'

const PROGRAM = fileURLToPath(new URL('../../dist/testing/killable-server.js', import.meta.url))

/** Far beyond what it takes on a busy machine. */
const START_WITHIN_MS = 60_000

export interface KillableChild extends FirstWords {
  /** Kills it as a crash does, and waits until it is gone. */
  kill(): Promise<void>
}

/** Starts killable-server.ts as a process. Throws what it said if it does not start. */
export async function startKillable(env: NodeJS.ProcessEnv): Promise<KillableChild> {
  const child = spawnChild(env)
  const gone = once(child, 'exit')
  const complaints: string[] = []
  child.stderr?.setEncoding('utf8').on('data', (text: string) => complaints.push(text))
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })
  const first = once(lines, 'line', { signal: AbortSignal.timeout(START_WITHIN_MS) })
  const [line] = (await Promise.race([first, gone.then(() => [null])]).catch((error: unknown) => {
    child.kill('SIGKILL')
    throw error
  })) as [string | null]
  if (line === null) throw new Error(`The server did not start: ${complaints.join('')}`)
  return {
    ...(JSON.parse(line) as FirstWords),
    async kill() {
      child.kill('SIGKILL')
      await gone
    },
  }
}

/** Starts it and kills it after so many ms, wherever in its start it is by then. */
export async function killWhileStarting(env: NodeJS.ProcessEnv, ms: number): Promise<void> {
  const child = spawnChild(env)
  const gone = once(child, 'exit')
  await pause(ms)
  child.kill('SIGKILL')
  await gone
}

function spawnChild(env: NodeJS.ProcessEnv): ChildProcess {
  const settings = { ...process.env, LOG_LEVEL: 'error', ...env }
  return spawn(process.execPath, [PROGRAM], { env: settings, stdio: ['ignore', 'pipe', 'pipe'] })
}
