// Syncs both native projects and compares them with fresh ones from Capacitor's templates: `npm run check-projects -w mobile`.
// They may differ only in the files of OURS, which docs/develop/mobile.md describes. After an update of Capacitor it lists the files
// that the templates changed.
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { capacitor } from './capacitor.js'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const MOBILE = join(ROOT, 'mobile')
const PLATFORMS = ['android', 'ios']

const OURS = [
  // Email links, no backup, the black behind the icon and on the launch screen.
  /^android\/app\/src\/main\/AndroidManifest\.xml$/,
  /^android\/app\/src\/main\/res\/xml\/data_extraction_rules\.xml$/,
  /^android\/app\/src\/main\/res\/values\/(styles|ic_launcher_background)\.xml$/,
  // The URL scheme of the app.
  /^ios\/App\/App\/Info\.plist$/,
  // The name of the entitlements and the oldest iOS, which Capacitor copies to the package.
  /^ios\/App\/App\.xcodeproj\/project\.pbxproj$/,
  /^ios\/App\/CapApp-SPM\/Package\.swift$/,
  // Images of the logo. Android makes its launch screen from the icon.
  /^android\/app\/src\/main\/res\/(mipmap|drawable)[^/]*\/(ic_launcher\w*|splash)\.png$/,
  /^ios\/App\/App\/Assets\.xcassets\/.*\.png$/,
]

// Next to mobile/, so that all paths in the projects are the same.
const fresh = mkdtempSync(join(ROOT, '.fresh-mobile-'))
try {
  for (const name of ['package.json', 'capacitor.config.json']) cpSync(join(MOBILE, name), join(fresh, name))
  for (const folder of [fresh, MOBILE]) {
    const page = join(folder, 'www', 'index.html')
    mkdirSync(join(folder, 'www'), { recursive: true })
    // Capacitor copies this page; the copy is ignored by git and not compared.
    if (!existsSync(page)) writeFileSync(page, '<!doctype html>')
  }
  for (const platform of PLATFORMS) {
    capacitor(fresh, 'add', platform)
    capacitor(MOBILE, 'sync', platform)
  }
  const names = new Set([...filesOf(fresh), ...filesOf(MOBILE)])
  const others = [...names].filter((name) => !isSame(name) && !OURS.some((own) => own.test(name)))
  if (others.length > 0) throw new Error(`These files differ from the templates:\n${others.join('\n')}`)
  console.log(`\n${names.size} files checked. The projects differ from the templates only where they should.`)
} catch (error) {
  console.error(error.message)
  process.exitCode = 1
} finally {
  rmSync(fresh, { recursive: true, force: true })
}

/** The files of the projects in `folder` that git does not ignore. */
function filesOf(folder) {
  const args = ['ls-files', '--cached', '--others', '--exclude-standard', ...PLATFORMS]
  return execFileSync('git', args, { cwd: folder, encoding: 'utf8' }).split('\n').filter(Boolean)
}

function isSame(name) {
  const [one, other] = [fresh, MOBILE].map((folder) => contentOf(join(folder, name)))
  return one !== null && other !== null && one.equals(other)
}

function contentOf(path) {
  try {
    return readFileSync(path)
  } catch {
    return null
  }
}
