import pg from 'pg'
import { openPostgres } from '../../server/dist/db/db.js'
import { migrate } from '../../server/dist/db/migrate.js'
import { findBinaries, startCluster } from '../../server/dist/testing/postgres-server.js'
import { WITHOUT_DAILY_LIMIT } from '../../server/dist/testing/without-limits.js'
import { fill } from './dataset.ts'
import type { Size } from './size.ts'

/** As the packages of a distribution set it up, with room for what is held. Commits wait for the disk. */
const SETTINGS = ['max_connections=200', 'shared_buffers=512MB', 'max_wal_size=4GB']

export interface Databases {
  /** Where `initdb` was found; pgbench is there too if it came with the server. */
  binaries: string
  /** An empty database of that name; gives its URL. */
  create(name: string): Promise<string>
  /** A database of that name with this dataset. */
  make(name: string, size: Size): Promise<Dataset>
  stop(): Promise<void>
}

export interface Dataset {
  url: string
  size: Size
  client: pg.Client
}

/** A PostgreSQL of the bench's own, gone when it stops. Null if none can run here. */
export async function startDatabases(): Promise<Databases | null> {
  const binaries = await findBinaries()
  if (!binaries) return null
  const server = await startCluster(binaries, SETTINGS)
  const clients: pg.Client[] = []

  async function connect(name: string): Promise<pg.Client> {
    const client = new pg.Client(`${server.url}/${name}`)
    await client.connect()
    clients.push(client)
    // Whoever waits for a statement hears of a lost connection; unheard, the event would end the process before the rest.
    client.on('error', () => undefined)
    return client
  }

  async function create(name: string): Promise<string> {
    const admin = await connect('postgres')
    await admin.query(`create database ${name}`)
    return `${server.url}/${name}`
  }

  return {
    binaries,
    create,
    async make(name, size) {
      const url = await create(name)
      const database = await openPostgres(url)
      await migrate(database)
      await database.script(WITHOUT_DAILY_LIMIT)
      await database.close()
      const client = await connect(name)
      await fill((sql) => client.query(sql), size)
      return { url, size, client }
    },
    async stop() {
      await Promise.all(clients.map((client) => client.end()))
      await server.stop()
    },
  }
}
