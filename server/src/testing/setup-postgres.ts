import { randomUUID } from 'node:crypto'
import type { TestProject } from 'vitest/node'
import { openPostgres } from '../db/db.ts'
import { migrate } from '../db/migrate.ts'
import { startPostgres } from './postgres-server.ts'

/** Runs once per test run: starts a PostgreSQL with a migrated database. Every test file gets its own copy. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const server = await startPostgres()
  const name = `deeb_template_${randomUUID().slice(0, 8)}`
  const admin = await openPostgres(`${server.url}/postgres`)
  await admin.script(`create database ${name}`)
  await admin.close()
  const database = await openPostgres(`${server.url}/${name}`)
  await migrate(database)
  await database.close()
  project.provide('template', { engine: 'postgresql', url: server.url, name })
  return () => server.stop()
}
