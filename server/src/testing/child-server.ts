import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort } from './free-port.ts'

/** Far beyond what it takes on a busy machine. */
const START_WITHIN_MS = 60_000

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

/** The real program as a process of its own. */
export interface ChildServer {
  /** Where it listens; the same after another start. */
  origin: string
  /** All that was printed since the last start. */
  output(): string
  pid(): number
  /** Starts, or starts again. Rejects with what was printed if it does not come up. */
  start(): Promise<void>
  /** Ends it with the signal, and gives its exit code; null after SIGKILL. Does nothing where it does not run. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
}

/** A server with nothing but that environment, and a port that is free; `program` is one that says the same when it listens. */
export async function startChildServer(env: Record<string, string>, program = MAIN): Promise<ChildServer> {
  const server = await makeChildServer(env, program)
  await server.start()
  return server
}

/** One that is not started. */
export async function makeChildServer(env: Record<string, string>, program = MAIN): Promise<ChildServer> {
  const port = await freePort()
  let child: ChildProcess | null = null
  let output = ''
  return {
    origin: `http://127.0.0.1:${port}`,
    output: () => output,
    pid: () => child?.pid ?? 0,
    async start() {
      output = ''
      const own = { PATH: process.env.PATH, PORT: `${port}` }
      const started = spawn(process.execPath, [program], { env: { ...own, ...env }, stdio: ['ignore', 'pipe', 'pipe'] })
      child = started
      // One that neither comes up nor ends is ended.
      const overdue = setTimeout(() => started.kill('SIGKILL'), START_WITHIN_MS)
      await new Promise<void>((resolve, reject) => {
        const listen = (chunk: Buffer) => {
          output += chunk
          if (output.includes('deeb runs at')) resolve()
        }
        started.stdout.on('data', listen)
        started.stderr.on('data', listen)
        started.once('close', (code) => reject(new Error(`The server ended with code ${code}: ${output}`)))
      }).finally(() => clearTimeout(overdue))
    },
    async stop(signal = 'SIGTERM') {
      const running = child
      child = null
      if (!running || running.exitCode !== null || running.signalCode !== null) return running?.exitCode ?? null
      const ended = once(running, 'exit')
      running.kill(signal)
      return ((await ended) as [number | null])[0]
    },
  }
}
