// Size limits of the first visit, compressed. `npm run check` builds the web and compares.
import { readFileSync } from 'node:fs'

const DIST = new URL('web/dist/', import.meta.url)

/** The files of one kind that a built page loads: those in its HTML, and their static imports. */
function filesOf(page, kind, alsoNamed = []) {
  const html = readFileSync(new URL(page, DIST), 'utf8')
  const names = [...html.matchAll(/ (?:src|href)="\/assets\/([^"]+)"/g)].map(([, name]) => name)
  const files = new Set()
  for (const name of names) collect(name, files)
  // Named in these files: each language has its own.
  const texts = [...files]
    .filter((name) => name.endsWith('.js'))
    .map(read)
    .join()
  for (const name of alsoNamed) collect(texts.match(new RegExp(`\\b${name}-[\\w-]+\\.js`))[0], files)
  return [...files].filter((name) => name.endsWith(kind)).map((name) => `web/dist/assets/${name}`)
}

function read(name) {
  return readFileSync(new URL(`assets/${name}`, DIST), 'utf8')
}

function collect(name, files) {
  if (files.has(name)) return
  files.add(name)
  if (!name.endsWith('.js')) return
  for (const [, imported] of read(name).matchAll(/(?:from|import)\s*["'`]\.\/([^"'`]+\.js)["'`]/g))
    collect(imported, files)
}

export default [
  { name: '/ script', path: filesOf('index.html', '.js'), gzip: true, limit: '1 kB' },
  { name: '/ styles', path: filesOf('index.html', '.css'), gzip: true, limit: '13.75 kB' },
  { name: '/app script', path: filesOf('app.html', '.js', ['SignInScreen']), gzip: true, limit: '119.5 kB' },
  { name: '/app/home script', path: filesOf('app.html', '.js'), gzip: true, limit: '109 kB' },
  { name: '/app styles', path: filesOf('app.html', '.css'), gzip: true, limit: '10.5 kB' },
]
