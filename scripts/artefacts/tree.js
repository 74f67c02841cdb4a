// The files of a server that is installed: the same for the npm package, the Debian packages and the image.
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))
/** Debian's name of each architecture that has packages and an image, and that of npm. */
export const ARCHITECTURES = { amd64: 'x64', arm64: 'arm64' }

const COPIED = [
  'LICENSE',
  'server/bin',
  'server/dist',
  'server/schema',
  'server/migrations',
  'server/data',
  'server/outbox-page',
  'web/dist',
]
/** Programs of the clone, and what only they use. */
const LEFT_OUT = /^server\/dist\/(testing|demo|config|start|\.built)$|\.map$/
/** The bundle of the server contains all other packages: see EXTERNAL in server/build.js. */
const EXTERNAL = ['@electric-sql/pglite', '@node-rs/argon2']

/** Copies the built server and web into `tree`, an empty folder, with the manifest of an npm package. */
export function copyTree(tree) {
  for (const path of COPIED) {
    const filter = (from) => !LEFT_OUT.test(from.slice(ROOT.length).replaceAll('\\', '/'))
    cpSync(join(ROOT, path), join(tree, path), { recursive: true, filter })
  }
  const { version, license, description, engines } = readJson('package.json')
  const { dependencies } = readJson('server/package.json')
  writeJson(join(tree, 'server/package.json'), { version, type: 'module' })
  writeJson(join(tree, 'package.json'), {
    name: 'deeb-server',
    version,
    description,
    license,
    // Until an owner of the name publishes it.
    private: true,
    type: 'module',
    engines,
    bin: { 'deeb-server': 'server/bin/server.js', 'deeb-admin': 'server/bin/commands.js' },
    dependencies: Object.fromEntries(EXTERNAL.map((name) => [name, dependencies[name]])),
  })
}

/** Packs the tree for npm. */
export function makeNpmPackage(tree, output) {
  npm(tree, 'pack', '--ignore-scripts', '--pack-destination', output)
}

/** Copies the tree to `folder`, and adds what the server needs on Linux: its `node_modules`, and the binary `node` with its licence. */
export function installRuntime(tree, folder, cpu) {
  const node = `node-linux-${cpu}`
  const { packages } = readJson('package-lock.json')
  const { packages: ofNode } = readJson('deploy/node/package-lock.json')
  const locked = Object.entries({ ...packages, ...ofNode }).filter(([path]) =>
    [...EXTERNAL, node].some((name) => path.startsWith(`node_modules/${name}`)),
  )
  const { dependencies } = JSON.parse(readFileSync(join(tree, 'package.json'), 'utf8'))
  // Optional: npm refuses a required package of another architecture.
  const manifest = { dependencies, optionalDependencies: { [node]: ofNode[`node_modules/${node}`].version } }
  mkdirSync(folder, { recursive: true })
  writeJson(join(folder, 'package.json'), manifest)
  writeJson(join(folder, 'package-lock.json'), {
    lockfileVersion: 3,
    packages: { '': manifest, ...Object.fromEntries(locked) },
  })
  npm(folder, 'ci', '--omit=dev', '--ignore-scripts', '--os=linux', `--cpu=${cpu}`, '--libc=glibc')
  const from = join(folder, 'node_modules', node)
  cpSync(join(from, 'bin/node'), join(folder, 'node'))
  cpSync(join(from, 'LICENSE'), join(folder, 'node-licence.txt'))
  for (const path of [`node_modules/${node}`, 'node_modules/.bin', 'node_modules/.package-lock.json'])
    rmSync(join(folder, path), { recursive: true, force: true })
  rmSync(join(folder, 'package-lock.json'))
  cpSync(tree, folder, { recursive: true })
  // They need a Node.js of the system.
  rmSync(join(folder, 'server/bin'), { recursive: true })
  // A strict umask would otherwise go into what is made of it.
  execFileSync('chmod', ['-R', 'u+w,go-w,a+rX', folder])
}

/** Those of the programs that this machine does not have. */
export function missingTools(programs) {
  return programs.filter((program) => spawnSync('sh', ['-c', `command -v ${program}`]).status !== 0)
}

export function readJson(path) {
  return JSON.parse(readFileSync(join(ROOT, path), 'utf8'))
}

function writeJson(path, value) {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`)
}

function npm(cwd, ...args) {
  execFileSync('npm', [...args, '--silent'], { cwd, stdio: ['ignore', 'ignore', 'inherit'] })
}
