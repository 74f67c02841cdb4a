import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import type { TestProject } from 'vitest/node'
import { EXTENSIONS, openPglite } from '../db/embedded.ts'
import { migrate } from '../db/migrate.ts'

/** Runs once per test run: creates a migrated embedded database. Every test file gets its own copy. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await mkdtemp(join(tmpdir(), 'deeb-template-'))
  const pglite = await PGlite.create('memory://', { extensions: EXTENSIONS })
  const database = await openPglite(pglite)
  await migrate(database)
  const dump = join(folder, 'template.tar')
  await writeFile(dump, Buffer.from(await (await pglite.dumpDataDir('none')).arrayBuffer()))
  await database.close()
  project.provide('template', { engine: 'embedded', dump })
  return () => rm(folder, { recursive: true, force: true })
}
