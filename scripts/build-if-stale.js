import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** An empty file that a build removes first and writes last: an interrupted build is noticed at the next start. */
export const BUILD_STAMP = 'server/dist/.built'

/** The files of a build. The last one is written when all else is there. */
const BUILT = ['web/dist/app.html', 'server/dist/main.js', 'server/dist/new-database.tar.gz', BUILD_STAMP]

/** Builds everything if the build is missing or older than its sources. */
export function buildIfStale() {
  const sources = [
    'texts/messages',
    'texts/src',
    ...filesIn('texts'),
    'core/src',
    ...filesIn('core'),
    'server/src',
    ...filesIn('server'),
    'cli/src',
    ...filesIn('cli'),
    'extension/src',
    'extension/public',
    ...filesIn('extension'),
    'scripts',
    'web/src',
    'web/public',
    'web/worker',
    ...filesIn('web'),
    'package-lock.json',
  ]
  const isWhole = BUILT.every((file) => existsSync(root + file))
  if (isWhole && Math.max(...sources.map(newest)) <= newest(BUILD_STAMP)) return
  console.log('Building deeb, because this is the first start or the sources have changed ...')
  try {
    execFileSync(process.execPath, ['scripts/build.js'], { cwd: root, stdio: 'inherit' })
  } catch {
    process.exit(1)
  }
}

/** The files directly in a folder: pages and the build's configuration, not the build's output. */
function filesIn(folder) {
  const entries = readdirSync(root + folder, { withFileTypes: true })
  return entries.filter((entry) => entry.isFile()).map((entry) => `${folder}/${entry.name}`)
}

/** The modification time of the newest file below `path`, in ms; 0 if there is none. */
function newest(path) {
  const entry = statSync(root + path, { throwIfNoEntry: false })
  if (!entry) return 0
  if (!entry.isDirectory()) return entry.mtimeMs
  return Math.max(0, ...readdirSync(root + path).map((name) => newest(`${path}/${name}`)))
}
