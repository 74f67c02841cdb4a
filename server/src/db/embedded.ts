import { chmodSync, existsSync, fdatasyncSync, readdirSync } from 'node:fs'
import { mkdir, readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import { btree_gin } from '@electric-sql/pglite/contrib/btree_gin'
import { btree_gist } from '@electric-sql/pglite/contrib/btree_gist'
import { pg_trgm } from '@electric-sql/pglite/contrib/pg_trgm'
import { createPgConfig } from '@electric-sql/pglite/node-postgres'
import { NodeFS } from '@electric-sql/pglite/nodefs'
import pg from 'pg'
import { SERVER_FOLDER } from '../folders.ts'
import { CrashAwarePGlite } from './crash-aware-pglite.ts'
import { type Database, databaseOn } from './db.ts'
import { lockFolder } from './folder-lock.ts'
import { startMaintenance } from './maintenance.ts'
import { type Engine, reopeningDatabase } from './reopening-database.ts'

/**
 * Opens the database inside this process, with its files in `dataDir`. Plain PGlite acknowledges writes before they are on
 * disk, lets two processes write one folder, runs no checkpoint or vacuum, and does not recover from a full disk. This file
 * and its neighbours fix that. Throws a message for the terminal if another process holds the folder lock.
 */
export async function openEmbedded(dataDir: string): Promise<Database> {
  const folder = join(dataDir, 'database')
  await mkdir(folder, { recursive: true, mode: 0o700 })
  const release = await lockFolder(dataDir)
  try {
    // After a hard stop it may be empty, which the engine takes for another server. The lock says that there is none.
    await rm(join(folder, 'postmaster.pid'), { force: true })
    const database = await reopeningDatabase(() => startEngine(folder))
    restrictToOwner(folder)
    const stopMaintenance = startMaintenance(database)
    return {
      ...database,
      async close() {
        // If the last checkpoint fails, crash recovery at the next start replaces it.
        await stopMaintenance().catch(() => undefined)
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
 * Removes all file permissions of other users of the machine. PGlite creates files that everybody can write, and copies may
 * lose the mode of the folder. On a file system without modes this logs a warning and continues.
 */
function restrictToOwner(folder: string): void {
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
  const isNew = !existsSync(join(folder, 'PG_VERSION'))
  const options = {
    ...{ fs: new DurableNodeFS(folder), startParams: START_PARAMS, extensions: EXTENSIONS },
    ...(isNew ? { loadDataDir: await readNewDatabase() } : {}),
  }
  const pglite = new CrashAwarePGlite(options)
  await pglite.waitReady
  return { database: await openPglite(pglite), ended: pglite.ended }
}

/** Wraps a running PGlite as a Database. Tests use it with one in memory. */
export async function openPglite(pglite: PGlite): Promise<Database> {
  // PGlite has one backend, so the pool has one client and never closes it: the next one would get the wrong listeners.
  const pool = new pg.Pool({ ...createPgConfig(pglite), max: 1, idleTimeoutMillis: 0 })
  return databaseOn({ pool }, 'embedded', async () => {
    await pool.end()
    await pglite.close()
  })
}

/** Opens a new, empty database in memory. */
export async function openInMemory(): Promise<Database> {
  return openPglite(await PGlite.create('memory://', { loadDataDir: await readNewDatabase(), extensions: EXTENSIONS }))
}

/** An empty database that the build has made. To run `initdb` in WebAssembly instead takes five seconds of CPU. */
async function readNewDatabase(): Promise<Blob> {
  return new Blob([await readFile(`${SERVER_FOLDER}dist/new-database.tar.gz`)], { type: 'application/x-gzip' })
}

/** The extensions that the migrations create. The embedded engine needs them at each start. */
export const EXTENSIONS = { btree_gin, btree_gist, pg_trgm }

/** PGlite starts its Postgres with `-F` (fsync off). */
const START_PARAMS = [
  ...PGlite.defaultStartParams.filter((param) => param !== '-F'),
  ...['-c', 'fsync=on'],
  // Only this method calls the file system below: `fdatasync` is a no-op in the WASM build.
  ...['-c', 'wal_sync_method=fsync'],
  // WebAssembly memory is zeroed at each start and never returned. The default of 128 MB is larger than most of these databases.
  ...['-c', 'shared_buffers=16MB'],
]

/** NODEFS with an fsync operation. Emscripten's has none, so a "sync" would only hand data to the kernel. */
class DurableNodeFS extends NodeFS {
  override async init(...args: Parameters<NodeFS['init']>) {
    const ready = await super.init(...args)
    ready.emscriptenOpts.preRun?.push((module: unknown) => {
      // Emscripten keeps NODEFS on its module; the types lack it.
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
