// Checks that no tracked file tells anyone to run or install a package that nobody here depends on: another owner of that name would get
// their tokens. Allowed are programs of the dependencies, the package that one's own server gives (cli.tgz), and in CONTRIBUTING.md, which is
// about a clone, programs of the workspaces.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('..', import.meta.url))
/** A shell command, or the arguments of a configuration or a child process. A name begins with a letter or @; a file with a dot. */
const NAMED = [
  /\bnpx +(?:-\S+ +)*([@a-z][\w@./-]*)/gi,
  /['"`]npx['"`],\s*(?:"args":\s*)?\[\s*(?:['"`]-[^'"`]+['"`],\s*)*['"`]([^'"`-][^'"`]*)['"`]/g,
  /\bnpm (?:exec|x) +(?:-\S+ +)*([@a-z][\w@./-]*)/gi,
  /\bnpm (?:install|i|add) +(?:-\S+ +)*?(?:--global|-g) +(?:-\S+ +)*([@a-z][\w@./-]*)/gi,
]

const { packages } = JSON.parse(readFileSync(`${ROOT}package-lock.json`, 'utf8'))
const programs = { dependencies: new Set(), workspaces: new Set() }
for (const [path, { bin = {} }] of Object.entries(packages)) {
  for (const name of Object.keys(bin))
    programs[path.includes('node_modules/') ? 'dependencies' : 'workspaces'].add(name)
}

/** A package of one's own: `npx --package=URL/cli.tgz -- deeb` or `npx --package=./deeb-server-X.tgz -- deeb-server`, or a URL that is installed. */
function isOfOwnServer(matched, rest) {
  return (
    /--package=\S+\/cli\.tgz -- deeb$|--package=\.\/deeb-server-\S+\.tgz -- deeb-server$/.test(matched) ||
    (/ https$/.test(matched) && /^:\/\/\S+\/cli\.tgz\b/.test(rest))
  )
}

let count = 0
for (const path of execFileSync('git', ['ls-files'], { cwd: ROOT, encoding: 'utf8' }).trim().split('\n')) {
  if (!/\.(md|js|ts|tsx|json|ya?ml|txt|html|sh)$/.test(path) || path === 'package-lock.json') continue
  const text = readFileSync(ROOT + path, 'utf8')
  for (const { 0: matched, 1: name, index } of NAMED.flatMap((pattern) => [...text.matchAll(pattern)])) {
    count++
    if (isOfOwnServer(matched, text.slice(index + matched.length))) continue
    if (programs.dependencies.has(name) || (path === 'CONTRIBUTING.md' && programs.workspaces.has(name))) continue
    console.error(`${path}:${text.slice(0, index).split('\n').length}: "${name}" is no program of a dependency`)
    process.exitCode = 1
  }
}
if (!process.exitCode) console.log(`${count} programs are those of dependencies.`)
