// Prints which rooms import each other in both directions, with the imports of the thin side. Type imports count too.
// A room is a first-level folder of core/src, server/src or web/src, with its subfolders. Files directly in src are exempt.
//   npm run rooms               prints the rooms and the mutual pairs
//   npm run rooms -- --check    also exits with 1 if a package has more mutual pairs than MAX_MUTUAL_PAIRS
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, normalize, sep } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const MAX_MUTUAL_PAIRS = { core: 0, server: 0, web: 0 }
/** Test code may import every room. */
const TEST_ROOMS = ['testing', 'fault-injection']
/** `import ... from 'x'`, `export ... from 'x'`, `import 'x'` and `import('x')`. */
const IMPORT = /(?:\bfrom\s*|\bimport\s*\(?\s*)['"](\.[^'"]+)['"]/g

let hasTooMany = false
for (const name of Object.keys(MAX_MUTUAL_PAIRS)) {
  const imports = importsBetweenRooms(`${name}/src`)
  const pairs = mutualPairs(imports)
  hasTooMany ||= pairs.length > MAX_MUTUAL_PAIRS[name]
  printPackage(name, imports, pairs)
}
if (hasTooMany && process.argv.includes('--check')) {
  console.error('Too many rooms import each other. Move the shared code to one side, or to a file directly in src.')
  process.exit(1)
}

/** Every import from one room into another, as `{ from, to, file, target }`. */
function importsBetweenRooms(folder) {
  return productFiles(folder).flatMap((file) => {
    const from = roomOf(folder, file)
    return [...readFileSync(join(root, file), 'utf8').matchAll(IMPORT)]
      .map(([, specifier]) => normalize(join(dirname(file), specifier)).replaceAll(sep, '/'))
      .map((target) => ({ from, to: roomOf(folder, target), file, target }))
      .filter(({ to }) => from !== null && to !== null && from !== to)
  })
}

function productFiles(folder) {
  return readdirSync(join(root, folder), { recursive: true })
    .map((path) => `${folder}/${path.replaceAll(sep, '/')}`)
    .filter((path) => /\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path))
    .filter((path) => !path.split('/').some((part) => TEST_ROOMS.includes(part)))
    .sort()
}

/** The first-level folder of a path, or null for a file directly in src and for one outside. */
function roomOf(folder, path) {
  const [room, ...rest] = path.startsWith(`${folder}/`) ? path.slice(folder.length + 1).split('/') : []
  return rest.length > 0 ? room : null
}

/** Each pair with the imports of the side that has fewer of them. */
function mutualPairs(imports) {
  const between = (from, to) => imports.filter((one) => one.from === from && one.to === to)
  const rooms = [...new Set(imports.flatMap(({ from, to }) => [from, to]))].sort()
  return rooms
    .flatMap((a, index) => rooms.slice(index + 1).map((b) => [between(a, b), between(b, a)]))
    .filter(([there, back]) => there.length > 0 && back.length > 0)
    .map(([there, back]) => (there.length <= back.length ? [there, back] : [back, there]))
    .map(([thin, thick]) => ({ thin, count: thick.length }))
}

function printPackage(name, imports, pairs) {
  const rooms = new Set(productFiles(`${name}/src`).map((file) => roomOf(`${name}/src`, file)))
  rooms.delete(null)
  const edges = new Set(imports.map(({ from, to }) => `${from} -> ${to}`))
  console.log(`\n${name}: ${rooms.size} rooms (${[...rooms].sort().join(', ')}), ${edges.size} directions of import`)
  console.log(`${pairs.length} mutual pairs, at most ${MAX_MUTUAL_PAIRS[name]} allowed`)
  for (const { thin, count } of pairs) {
    const [{ from, to }] = thin
    console.log(`  ${from} -> ${to} in ${thin.length} imports, ${to} -> ${from} in ${count}`)
    for (const { file, target } of thin) console.log(`    ${file} -> ${target}`)
  }
}
