import { randomUUID } from 'node:crypto'
import type { TestProject } from 'vitest/node'
import { openPostgres } from '../db/db.ts'
import { migrate } from '../db/migrate.ts'
import { findPooler, startPooler } from './pooler.ts'
import { startPostgres } from './postgres-server.ts'

/**
 * Runs once per test run: starts a PostgreSQL with a migrated database. Every test file gets its own copy. With `POOLER=1` the tests
 * reach it through PgBouncer.
 */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const program = process.env.POOLER ? findPooler() : undefined
  if (program === null) throw new Error('No PgBouncer 1.21 or newer on this machine.')
  const server = await startPostgres()
  const name = `deeb_template_${randomUUID().slice(0, 8)}`
  const admin = await openPostgres(`${server.url}/postgres`)
  await admin.script(`create database ${name}`)
  await admin.close()
  const database = await openPostgres(`${server.url}/${name}`)
  await migrate(database)
  await database.close()
  const pooler = program === undefined ? null : await startPooler(program, server.url)
  project.provide('template', { engine: 'postgresql', url: pooler?.url ?? server.url, directUrl: server.url, name })
  return async () => {
    await pooler?.stop()
    await server.stop()
  }
}
