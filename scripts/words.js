// Checks that texts use the terms of scripts/words.txt, and that new commit subjects follow CONTRIBUTING.md. The name of a file is line 0.
//   npm run words [-- PATH ...]    file:line: "word" -> use "term"; exits with 1 if anything is found
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
const MAX_SUBJECT = 72
const SUBJECT = /^[a-z0-9][\w ./,-]*: \S/
/** Translations, history, generated and vendored files, and the public pages, which keep their own voice. */
const EXEMPT =
  /^(scripts\/words\.txt|LICENSE|package-lock\.json|docs\/(.*\/)?(de\/|licences\.txt|languages\.md)|mobile\/(android|ios)\/|server\/(data|src\/testing\/fixtures)\/|bench\/results\/|web\/src\/marketing\/|server\/src\/admin\/data-german\.ts|texts\/messages\/(?!en\/)|texts\/messages\/en\/site\.json)/
/** The pattern of a space: also a line break with the comment mark of the next line. */
const GAP = String.raw`(?:[^\S\n]+|[^\S\n]*\n[^\S\n]*(?:(?:\*|\/\/|--|#+|>)[^\S\n]+)?)`
const lines = readFileSync(`${ROOT}scripts/words.txt`, 'utf8').split('\n')
const allowed = lines.filter((line) => line.startsWith('ok: ')).map((line) => line.slice('ok: '.length))
/** The first word of a doc comment that has neither a noun nor a verb. */
const FRAGMENT = { find: /(?<=\/\*\*[\s*]+)(?:Of|What|When)\b/g, use: 'a noun or a verb first' }
const words = lines
  .filter((line) => line.includes(' -> '))
  .map((line) => line.split(' -> '))
  .map(([word, use]) => ({ find: new RegExp(`\\b(?:${word.replaceAll(' ', GAP)})(?!\\w)`, 'gi'), use }))

const paths = process.argv.slice(2)
const files = git('ls-files', '-z', '--', ...paths).split('\0')
const found = files.filter((path) => path !== '' && !EXEMPT.test(path)).flatMap(problemsOfFile)
// A subject in the main branch of origin can no longer change.
const origin = paths.length > 0 ? '' : git('rev-parse', '--verify', '--quiet', 'origin/main').trim()
const commits = origin && git('log', '--no-merges', '--format=%h %s', `${origin}..HEAD`).trim()
const wrong = commits ? commits.split('\n').flatMap(problemsOfCommit) : []
process.stdout.write([...found, ...wrong, ''].join('\n'))
console.log(`${found.length} words, ${wrong.length} commit subjects.`)
process.exitCode = found.length + wrong.length > 0 ? 1 : 0

function problemsOfFile(path) {
  const searched = `${path}\n${textOf(path)}`
  const lineOf = (index) => searched.slice(0, index).split('\n').length - 1
  return hitsIn(searched).map(({ index, word, use }) => `${path}:${lineOf(index)}: "${word}" -> use "${use}"`)
}

/** Empty for a binary file, and for one that was deleted since the last commit. */
function textOf(path) {
  try {
    const text = readFileSync(ROOT + path, 'utf8')
    if (text.slice(0, 8000).includes('\0')) return ''
    // Sections of released versions are history.
    return path === 'CHANGELOG.md' ? text.split(/^## \d/m)[0] : text
  } catch {
    return ''
  }
}

/** Matches that are not part of an allowed phrase, in the order of the text. */
function hitsIn(text) {
  const hits = [FRAGMENT, ...words].flatMap(({ find, use }) =>
    [...text.matchAll(find)].map(({ 0: word, index }) => ({ index, word, use })),
  )
  return hits.filter((hit) => !isAllowed(text, hit)).sort((a, b) => a.index - b.index)
}

function isAllowed(text, { index, word }) {
  return allowed.some((phrase) => {
    const at = phrase.indexOf(word)
    return at >= 0 && text.startsWith(phrase, index - at)
  })
}

function problemsOfCommit(line) {
  const [id] = line.split(' ', 1)
  const subject = line.slice(id.length + 1)
  return [
    ...(subject.length > MAX_SUBJECT ? [`${subject.length} characters -> use at most ${MAX_SUBJECT}`] : []),
    ...(SUBJECT.test(subject) ? [] : ['no area -> use "area: what changes"']),
    ...hitsIn(subject).map(({ word, use }) => `"${word}" -> use "${use}"`),
  ].map((problem) => `commit ${id}: ${problem}: ${subject}`)
}

/** The output of a git command; empty outside of a repository. */
function git(...args) {
  try {
    return execFileSync('git', args, {
      cwd: ROOT,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
      stdio: ['ignore', 'pipe', 'ignore'],
    })
  } catch {
    return ''
  }
}
