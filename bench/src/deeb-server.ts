import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { SERVER_FOLDER } from '../../server/src/folders.ts'
import { freePort } from '../../server/src/testing/free-port.ts'
import { killAtExit } from '../../server/src/testing/kill-at-exit.ts'
import { BENCH_FOLDER } from './folders.ts'

/** Like `npm start`, but rate limits per account never refuse: a few people make the calls of many. */
const SERVER_MAIN = `${SERVER_FOLDER}dist/testing/unlimited-server.js`
/** The same server, which can record a CPU profile. */
export const PROFILED_MAIN = `${BENCH_FOLDER}dist/profiled-server.js`
/** A server that only runs the same statements. */
export const BARE_MAIN = `${BENCH_FOLDER}dist/bare-server.js`

/** The same flags as in `npm start`, the systemd unit and the image. */
const FLAGS = ['--max-semi-space-size=8']

export const SECRET = 'b'.repeat(64)
export const PUBLIC_URL = 'https://deeb.example'

export interface DeebServer {
  port: number
  pid: number
  /** From the start until GET /healthz answers 200. */
  startMs: number
  stop(): Promise<void>
}

interface Setting {
  main?: string
  /** Null means the embedded database in `dataDir`. */
  databaseUrl: string | null
  /** By default a new folder that is deleted when the server stops. */
  dataDir?: string
  env?: Record<string, string>
}

/** Starts the server as in production, with a trusted proxy. Throws with its output if it does not start. */
export async function startDeeb({ main = SERVER_MAIN, databaseUrl, dataDir, env = {} }: Setting): Promise<DeebServer> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'deeb-bench-')))
  const port = await freePort()
  const beganAt = performance.now()
  const child = killAtExit(
    spawn(process.execPath, [...FLAGS, main], {
      env: {
        NODE_ENV: 'production',
        PORT: `${port}`,
        DATA_DIR: folder,
        DEEB_SECRET: SECRET,
        PUBLIC_URL,
        TRUST_PROXY: 'loopback',
        ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
        ...env,
      },
      stdio: ['ignore', 'pipe', 'pipe'],
    }),
  )
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output = (output + chunk).slice(-4000)
    })
  }
  const stopped = once(child, 'exit')

  while (!(await isHealthy(port))) {
    if (child.exitCode !== null) throw new Error(`The server ended with code ${child.exitCode}: ${output}`)
  }
  return {
    port,
    pid: child.pid ?? 0,
    startMs: performance.now() - beganAt,
    async stop() {
      child.kill('SIGTERM')
      await stopped
      if (dataDir === undefined) await rm(folder, { recursive: true, force: true })
    },
  }
}

async function isHealthy(port: number): Promise<boolean> {
  try {
    return (await fetch(`http://127.0.0.1:${port}/healthz`)).ok
  } catch {
    await new Promise((resolve) => setTimeout(resolve, 2))
    return false
  }
}
