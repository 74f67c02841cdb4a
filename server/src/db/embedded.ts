import { chmodSync, fdatasyncSync, readdirSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin'
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import pg from 'pg'
import { CrashAwarePGlite } from './crash-aware-pglite.ts'
import { type Database, databaseOn } from './db.ts'
import { lockFolder } from './folder-lock.ts'
import { startUpkeep } from './maintenance.ts'
import { type Engine, reopeningDatabase } from './reopening-database.ts'

/**
 * The database inside this process, its files in `dataDir`. PGlite as shipped acknowledges what is not on the disk,
 * lets two processes write one folder, never cleans up behind itself and does not survive a full disk; the repairs are here
 * and in the files beside this one. Throws a sentence for the person at the terminal if another process holds the folder.
 */
export async function openEmbedded(dataDir: string): Promise<Database> {
  const folder = join(dataDir, 'database')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const release = await lockFolder(dataDir)
  try {
    const database = await reopeningDatabase(() => startEngine(folder))
    keepToOwner(folder)
    const stopUpkeep = startUpkeep(database)
    return {
      ...database,
      async close() {
        // Should it fail, the next start does what it did not.
        await stopUpkeep().catch(() => undefined)
        await database.close()
        await release()
      },
    }
  } catch (error) {
    await release()
    throw error
  }
}

/**
 * Takes all access from other users of the machine. PGlite unpacks a new database with modes that let everybody write, and
 * the folder's own mode is lost in some copies. A file system without modes is no reason not to start.
 */
function keepToOwner(folder: string): void {
  try {
    chmodSync(folder, 0o700)
    for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
      if (entry.isSymbolicLink()) continue
      chmodSync(join(entry.parentPath, entry.name), entry.isDirectory() ? 0o700 : 0o600)
    }
  } catch (error) {
    console.error(`Other users of this machine may be able to read ${folder}: ${(error as Error).message}`)
  }
}

async function startEngine(folder: string): Promise<Engine> {
  const options = { fs: new DurableNodeFS(folder), startParams: DURABLE_START, extensions: EXTENSIONS }
  const pglite = new CrashAwarePGlite(options)
  await pglite.waitReady
  return { database: await openPglite(pglite), ended: pglite.ended }
}

/** A PGlite that is running already, as a Database. Tests use it with one in memory. */
export async function openPglite(pglite: PGlite): Promise<Database> {
  // One backend, one client, kept for good: closing it would leave the next one the wrong listeners.
  const pool = new pg.Pool({ ...createPgConfig(pglite), max: 1, idleTimeoutMillis: 0 })
  return databaseOn({ pool }, 'embedded', async () => {
    await pool.end()
    await pglite.close()
  })
}

/** What the migrations create. The embedded engine has to be given them at each start. */
export const EXTENSIONS = { btree_gin, btree_gist, pg_trgm }

/** PGlite starts its Postgres with `-F` (fsync off). */
const DURABLE_START = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
  ...['-c', 'fsync=on'],
  // The one method whose system call reaches the file system below: `fdatasync` is a no-op in the WASM build.
  ...['-c', 'wal_sync_method=fsync'],
]

/** Emscripten's NODEFS has no fsync operation: without one, "synced" means "handed to the kernel". */
class DurableNodeFS extends NodeFS {
  override async init(...args: Parameters<NodeFS['init']>) {
    const ready = await super.init(...args)
    ready.emscriptenOpts.preRun?.push((module: unknown) => {
      // A file system that Emscripten keeps on its module, not in the types.
      const { NODEFS } = module as { NODEFS: { stream_ops: StreamOperations } }
      NODEFS.stream_ops.fsync = (stream) => {
        fdatasyncSync(stream.nfd)
        return 0
      }
    })
    return ready
  }
}

interface StreamOperations {
  fsync?: (stream: { nfd: number }) => number
}
