import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { rmSync } from 'node:fs'
import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { freePort } from '../server/src/testing/free-port.ts'

const TIME_MACHINE = fileURLToPath(new URL('time-machine.js', import.meta.url))
const MAIN = fileURLToPath(new URL('main.js', import.meta.url))

interface Setting {
  /** The program; `main.js` of this folder by default. */
  main?: string
  /** A free port by default. */
  port?: number
  env?: Record<string, string>
}

/** The real server in its own process, with its own data directory. */
export class TestServer {
  readonly dataDir: string
  readonly port: number
  #process: ChildProcess | null = null
  #output = ''
  readonly #setting: Setting
  /** The offset of its clock from the real one. */
  #aheadMs: number

  private constructor(dataDir: string, port: number, aheadMs: number, setting: Setting = {}) {
    this.dataDir = dataDir
    this.port = port
    this.#aheadMs = aheadMs
    this.#setting = setting
  }

  /** Starts on empty data, with the clock at `startsAt` if given. */
  static async fresh(startsAt?: string, setting: Setting = {}): Promise<TestServer> {
    const dataDir = await mkdtemp(join(tmpdir(), 'deeb-e2e-'))
    const isLock = (path: string) => basename(path) === 'lock'
    await cp(await emptyData(), dataDir, { recursive: true, filter: (path) => !isLock(path) })
    const port = setting.port ?? (await freePort())
    // Computed after the copy, so that the time of the copy does not shift the clock.
    const aheadMs = startsAt ? Date.parse(startsAt) - Date.now() : 0
    const server = new TestServer(dataDir, port, aheadMs, setting)
    await server.start()
    return server
  }

  /** Starts without a data directory, like a first installation. Takes a few seconds more. */
  static async first(setting: Setting = {}): Promise<TestServer> {
    const server = new TestServer(await mkdtemp(join(tmpdir(), 'deeb-e2e-')), await freePort(), 0, setting)
    await server.start()
    return server
  }

  get url(): string {
    return `http://localhost:${this.port}`
  }

  /** The output since the last start. */
  get output(): string {
    return this.#output
  }

  /** Starts, or restarts on the same data. Throws with the output if the server does not start. */
  async start(): Promise<void> {
    this.#output = ''
    const { main = MAIN, env } = this.#setting
    const own = { PATH: process.env.PATH, PORT: `${this.port}`, DATA_DIR: this.dataDir, AHEAD_MS: `${this.#aheadMs}` }
    // A journey runs few statements, so optimizing the WebAssembly of the database costs more than it saves.
    const flags = ['--liftoff-only', '--import', pathToFileURL(TIME_MACHINE).href]
    const child = spawn(process.execPath, [...flags, main], {
      env: { ...own, ...env },
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    this.#process = child
    await new Promise<void>((resolve, reject) => {
      const listen = (chunk: Buffer) => {
        this.#output += chunk
        if (this.#output.includes('deeb runs at')) resolve()
      }
      child.stdout?.on('data', listen)
      child.stderr?.on('data', listen)
      child.once('exit', (code) => reject(new Error(`The server ended with code ${code}: ${this.#output}`)))
    })
  }

  /**
   * Moves the server's clock ahead, also for later starts, and while it is stopped. Requests wait while `moveOtherClocks` runs, so no client sees
   * different clocks.
   */
  async travel(minutes: number, moveOtherClocks?: () => Promise<unknown>): Promise<void> {
    const ms = minutes * 60_000
    this.#aheadMs += ms
    if (!this.#process) return
    await this.#order('wait')
    await moveOtherClocks?.()
    await this.#order('travel', ms)
  }

  /** Sends an order to `time-machine.js` and waits until it is done. */
  async #order(order: 'wait' | 'travel', ms?: number): Promise<void> {
    const child = this.#process
    if (!child) throw new Error('The server is not running.')
    child.send({ order, ms })
    await once(child, 'message')
  }

  /** Ends the process with a signal. Resolves with its exit code, null after SIGKILL. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<number | null> {
    const child = this.#process
    this.#process = null
    if (!child || child.exitCode !== null) return child?.exitCode ?? null
    const ended = once(child, 'exit')
    child.kill(signal)
    return ((await ended) as [number | null])[0]
  }

  /** Kills the process, since nobody reads its data again, and removes the data. */
  async dispose(): Promise<void> {
    await this.stop('SIGKILL')
    await rm(this.dataDir, { recursive: true, force: true })
  }

  /** The links in the emails to `address`, the oldest first, from the outbox folder. */
  linksFor(address: string): Promise<string[]> {
    return linksIn(this.dataDir, address)
  }

  /** The emails to `address`, the oldest first, from the outbox folder. */
  emailsTo(address: string): Promise<string[]> {
    return emailsIn(this.dataDir, address)
  }
}

/** The links in the emails to `address`, the oldest first, from the outbox folder of `dataDir`. */
export async function linksIn(dataDir: string, address: string): Promise<string[]> {
  const emails = await emailsIn(dataDir, address)
  return emails.flatMap((email) => email.match(/http\S+#token_hash=\S+/g) ?? [])
}

async function emailsIn(dataDir: string, address: string): Promise<string[]> {
  const folder = join(dataDir, 'outbox')
  const names = (await readdir(folder).catch(() => [])).sort()
  const emails = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  return emails.filter((email) => new RegExp(`^To: .*${address}`, 'im').test(email))
}

let emptyDataDir: Promise<string> | undefined

/** The data directory of a server that was started and stopped once per process. A copy is faster than a first start. */
function emptyData(): Promise<string> {
  emptyDataDir ??= (async () => {
    const server = await TestServer.first()
    await server.stop()
    process.once('exit', () => rmSync(server.dataDir, { recursive: true, force: true }))
    return server.dataDir
  })()
  return emptyDataDir
}
