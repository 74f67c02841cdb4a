import { cp, mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { freePort } from '../server/src/testing/free-port.ts'
import { copyDatabase, dropDatabase } from '../server/src/testing/postgres-server.ts'
import { Host } from './host.ts'

/** The data of a server that was started and stopped once, by `servers-setup.ts`. A copy is faster than a first start. */
export interface Template {
  dataDir: string
  /** Null: the embedded database in `dataDir`. */
  databaseUrl: string | null
}

export interface Setting {
  /** A process and an embedded database of its own, as of an installation. By default servers share one process and PostgreSQL. */
  isAlone?: boolean
  /** The folder of another build of the server. Needs `isAlone`. */
  dist?: string
  /** A free port by default. */
  port?: number
  env?: Record<string, string>
}

/** The process of the servers that are not alone. */
let shared: Host | undefined

/** A built server with its own data. */
export class TestServer {
  readonly dataDir: string
  readonly port: number
  /** Its settings, which commands of the administrator need too. */
  readonly env: Record<string, string>
  /** The output of its last start. */
  output = ''
  readonly #databaseUrl: string | null
  readonly #setting: Setting
  /** The offset of its clock from the real one. */
  #aheadMs: number
  /** Null while it is stopped. */
  #host: Host | null = null

  private constructor({ dataDir, databaseUrl }: Template, port: number, aheadMs: number, setting: Setting) {
    this.dataDir = dataDir
    this.port = port
    this.env = {
      PORT: `${port}`,
      DATA_DIR: dataDir,
      ...(databaseUrl !== null && { DATABASE_URL: databaseUrl }),
      ...setting.env,
    }
    this.#databaseUrl = databaseUrl
    this.#setting = setting
    this.#aheadMs = aheadMs
  }

  /** Starts on empty data, with the clock at `startsAt` if given. */
  static async fresh(startsAt?: string, setting: Setting = {}): Promise<TestServer> {
    const { alone, shared } = JSON.parse(process.env.DEEB_TEMPLATES ?? '') as Record<'alone' | 'shared', Template>
    const data = await copy(setting.isAlone ? alone : shared)
    const port = setting.port ?? (await freePort())
    // Computed after the copy, so that the time of the copy does not shift the clock.
    const aheadMs = startsAt ? Date.parse(startsAt) - Date.now() : 0
    const server = new TestServer(data, port, aheadMs, setting)
    await server.start()
    return server
  }

  /** Starts alone without data, like a first installation. Takes a few seconds more. */
  static async first(setting: Setting = {}, databaseUrl: string | null = null): Promise<TestServer> {
    const dataDir = await mkdtemp(join(tmpdir(), 'deeb-e2e-'))
    const server = new TestServer({ dataDir, databaseUrl }, await freePort(), 0, { ...setting, isAlone: true })
    await server.start()
    return server
  }

  get url(): string {
    return `http://localhost:${this.port}`
  }

  /** Starts, or restarts on the same data. Throws if the server does not start. */
  async start(): Promise<void> {
    const host = this.#setting.isAlone ? new Host(this.#setting.dist) : sharedHost()
    this.#host = host
    this.output = await host.order('start', { port: this.port, aheadMs: this.#aheadMs, env: this.env })
  }

  /**
   * Moves the server's clock ahead, also for later starts, and while it is stopped. Requests wait while `moveOtherClocks` runs, so no client sees
   * different clocks.
   */
  async travel(minutes: number, moveOtherClocks?: () => Promise<unknown>): Promise<void> {
    const ms = minutes * 60_000
    this.#aheadMs += ms
    if (!this.#host) return
    await this.#host.order('wait', { port: this.port })
    await moveOtherClocks?.()
    await this.#host.order('travel', { port: this.port, ms })
  }

  /** Stops it gracefully. */
  async stop(): Promise<void> {
    const host = this.#host
    this.#host = null
    if (this.#setting.isAlone) await host?.end('SIGTERM')
    else await host?.order('stop', { port: this.port })
  }

  /** Ends the process of a server that is alone. Resolves with its exit code, null after SIGKILL. */
  async end(signal: 'SIGTERM' | 'SIGKILL'): Promise<number | null> {
    const host = this.#host
    this.#host = null
    if (!this.#setting.isAlone) throw new Error('Its process has other servers too: set isAlone.')
    return (await host?.end(signal)) ?? null
  }

  /** Stops it and removes its data. Kills its own process, since nobody reads the data again. */
  async dispose(): Promise<void> {
    await (this.#setting.isAlone ? this.end('SIGKILL') : this.stop())
    if (this.#databaseUrl !== null) await dropDatabase(this.#databaseUrl)
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

async function copy({ dataDir, databaseUrl }: Template): Promise<Template> {
  const folder = await mkdtemp(join(tmpdir(), 'deeb-e2e-'))
  const isLock = (path: string) => basename(path) === 'lock'
  await cp(dataDir, folder, { recursive: true, filter: (path) => !isLock(path) })
  return { dataDir: folder, databaseUrl: databaseUrl && (await copyDatabase(databaseUrl)) }
}

function sharedHost(): Host {
  if (!shared || shared.isUsedUp) shared = new Host()
  return shared
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
