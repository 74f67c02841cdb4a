import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { freePort } from './free-port.ts'
import { killAtExit } from './kill-at-exit.ts'

/** Generous, for a busy machine. */
const START_WITHIN_MS = 60_000

const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url))

/** The real server program as a child process. */
export interface ChildServer {
  /** The origin that it listens on, the same after a restart. */
  origin: string
  /** Standard output and standard error since the last start. */
  output(): string
  pid(): number
  /** Starts or restarts the server. Rejects with its output if it does not listen. */
  start(): Promise<void>
  /** Sends the signal and resolves with the exit code, null after SIGKILL. Does nothing if the server is not running. */
  stop(signal?: 'SIGTERM' | 'SIGKILL'): Promise<number | null>
}

interface ChildOptions {
  /** Must print "deeb runs at" when it listens; default: the server. */
  program?: string
  /** The most files and sockets that it may open; default: as many as this process. */
  descriptors?: number
}

/** Starts a server with only this environment, on a free port. */
export async function startChildServer(env: Record<string, string>, options?: ChildOptions): Promise<ChildServer> {
  const server = await makeChildServer(env, options)
  await server.start()
  return server
}

/** Creates a server without starting it. */
export async function makeChildServer(
  env: Record<string, string>,
  { program = MAIN, descriptors }: ChildOptions = {},
): Promise<ChildServer> {
  const [command = '', ...args] = descriptors
    ? ['sh', '-c', `ulimit -n ${descriptors} && exec "$0" "$@"`, process.execPath, program]
    : [process.execPath, program]
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
      const started = killAtExit(spawn(command, args, { env: { ...own, ...env }, stdio: ['ignore', 'pipe', 'pipe'] }))
      child = started
      // Kills a server that neither listens nor exits.
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
