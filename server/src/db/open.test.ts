// Runs in npm run test:all, on PostgreSQL.
import pg from 'pg'
import { expect, test } from 'vitest'
import { createTestDatabase, directUrlOf, isOnPostgres } from '../testing/test-database.ts'
import { openMigrated } from './open.ts'

test.runIf(isOnPostgres())('a start waits for a migration that exceeds the statement timeout', async () => {
  const databaseUrl = await createTestDatabase()
  const other = new pg.Client(databaseUrl)
  await other.connect()
  await other.query('begin; lock table schema_migrations')
  const migration = other.query('select pg_sleep(11); create table of_the_migration (); commit')

  const db = await openMigrated({ databaseUrl, databaseDirectUrl: directUrlOf(databaseUrl), dataDir: '' })
  await expect(db.script('table of_the_migration')).resolves.toBeUndefined()
  await migration
  await Promise.all([db.close(), other.end()])
})
