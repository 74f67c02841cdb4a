import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../server/dist/testing/free-port.js'

/** As `npm start` but for the limits per account: a few people stand for many, so their calls are counted and not refused. */
const SERVER_MAIN = fileURLToPath(new URL('../../server/dist/testing/unlimited-server.js', import.meta.url))
/** The same server, of which no other process hears anything. */
export const SILENT_MAIN = fileURLToPath(new URL('silent-server.js', import.meta.url))

/** As `npm start`, the unit and the image have it. */
const FLAGS = ['--max-semi-space-size=8']

export const SECRET = 'b'.repeat(64)
export const PUBLIC_URL = 'https://deeb.example'

export interface DeebServer {
  port: number
  pid: number
  /** From its start until GET /healthz was answered with 200. */
  startMs: number
  stop(): Promise<void>
}

interface Setting {
  main?: string
  /** Null: the embedded database in `dataDir`. */
  databaseUrl: string | null
  /** Without it, a new folder that goes when the server stops. */
  dataDir?: string
}

/** Starts the server as in production, behind a proxy that names callers. Throws with what it printed if it does not come up. */
export async function startDeeb({ main = SERVER_MAIN, databaseUrl, dataDir }: Setting): Promise<DeebServer> {
  const folder = dataDir ?? (await mkdtemp(join(tmpdir(), 'deeb-bench-')))
  const port = await freePort()
  const beganAt = performance.now()
  const child = spawn(process.execPath, [...FLAGS, main], {
    env: {
      NODE_ENV: 'production',
      PORT: `${port}`,
      DATA_DIR: folder,
      DEEB_SECRET: SECRET,
      PUBLIC_URL,
      TRUST_PROXY: 'loopback',
      ...(databaseUrl === null ? {} : { DATABASE_URL: databaseUrl }),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output = (output + chunk).slice(-4000)
    })
  }
  const stopped = once(child, 'exit')
  const stopNow = () => void child.kill('SIGKILL')
  process.once('exit', stopNow)

  while (!(await isHealthy(port))) {
    if (child.exitCode !== null) throw new Error(`The server ended with code ${child.exitCode}: ${output}`)
  }
  return {
    port,
    pid: child.pid ?? 0,
    startMs: performance.now() - beganAt,
    async stop() {
      process.off('exit', stopNow)
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
