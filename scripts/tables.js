// Writes the tables of docs that are generated from the server's code: docs/limits.md and docs/settings.md, or the one that is named.
// With --check, fails if one is out of date. Reads the built server: `npm run build` or `npm run check` comes first.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { limitsAsMarkdown } from '../server/dist/limits/limits-table.js'
import { settingsAsMarkdown } from '../server/dist/settings-table.js'

const TABLES = { limits: limitsAsMarkdown, settings: settingsAsMarkdown }
const MARKED = /(<!-- table -->\n)[\s\S]*?(<!-- \/table -->)/

const isCheck = process.argv.includes('--check')
const named = process.argv.slice(2).filter((word) => word in TABLES)

for (const name of named.length > 0 ? named : Object.keys(TABLES)) {
  const path = fileURLToPath(new URL(`../docs/${name}.md`, import.meta.url))
  const page = readFileSync(path, 'utf8').replaceAll('\r\n', '\n')
  const current = page.replace(MARKED, (_all, start, end) => `${start}\n${TABLES[name]()}\n\n${end}`)
  if (!isCheck) writeFileSync(path, current)
  else if (current !== page) {
    console.error(`docs/${name}.md is out of date. Run: npm run ${name}`)
    process.exitCode = 1
  }
}
