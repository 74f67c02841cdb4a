// Writes the pages of docs that are generated from code, and server/schema.sql: all, or only those named. With --check, fails if one is out of date.
//   npm run tables [-- limits settings ...]
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { bundle, makeNewDatabase } from '../server/build.js'
import { compileTexts } from './texts.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const BUNDLE = new URL('dist/', import.meta.url)

// The schema is read from a migrated database.
await makeNewDatabase()
compileTexts()
const sources = {
  schema: `${root}server/src/db/schema-dump.ts`,
  limits: `${root}server/src/limits/limits-texts.ts`,
  settings: `${root}server/src/config/settings-table.ts`,
}
await bundle(sources, fileURLToPath(BUNDLE))
const importBundled = (name) => import(new URL(`${name}.js`, BUNDLE).href)
const { schemaAsSql } = await importBundled('schema')
const { limitsAsMarkdown } = await importBundled('limits')
const { settingsAsMarkdown } = await importBundled('settings')

const TABLES = {
  limits: { page: 'docs/prove/limits.md', make: limitsAsMarkdown },
  settings: { page: 'docs/operate/settings.md', make: settingsAsMarkdown },
  schema: { page: 'server/schema.sql', make: schemaAsSql, isWhole: true },
}
const MARKED = /(<!-- table -->\n)[\s\S]*?(<!-- \/table -->)/

const isCheck = process.argv.includes('--check')
const named = process.argv.slice(2).filter((word) => word in TABLES)

for (const name of named.length > 0 ? named : Object.keys(TABLES)) {
  const { page, make, isWhole } = TABLES[name]
  const path = root + page
  const text = readFileSync(path, 'utf8').replaceAll('\r\n', '\n')
  const table = await make()
  const current = isWhole ? table : text.replace(MARKED, (_all, start, end) => `${start}\n${table}\n\n${end}`)
  if (!isCheck) writeFileSync(path, current)
  else if (current !== text) {
    console.error(`${page} is out of date. Run: npm run tables`)
    process.exitCode = 1
  }
}
if (named.length === 0 || process.argv.includes('licences')) await import('./licences.js')
