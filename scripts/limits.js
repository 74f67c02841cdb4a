// Writes the table of docs/limits.md from server/src/limits/limits-table.ts. With --check, fails if it is out of date.
// Reads the built server: `npm run build` or `npm run check` comes first.
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { limitsAsMarkdown } from '../server/dist/limits/limits-table.js'

const PAGE = fileURLToPath(new URL('../docs/limits.md', import.meta.url))
const MARKED = /(<!-- table -->\n)[\s\S]*?(<!-- \/table -->)/

const page = readFileSync(PAGE, 'utf8').replaceAll('\r\n', '\n')
const current = page.replace(MARKED, (_all, start, end) => `${start}\n${limitsAsMarkdown()}\n\n${end}`)

if (!process.argv.includes('--check')) writeFileSync(PAGE, current)
else if (current !== page) {
  console.error('docs/limits.md is out of date. Run: npm run limits')
  process.exit(1)
}
