import { execFileSync } from 'node:child_process'
import { readdirSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))

/** Builds everything if the build is missing or older than its sources. */
export function buildIfStale() {
  // The web is built last and rewritten each time, so the time of its page is the time of the whole build.
  const sources = [
    'texts/messages',
    'core/src',
    'server/src',
    'web/src',
    'web/public',
    'web/worker',
    ...filesIn('web'),
    'package-lock.json',
  ]
  const isStale = !newest('server/dist/main.js') || Math.max(...sources.map(newest)) > newest('web/dist/app.html')
  if (!isStale) return
  console.log('Building deeb (first start, or the sources changed) ...')
  const onWindows = process.platform === 'win32'
  execFileSync(onWindows ? 'npm.cmd' : 'npm', ['run', '--silent', 'build'], {
    cwd: root,
    stdio: 'inherit',
    shell: onWindows,
  })
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
