import { readFileSync } from 'node:fs'

const { packages } = JSON.parse(readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8'))

/**
 * Development packages of the CLI that its bundle contains; of the last ones with all that they depend on. Its build fails if one is not
 * in docs/prove/licences.txt.
 */
const BUNDLED = ['@modelcontextprotocol/sdk', 'zod', 'zod-to-json-schema']
const BUNDLED_WHOLE = ['mqtt']

/**
 * The packages that run in the server, in browsers, in the native apps or in the CLI, from the lock file: `{ name, version, licence }`.
 * These are the `dependencies` of the workspaces. Those of the root are the tools of the build.
 */
export function distributedPackages() {
  const found = new Set(BUNDLED.map((name) => `node_modules/${name}`))
  for (const name of BUNDLED_WHOLE) addDependencies(`node_modules/${name}`, found.add(`node_modules/${name}`))
  for (const workspace of packages[''].workspaces) addDependencies(workspace, found)
  return [...found].map((path) => ({
    name: path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length),
    version: packages[path].version,
    licence: packages[path].license ?? 'none stated',
  }))
}

/** Adds the paths of all that the package at `path` depends on. A package of another platform is in the lock file too. */
function addDependencies(path, found) {
  const { dependencies, optionalDependencies } = packages[path]
  for (const name of Object.keys({ ...dependencies, ...optionalDependencies })) {
    const dependency = resolve(path, name)
    // The workspaces are searched on their own.
    if (packages[dependency].link || found.has(dependency)) continue
    found.add(dependency)
    addDependencies(dependency, found)
  }
}

/** Where Node finds the package `name`, seen from `path`: in the nearest node_modules. */
function resolve(path, name) {
  const own = `${path}/node_modules/${name}`
  if (own in packages) return own
  const above = path.lastIndexOf('/node_modules/')
  return above > 0 ? resolve(path.slice(0, above), name) : `node_modules/${name}`
}
