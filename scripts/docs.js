// Checks the docs: each link and each path of a page leads somewhere, each test that a page names exists, and each threat of
// docs/prove/trust.md has a test with its number, as each number in a test has a threat.
import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const TRUST = 'docs/prove/trust.md'
/** The pages that name tests. A test below `server/src` may be named without it. */
const QUOTING = ['docs/prove/accessibility.md', 'docs/prove/asvs.md', TRUST]
const FOLDERS = ['', 'server/src/']

const LINK = /\]\(([^)\s#]*)(?:#([^)\s]*))?\)/g
const PAGE = /\bdocs\/[\w/-]+\.md\b/g
/** A file of tests, or a title behind it in the same cell. */
const NAMED = /`([^`\s]+\.(?:test|spec)\.tsx?)`|"([^"]+)"/g
const THREAT = /^\| (\d+) \|.* \| (.*) \|$/gm

const tracked = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: ROOT,
  encoding: 'utf8',
})
const files = tracked.split('\n').filter((path) => path !== '' && existsSync(ROOT + path))
/** The text of each file that was read. */
const texts = new Map()
const read = (path) => {
  if (!texts.has(path)) texts.set(path, readFileSync(ROOT + path, 'utf8'))
  return texts.get(path)
}
const pages = files.filter((path) => path.endsWith('.md'))

let count = 0
const wrong = [...pages.flatMap(brokenLinks), ...brokenPaths(), ...QUOTING.flatMap(missingTests), ...wrongThreats()]
if (wrong.length === 0) console.log(`${count} links, paths, named tests and threats lead somewhere.`)
for (const line of wrong) console.error(line)
process.exitCode = wrong.length > 0 ? 1 : 0

/** The links of a page to files and headings that do not exist. */
function brokenLinks(page) {
  const text = read(page).replace(/^ *```[\s\S]*?^ *```/gm, '')
  const broken = []
  for (const [link, path, heading] of text.matchAll(LINK)) {
    if (/^[a-z]+:/.test(path)) continue
    count++
    const target = path === '' ? page : join(dirname(page), path)
    const isThere = existsSync(join(ROOT, target)) && (heading === undefined || headingsOf(target).includes(heading))
    if (!isThere) broken.push(`${page}: no target of ${link}`)
  }
  return broken
}

/** The anchors of a page, as GitHub makes them. */
function headingsOf(page) {
  const headings = read(page).matchAll(/^#+ (.*)$/gm)
  return [...headings].map(([, text]) =>
    text
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  )
}

/** The pages that code and comments name and do not exist. */
function brokenPaths() {
  const code = files.filter(
    (path) => /\.([jt]sx?|json|ya?ml|ini|conf|cfg|sh|md)$/.test(path) && path !== 'scripts/docs.js',
  )
  return code.flatMap((path) =>
    [...read(path).matchAll(PAGE)].flatMap(([page]) => {
      count++
      return existsSync(ROOT + page) ? [] : [`${path}: no page ${page}`]
    }),
  )
}

/** The tests that a page names and do not exist. */
function missingTests(page) {
  return read(page)
    .split('\n')
    .flatMap((line, n) =>
      line.split(' | ').flatMap((cell) => missingIn(cell).map((what) => `${page}:${n + 1}: ${what}`)),
    )
}

/** The tests that a cell of a table names and do not exist. */
function missingIn(cell) {
  const missing = []
  let file = null
  for (const [, path, title] of cell.matchAll(NAMED)) {
    if (path) {
      const found = testFile(path)
      file = found === undefined ? null : { path, text: read(found) }
      if (!file) missing.push(`no file ${path}`)
    } else if (file && !namesOf(title).test(file.text)) missing.push(`no test "${title}" in ${file.path}`)
    else if (!file) continue
    count++
  }
  return missing
}

function testFile(path) {
  return FOLDERS.map((folder) => folder + path).find((file) => existsSync(ROOT + file))
}

/** Matches a name in the code of a test, in any quotation marks and with escaped ones, that begins with a title. */
function namesOf(title) {
  const text = title.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll("'", "\\\\?'")
  return new RegExp(`['"\`]${text.replaceAll('\\.\\.\\.', '[^\\n]*')}`)
}

/** Numbers of threats in tests without a row, and rows whose tests do not have their number. A row without a test says why. */
function wrongThreats() {
  const rows = new Map([...read(TRUST).matchAll(THREAT)].map(([, number, test]) => [Number(number), test]))
  const tests = files.filter((path) => /\.(test|spec)\.tsx?$/.test(path))
  const unknown = tests.flatMap((path) =>
    [...threatsIn(read(path))]
      .filter((number) => !rows.has(number))
      .map((number) => `${path}: ${TRUST} has no threat ${number}`),
  )
  const untested = [...rows].flatMap(([number, cell]) => {
    count++
    const named = [...cell.matchAll(NAMED)].map(([, path]) => path && testFile(path)).filter(Boolean)
    if (named.length === 0)
      return cell.includes('no test: ') ? [] : [`${TRUST}: threat ${number} names no test and no reason`]
    const isNumbered = named.some((path) => threatsIn(read(path)).has(number))
    return isNumbered ? [] : [`${TRUST}: threat ${number} is in no name of a test of ${named.join(', ')}`]
  })
  return [...unknown, ...untested]
}

/** The numbers in `threat 7`, `threats 17 and 20` and `threats 180 to 183`. */
function threatsIn(text) {
  const numbers = new Set()
  for (const [, first, word, last] of text.matchAll(/\bthreats? (\d+)(?: (and|to) (\d+))?/g)) {
    numbers.add(Number(first))
    if (word === 'and') numbers.add(Number(last))
    if (word === 'to') for (let n = Number(first); n <= Number(last); n++) numbers.add(n)
  }
  return numbers
}
