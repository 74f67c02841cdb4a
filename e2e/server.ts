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
  /** The program, if it is not `main.js` of this folder. */
  main?: string
  env?: Record<string, string>
}

/** The real server as a process of its own, with a data directory of its own. */
export class TestServer {
  readonly dataDir: string
  readonly port: number
  #process: ChildProcess | null = null
  #output = ''
  /** Of the program: another copy of it, and what its operator set. */
  readonly #set: Setting
  /** How far its clock is ahead of the real one. */
  #aheadMs: number

  private constructor(dataDir: string, port: number, aheadMs: number, set: Setting = {}) {
    this.dataDir = dataDir
    this.port = port
    this.#aheadMs = aheadMs
    this.#set = set
  }

  /** Starts on empty data, at that instant if one is given; with what is set. */
  static async fresh(startsAt?: string, set: Setting = {}): Promise<TestServer> {
    const dataDir = await mkdtemp(join(tmpdir(), 'deeb-e2e-'))
    const isLock = (path: string) => basename(path) === 'lock'
    await cp(await emptyData(), dataDir, { recursive: true, filter: (path) => !isLock(path) })
    const port = await freePort()
    // Last: what copying takes would be missing from the first minute of the journey.
    const aheadMs = startsAt ? Date.parse(startsAt) - Date.now() : 0
    const server = new TestServer(dataDir, port, aheadMs, set)
    await server.start()
    return server
  }

  /** Starts where there is nothing at all, as a newcomer does: that takes a few seconds more. */
  static async first(): Promise<TestServer> {
    const server = new TestServer(await mkdtemp(join(tmpdir(), 'deeb-e2e-')), await freePort(), 0)
    await server.start()
    return server
  }

  get url(): string {
    return `http://localhost:${this.port}`
  }

  /** All that was printed since the last start. */
  get output(): string {
    return this.#output
  }

  /** Starts, or starts again on the same data. Throws with what was printed if it does not come up. */
  async start(): Promise<void> {
    this.#output = ''
    const { main = MAIN, env } = this.#set
    const own = { PATH: process.env.PATH, PORT: `${this.port}`, DATA_DIR: this.dataDir, AHEAD_MS: `${this.#aheadMs}` }
    // Of the embedded database a journey asks little: better code for it costs more to make than it saves.
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
   * Moves the server's clock ahead. It stays there when the server is started again. Who asks while `meanwhile` moves other
   * clocks is answered after: to nobody the two seem apart.
   */
  async travel(minutes: number, meanwhile?: () => Promise<unknown>): Promise<void> {
    const ms = minutes * 60_000
    this.#aheadMs += ms
    await this.#order('wait')
    await meanwhile?.()
    await this.#order('travel', ms)
  }

  /** As `time-machine.js` takes it. */
  async #order(order: 'wait' | 'travel', ms?: number): Promise<void> {
    const child = this.#process
    if (!child) throw new Error('The server is not running.')
    child.send({ order, ms })
    await once(child, 'message')
  }

  /** Ends the process with the signal and gives its exit code; null after SIGKILL. */
  async stop(signal: 'SIGTERM' | 'SIGKILL' = 'SIGTERM'): Promise<number | null> {
    const child = this.#process
    this.#process = null
    if (!child || child.exitCode !== null) return child?.exitCode ?? null
    const ended = once(child, 'exit')
    child.kill(signal)
    return ((await ended) as [number | null])[0]
  }

  /** Stops and removes the data. */
  async dispose(): Promise<void> {
    await this.stop()
    await rm(this.dataDir, { recursive: true, force: true })
  }

  /** The links in the mails to `address`, the oldest first, from the outbox folder. */
  linksFor(address: string): Promise<string[]> {
    return linksIn(this.dataDir, address)
  }
}

/** The links in the emails to `address`, the oldest first, from the outbox folder of `dataDir`. */
export async function linksIn(dataDir: string, address: string): Promise<string[]> {
  const folder = join(dataDir, 'outbox')
  const names = (await readdir(folder).catch(() => [])).sort()
  const mails = await Promise.all(names.map((name) => readFile(join(folder, name), 'utf8')))
  const own = mails.filter((mail) => new RegExp(`^To: .*${address}`, 'im').test(mail))
  return own.flatMap((mail) => mail.match(/http\S+#token_hash=\S+/g) ?? [])
}

let made: Promise<string> | undefined

/** The data directory of a server that was started and stopped, made once per process: copying is quicker than making. */
function emptyData(): Promise<string> {
  made ??= (async () => {
    const server = await TestServer.first()
    await server.stop()
    process.once('exit', () => rmSync(server.dataDir, { recursive: true, force: true }))
    return server.dataDir
  })()
  return made
}
