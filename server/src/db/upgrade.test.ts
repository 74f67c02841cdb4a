// Runs in npm run test:all.
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { SERVER_FOLDER } from '../folders.ts'
import { changedSinceLanded } from '../testing/landed-migrations.ts'
import { claimMigrations, openEmptyDatabase, openTestDatabase } from '../testing/test-database.ts'
import { type Database, statement } from './db.ts'
import { BASELINE, FOLDED, migrate } from './migrate.ts'
import { dumpSchema } from './schema-dump.ts'

const HAS_GIT = spawnSync('git', ['--version']).status === 0
const AS_ANYBODY = ['user.name=a', 'user.email=a@b.example', 'commit.gpgsign=false'].flatMap((word) => ['-c', word])

describe('the SQL of a migration and of the baseline does not change', () => {
  test.each([
    ['schema', ''],
    ['migrations', FOLDED.at(-1)],
  ])('in %s, each file is as it was first committed', (folder, fixed) => {
    const changed = changedSinceLanded(SERVER_FOLDER + folder, fixed)
    if (changed === null) console.log('Skipped: the check for changed migrations needs the git history.')
    expect(changed ?? []).toEqual([])
  })

  test.runIf(HAS_GIT)(
    'git finds an edited, removed or renamed migration, and allows a new one and comments',
    async () => {
      const folder = await mkdtemp(join(tmpdir(), 'deeb-migrations-'))
      const git = (...words: string[]) =>
        execFileSync('git', [...AS_ANYBODY, ...words], { cwd: folder, stdio: 'ignore' })
      expect(changedSinceLanded(folder)).toBe(null)
      git('init', '--quiet')
      for (const name of ['1_kept.sql', '2_edited.sql', '3_removed.sql', '4_renamed.sql']) {
        await writeFile(join(folder, name), `create table ${name} ();\n`)
      }
      git('add', '.')
      git('commit', '--quiet', '--message', 'one')
      expect(changedSinceLanded(folder)).toEqual([])
      await writeFile(join(folder, '1_kept.sql'), '-- A comment.\ncreate table 1_kept.sql ();\n')
      await writeFile(join(folder, '2_edited.sql'), 'create table other ();\n')
      git('rm', '--quiet', '3_removed.sql')
      git('mv', '4_renamed.sql', '5_renamed.sql')
      git('commit', '--quiet', '--all', '--message', 'two')
      await writeFile(join(folder, '6_new.sql'), 'create table new ();\n')
      expect(changedSinceLanded(folder)?.sort()).toEqual(['2_edited.sql', '3_removed.sql', '4_renamed.sql'])
      await rm(folder, { recursive: true })
    },
  )
})

const applied = statement('test.applied', 'select name from schema_migrations order by name')
const namesIn = async (db: Database) => (await db.query<{ name: string }>(applied)).map(({ name }) => name)

test('an empty database gets the baseline and all migrations, once', async () => {
  const [db, template] = [await openEmptyDatabase(), await openTestDatabase()]
  await Promise.all([migrate(db), migrate(db)])
  expect((await namesIn(db))[0]).toBe(BASELINE)
  expect([await namesIn(db), await dumpSchema(db)]).toEqual([await namesIn(template), await dumpSchema(template)])
  await Promise.all([db.close(), template.close()])
})

test('a database with all folded migrations is at the baseline, and keeps its rows', async () => {
  const [db, template] = [await openEmptyDatabase(), await openTestDatabase()]
  await migrate(db, BASELINE)
  await claimMigrations(db, FOLDED)
  await db.script("insert into known_secrets values ('a', now())")
  await migrate(db)
  expect([await namesIn(db), await dumpSchema(db)]).toEqual([await namesIn(template), await dumpSchema(template)])
  expect(await db.query(statement('test.secrets', 'select 1 from known_secrets'))).toHaveLength(1)
  await Promise.all([db.close(), template.close()])
})

test.each([
  [
    'an older',
    'the first of the folded migrations',
    FOLDED.slice(0, 4),
    `it ends with ${FOLDED[3]}): use it with commit`,
  ],
  ['an older', 'all but one', FOLDED.filter((name) => !name.includes('push')), 'use it with commit'],
  ['a newer', 'a migration that is not known', [BASELINE, '9999_unknown.sql'], 'it has 9999_unknown.sql'],
  ['a newer', 'the folded ones and one more', [...FOLDED, '0046_other.sql'], 'it has 0046_other.sql'],
])('refuses the database of %s version: %s', async (age, _, names, sentence) => {
  const db = await openTestDatabase()
  await claimMigrations(db, names)
  const refusal = migrate(db)
  await expect(refusal).rejects.toThrow(`The database was made by ${age} version of deeb`)
  await expect(refusal).rejects.toThrow(sentence)
  expect(await namesIn(db)).toEqual(names)
  await db.close()
})
