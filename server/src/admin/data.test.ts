import { afterAll, beforeAll, expect, test } from 'vitest'
import { PERSONAL_DATA, SECRETS } from '../account/read-my-data.ts'
import type { Database } from '../db/db.ts'
import { openTestDatabase } from '../testing/test-database.ts'
import { dataOf, readDataComments } from './data.ts'
import { GERMAN } from './data-german.ts'
import { WHO_SEES } from './who-sees-data.ts'

let db: Database
let tables: Awaited<ReturnType<typeof readDataComments>>
beforeAll(async () => {
  db = await openTestDatabase()
  tables = await readDataComments(db)
})
afterAll(() => db.close())

test('every table and every column has a meaning in one plain sentence', () => {
  const meanings = tables.flatMap(({ name, meaning, columns }) => [
    [name, meaning],
    ...columns.map((column) => [`${name}.${column.name}`, column.meaning]),
  ])
  // A `|` would end the cell of the table.
  expect(meanings.filter(([, meaning]) => !/^[A-Z][^|\n]*\.$/.test(meaning ?? ''))).toEqual([])
})

test('every table says who sees it, and every exception names a column', () => {
  const entries = Object.keys(WHO_SEES)
  const all = tables.map(({ name }) => name)
  expect(entries.filter((entry) => all.includes(entry)).sort()).toEqual(all.sort())
  const columns = tables.flatMap(({ name, columns }) => columns.map((column) => `${name}.${column.name}`))
  expect(entries.filter((entry) => ![...all, ...columns].includes(entry))).toEqual([])
})

test('a person sees the tables that are in their download, and no secrets of them', () => {
  const seen = tables.map(({ name }) => name).filter((name) => !/^(administrator|everybody)/.test(WHO_SEES[name] ?? ''))
  expect(seen.sort()).toEqual(Object.keys(PERSONAL_DATA).sort())
  const columns = tables.flatMap(({ columns }) => columns.map(({ name }) => name))
  expect(SECRETS.filter((secret) => !columns.includes(secret))).toEqual([])
})

test('every table has a German text', () => {
  expect(Object.keys(GERMAN).sort()).toEqual(tables.map(({ name }) => name).sort())
})

test('the page shows each column with its meaning and who sees it, and tables and audiences in both languages', async () => {
  const [english, german] = await Promise.all([dataOf(db, 'en'), dataOf(db, 'de')])
  expect(english).toContain('### auth.users\n\nAn account. Kept: until the account is deleted.\n')
  expect(english).toContain('| `start_time` | When it began. | connections and circles |')
  expect(english).toMatch(/\| `encrypted_password` \| [^|]+ \| administrator \|/)
  expect(german).toContain('### auth.users\n\nEin Konto. Aufbewahrt: bis das Konto gelöscht wird.\n')
  expect(german).toContain('| `start_time` | When it began. | Verbindungen und Kreise |')
  expect([english.split('\n')[0], german.split('\n')[0]]).toEqual(['# What deeb keeps', '# Was deeb speichert'])
})
