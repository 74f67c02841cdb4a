import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { removeAtExit } from '../server/src/testing/kill-at-exit.ts'
import { canRunPostgres, copyDatabase, startPostgres } from '../server/src/testing/postgres-server.ts'
import { type Template, TestServer } from './server.ts'

/** Makes the data that the servers of journeys copy, and the folder of all temporary data. */
export default async function setUpServers(): Promise<() => Promise<void>> {
  const postgres = (await canRunPostgres()) ? await startPostgres() : null
  const folder = await mkdtemp(join(tmpdir(), 'deeb-e2e-'))
  removeAtExit(folder)
  process.env.TMPDIR = folder
  const databaseUrl = postgres && (await copyDatabase(`${postgres.url}/template1`))
  const [alone, shared] = await Promise.all([startOnce(null), databaseUrl && startOnce(databaseUrl)])
  process.env.DEEB_TEMPLATES = JSON.stringify({ alone, shared: shared || alone })
  return async () => postgres?.stop()
}

async function startOnce(databaseUrl: string | null): Promise<Template> {
  const server = await TestServer.first({}, databaseUrl)
  await server.stop()
  return { dataDir: server.dataDir, databaseUrl }
}
