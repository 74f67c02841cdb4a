import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** A file of each part, which every build rewrites. */
const BUILT = ['server/dist/main.js', 'web/dist/app.html']

/** Builds everything if the build is missing or older than its sources. */
export function buildIfStale() {
  const sources = [
    'texts/messages',
    'core/src',
    'server/src',
    ...filesIn('server'),
    'web/src',
    'web/public',
    'web/worker',
    ...filesIn('web'),
    'package-lock.json',
  ]
  if (Math.max(...sources.map(newest)) <= Math.min(...BUILT.map(newest))) return
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
