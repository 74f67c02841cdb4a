// Size limits of the first visit and of the server's package, compressed. `npm run check` builds and compares.
import { readFileSync } from 'node:fs'
import { fileURLToPath, pathToFileURL } from 'node:url'

const DIST = new URL('web/dist/', import.meta.url)

/** The files of one kind that a built page loads: those in its HTML, and their static imports. */
function filesOf(page, kind, alsoNamed = []) {
  const html = readFileSync(new URL(page, DIST), 'utf8')
  const files = new Set()
  for (const [, path] of html.matchAll(/ (?:src|href)="\/(assets\/[^"]+)"/g)) collect(new URL(path, DIST), files)
  // Named in these files: each language has its own.
  const scripts = [...files].filter((file) => file.endsWith('.js'))
  for (const name of alsoNamed) {
    const named = new RegExp(`\\./${name}-[\\w-]+\\.js`)
    const script = scripts.find((file) => named.test(readFileSync(file, 'utf8')))
    collect(new URL(readFileSync(script, 'utf8').match(named)[0], pathToFileURL(script)), files)
  }
  return [...files].filter((name) => name.endsWith(kind))
}

function collect(url, files) {
  const file = fileURLToPath(url)
  if (files.has(file)) return
  files.add(file)
  if (!file.endsWith('.js')) return
  const imports = readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*["'`](\.[^"'`]+\.js)["'`]/g)
  for (const [, imported] of imports) collect(new URL(imported, url), files)
}

/** The files that scripts/artefacts/tree.js copies. */
const PACKAGED = ['server/{dist/*,schema/*,migrations/*,data/*,outbox-page/*}', 'web/dist/**']

export default [
  { name: '/ script', path: filesOf('index.html', '.js'), gzip: true, limit: '1 kB' },
  { name: '/ styles', path: filesOf('index.html', '.css'), gzip: true, limit: '13.9 kB' },
  { name: '/sign script', path: filesOf('sign.html', '.js'), gzip: true, limit: '5 kB' },
  { name: '/app script', path: filesOf('app.html', '.js', ['SignInScreen']), gzip: true, limit: '122.9 kB' },
  { name: '/app/home script', path: filesOf('app.html', '.js'), gzip: true, limit: '111.6 kB' },
  { name: 'extension.zip', path: 'web/dist/extension.zip', gzip: false, brotli: false, limit: '60 kB' },
  { name: 'deeb-server', path: PACKAGED, gzip: true, limit: '12 MB' },
  { name: '/app styles', path: filesOf('app.html', '.css'), gzip: true, limit: '10.7 kB' },
]
