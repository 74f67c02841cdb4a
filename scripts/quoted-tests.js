// Checks that the tests which docs/prove/accessibility.md and docs/prove/asvs.md name exist: each file in backquotes, and in it a test or a group of
// tests for each title in quotation marks behind it. A title is the beginning of the name, and `...` stands for any text.
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** Each page, and the folders in which it names tests. */
const PAGES = { 'docs/prove/accessibility.md': [''], 'docs/prove/asvs.md': ['', 'server/src/'] }
/** A file of tests, or a title behind it in the same cell. */
const NAMED = /`([^`\s]+\.(?:test|spec)\.tsx?)`|"([^"]+)"/g

let count = 0
for (const [page, folders] of Object.entries(PAGES)) {
  const lines = readFileSync(ROOT + page, 'utf8').split('\n')
  for (const [n, line] of lines.entries()) {
    for (const cell of line.split(' | ')) {
      for (const wrong of missingIn(cell, folders)) {
        console.error(`${page}:${n + 1}: ${wrong}`)
        process.exitCode = 1
      }
    }
  }
}
if (!process.exitCode) console.log(`${count} named tests exist.`)

/** Returns the names in a cell of a table that do not exist. */
function missingIn(cell, folders) {
  const missing = []
  let file = null
  for (const [, path, title] of cell.matchAll(NAMED)) {
    if (path) {
      const found = folders.map((folder) => ROOT + folder + path).find(existsSync)
      file = found ? { path, text: readFileSync(found, 'utf8') } : null
      if (!found) missing.push(`no file ${path}`)
    } else if (file && !namesOf(title).test(file.text)) missing.push(`no test "${title}" in ${file.path}`)
    else if (!file) continue
    count++
  }
  return missing
}

/** Matches a name in the code of a test, in any quotation marks and with escaped ones, that begins with a title. */
function namesOf(title) {
  const text = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll("'", "\\\\?'")
  return new RegExp(`['"\`]${text.replaceAll('\\.\\.\\.', '[^\\n]*')}`)
}
