// Checks that texts and names use the standard terms of scripts/dialect.js, and that new commit subjects follow CONTRIBUTING.md.
//   npm run words [-- PATH ...]    file:line: "word" -> use "term"; exits with 1 if anything is found.
//                                  Line 0 is the name of the file.
//   npm run words -- --count       how often each word occurs
//   npm run words -- --terms       how often each term of the glossary occurs
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { DIALECT, EXEMPT_PATHS, EXEMPT_PHRASES, GLOSSARY } from './dialect.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const MAX_SUBJECT = 72
const SUBJECT = /^[a-z0-9][\w ./,-]*: \S/

/** What a space in a pattern matches: a space, or a line break with the comment mark of the next line. */
const GAP = String.raw`(?:[^\S\n]+|[^\S\n]*\n[^\S\n]*(?:(?:\*|\/\/|--|#+|>)[^\S\n]+)?)`
const ENTRIES = DIALECT.map((entry) => ({
  ...entry,
  find: new RegExp(entry.find.source.replaceAll(' ', GAP), `${entry.find.flags}g`),
}))

const options = process.argv.slice(2).filter((arg) => arg.startsWith('--'))
const paths = process.argv.slice(2).filter((arg) => !arg.startsWith('--'))

if (options.includes('--terms')) printTerms()
else check()

function check() {
  const hits = textFiles().flatMap(hitsInFile)
  const commits = paths.length === 0 ? newCommits() : []
  const wrongCommits = commits.flatMap(problemsOfCommit)
  if (options.includes('--count')) printCounts(hits)
  else {
    const lines = hits.map(({ path, line, word, use }) => `${path}:${line}: "${word}" -> use "${use}"`)
    process.stdout.write([...lines, ...wrongCommits, ''].join('\n'))
  }
  console.log(`${hits.length} words, ${wrongCommits.length} commit subjects.`)
  process.exitCode = hits.length + wrongCommits.length > 0 ? 1 : 0
}

/** The tracked text files, with their text. Empty outside a git repository. */
function textFiles() {
  const listed = git(['ls-files', '-z', '--', ...paths])
  if (listed === null) console.log('Skipped: this is not a git repository, so the files are unknown.')
  return (listed ?? '')
    .split('\0')
    .filter((path) => path !== '' && prefixIn(EXEMPT_PATHS, path) === undefined)
    .map((path) => ({ path, text: textOf(path) }))
}

/** Empty for a binary file, and for one that was deleted since the last commit. */
function textOf(path) {
  try {
    const text = readFileSync(root + path, 'utf8')
    if (text.slice(0, 8000).includes('\0')) return ''
    // Sections of released versions are history.
    return path === 'CHANGELOG.md' ? text.split(/^## \d/m)[0] : text
  } catch {
    return ''
  }
}

function hitsInFile({ path, text }) {
  const entries = ENTRIES.filter(
    ({ within, allowed }) =>
      (within === undefined || within.some((prefix) => path.startsWith(prefix))) &&
      prefixIn(allowed ?? {}, path) === undefined,
  )
  // The path is searched as line 0.
  const searched = `${path}\n${text}`
  const found = hitsInText(searched, entries, path)
  return found.map(({ index, ...hit }) => ({ path, line: searched.slice(0, index).split('\n').length - 1, ...hit }))
}

/** Matches that are not part of an allowed phrase, in the order of the text. */
function hitsInText(text, entries, path) {
  const hits = entries.flatMap(({ find, use }) =>
    [...text.matchAll(find)].map(({ 0: word, index }) => ({ index, word: word.replace(/\s+\W*\s*/g, ' '), use, find })),
  )
  return hits.filter((hit) => !isExempt(text, hit, path)).sort((a, b) => a.index - b.index)
}

function isExempt(text, { index, word }, path) {
  return EXEMPT_PHRASES.some(({ phrase, within }) => {
    if (within !== undefined && !within.some((prefix) => path.startsWith(prefix))) return false
    const from = Math.max(0, index - phrase.length)
    const at = text.slice(from, index + word.length + phrase.length).indexOf(phrase)
    return at >= 0 && from + at <= index && from + at + phrase.length >= index + word.length
  })
}

function prefixIn(prefixes, path) {
  return Object.keys(prefixes).find((prefix) => path.startsWith(prefix))
}

/** The commits that the main branch of `origin` does not have, as `{ id, subject }`: a subject there can no longer change. */
function newCommits() {
  const base = ['origin/HEAD', 'origin/main'].find((name) => git(['rev-parse', '--verify', '--quiet', name]))
  if (base === undefined) {
    console.log('Skipped: the commit subjects, since there is no main branch of origin to compare with.')
    return []
  }
  const log = (git(['log', '--no-merges', '--format=%h %s', `${base}..HEAD`]) ?? '').trim()
  return log === ''
    ? []
    : log.split('\n').map((line) => ({ id: line.split(' ', 1)[0], subject: line.slice(line.indexOf(' ') + 1) }))
}

function problemsOfCommit({ id, subject }) {
  const words = hitsInText(
    subject,
    ENTRIES.filter(({ within }) => within === undefined),
    '',
  )
  return [
    ...(subject.length > MAX_SUBJECT ? [`${subject.length} characters -> use at most ${MAX_SUBJECT}`] : []),
    ...(SUBJECT.test(subject) ? [] : ['no area -> use "area: what changes"']),
    ...words.map(({ word, use }) => `"${word}" -> use "${use}"`),
  ].map((problem) => `commit ${id}: ${problem}: ${subject}`)
}

/** One line per entry, named by its most frequent match. */
function printCounts(hits) {
  const rows = [...groupBy(hits, ({ find }) => find).values()].map((all) => {
    const byWord = groupBy(all, ({ word }) => word.toLowerCase())
    const [name] = [...byWord].sort(([, a], [, b]) => b.length - a.length)[0]
    return { count: all.length, name, use: all[0].use }
  })
  for (const { count, name, use } of rows.sort((a, b) => b.count - a.count)) {
    console.log(`${String(count).padStart(5)}  ${name} -> ${use}`)
  }
}

function groupBy(items, keyOf) {
  const groups = new Map()
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item])
  return groups
}

function printTerms() {
  // Only product code and its tests: a term in a document is not yet a term in the code.
  const text = textFiles()
    .filter(({ path }) => /^(core|server|web)\/.*\.tsx?$/.test(path))
    .map((file) => file.text)
    .join('\n')
  for (const term of GLOSSARY) {
    // "token bucket" also finds TokenBucket and token-bucket, "idempotent" also idempotency.
    const stem = term.replace(/t$/, '').replaceAll(/[ -]/g, '[\\s_-]*')
    console.log(`${String((text.match(new RegExp(stem, 'gi')) ?? []).length).padStart(5)}  ${term}`)
  }
}

/** The output of a git command, or null if it fails. */
function git(args) {
  try {
    return execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch {
    return null
  }
}
