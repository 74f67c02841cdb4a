import pg from 'pg'
import { openPostgres } from '../../server/src/db/db.ts'
import { migrate } from '../../server/src/db/migrate.ts'
import { findBinaries, startCluster } from '../../server/src/testing/postgres-server.ts'
import { fill } from './dataset.ts'
import type { Size } from './size.ts'

/** The defaults of a distribution's package, with memory for the dataset. fsync is on: commits wait for the disk. */
const SETTINGS = ['max_connections=200', 'shared_buffers=512MB', 'max_wal_size=4GB']

export interface Databases {
  /** Creates a database and fills it with a dataset of this size. */
  make(name: string, size: Size): Promise<Dataset>
  stop(): Promise<void>
}

export interface Dataset {
  url: string
  size: Size
  client: pg.Client
}

/** Starts a temporary PostgreSQL for the bench. Null if none can run on this machine. */
export async function startDatabases(): Promise<Databases | null> {
  const binaries = await findBinaries()
  if (!binaries) return null
  const server = await startCluster(binaries, SETTINGS)
  const clients: pg.Client[] = []

  async function connect(name: string): Promise<pg.Client> {
    const client = new pg.Client(`${server.url}/${name}`)
    await client.connect()
    clients.push(client)
    // A pending statement rejects when the connection is lost. Without a listener, this event would also crash the process.
    client.on('error', () => undefined)
    return client
  }

  /** Creates an empty database. Resolves with its URL. */
  async function create(name: string): Promise<string> {
    const admin = await connect('postgres')
    await admin.query(`create database ${name}`)
    return `${server.url}/${name}`
  }

  return {
    async make(name, size) {
      const url = await create(name)
      const database = await openPostgres(url)
      await migrate(database)
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
