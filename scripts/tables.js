// Writes the tables of docs that are generated from code, of all pages below or only of the named ones. With --check, fails if a
// table is out of date. Reads the built server: `npm run build` or `npm run check` comes first.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { dataAsMarkdown } from '../server/dist/admin/data.js'
import { limitsAsMarkdown } from '../server/dist/limits/limits-table.js'
import { settingsAsMarkdown } from '../server/dist/settings-table.js'
import { callsAsMarkdown } from './calls-table.js'
import { scaleAsMarkdown } from './scale-table.js'

const TABLES = {
  calls: { page: 'ARCHITECTURE.md', make: callsAsMarkdown },
  limits: { page: 'docs/limits.md', make: limitsAsMarkdown },
  settings: { page: 'docs/settings.md', make: settingsAsMarkdown },
  scale: { page: 'docs/scale.md', make: scaleAsMarkdown },
  data: { page: 'docs/data.md', make: () => dataAsMarkdown('en') },
  daten: { page: 'docs/de/daten.md', make: () => dataAsMarkdown('de') },
}
const MARKED = /(<!-- table -->\n)[\s\S]*?(<!-- \/table -->)/

const isCheck = process.argv.includes('--check')
const named = process.argv.slice(2).filter((word) => word in TABLES)

for (const name of named.length > 0 ? named : Object.keys(TABLES)) {
  const { page, make } = TABLES[name]
  const path = fileURLToPath(new URL(`../${page}`, import.meta.url))
  const text = readFileSync(path, 'utf8').replaceAll('\r\n', '\n')
  const table = await make()
  const current = text.replace(MARKED, (_all, start, end) => `${start}\n${table}\n\n${end}`)
  if (!isCheck) writeFileSync(path, current)
  else if (current !== text) {
    console.error(`${page} is out of date. Run: npm run ${name === 'daten' ? 'data' : name}`)
    process.exitCode = 1
  }
}
