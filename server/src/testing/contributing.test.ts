import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, expect, test } from 'vitest'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const COPIED = ['core', 'server', 'web', 'CHANGELOG.md', 'tsconfig.base.json']
const NOT_COPIED = /[\\/](node_modules|dist|public|.*\.tsbuildinfo)$/

const MAX_PLACES = 8

/** For a run of vitest within this one, where other tests take all processors. */
const RUN_MS = 120_000

/** A place that the example touches. */
interface Place {
  path: string
  /** The block or the heading of an existing file that gets the code; without one, its end does. */
  within: string | undefined
  code: string
}

/** The numbered places of "Add an endpoint" in CONTRIBUTING.md, each with the code that it shows. */
async function placesOfExample(): Promise<Place[]> {
  const guide = (await readFile(join(ROOT, 'CONTRIBUTING.md'), 'utf8')).replaceAll('\r\n', '\n')
  const section = guide.split(/^## /m).find((text) => text.startsWith('Add an endpoint\n')) ?? ''
  const lastMigration = (await readdir(join(ROOT, 'server/migrations'))).sort().at(-1) ?? ''
  const number = String(Number.parseInt(lastMigration, 10) + 1).padStart(4, '0')
  const steps = section.split(/^\d+\. /m).slice(1)
  return steps.map((step) => {
    const [, within, path = ''] = /^\*\*.*?\*\*,[^`]*?(?:in `([^`]+)` of )?`([^`]+)`/.exec(step) ?? []
    const [, code = ''] = /^ {3}```\w+\n([\s\S]*?)^ {3}```/m.exec(step) ?? []
    return { path: path.replace('NNNN', number), within, code: code.replaceAll(/^ {3}/gm, '') }
  })
}

/** Writes a new file, or adds to an existing one: imports at the top, the rest where the place says. */
async function apply({ path, within, code }: Place): Promise<void> {
  const file = join(tree, path)
  const lines = await readFile(file, 'utf8')
    .then((text) => text.split('\n'))
    .catch(() => null)
  if (lines === null) return writeFile(file, code)
  const isImport = (line: string) => line.startsWith('import ')
  const imports = code.split('\n').filter(isImport)
  const rest = code.split('\n').filter((line) => !isImport(line))
  const opening = new RegExp(`^((export )?(function|const) ${within}\\b.*{|${within})$`)
  const index = within === undefined ? lines.length : lines.findIndex((line) => opening.test(line)) + 1
  if (index === 0) throw new Error(`${path} has no ${within}.`)
  return writeFile(file, [...imports, ...lines.slice(0, index), ...rest, ...lines.slice(index)].join('\n'))
}

/** What a program of node_modules prints in the copy, and its exit code. */
async function runInCopy(program: string, ...words: string[]): Promise<{ code: number; printed: string }> {
  const child = spawn(process.execPath, [join(ROOT, 'node_modules', program), ...words], { cwd: tree })
  const [[code], ...printed] = await Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)])
  return { code, printed: printed.join('') }
}

let tree: string
let places: Place[]
beforeAll(async () => {
  tree = await mkdtemp(join(tmpdir(), 'deeb-contributing-'))
  const filter = (path: string) => !NOT_COPIED.test(path)
  await Promise.all(COPIED.map((name) => cp(join(ROOT, name), join(tree, name), { recursive: true, filter })))
  await symlink(join(ROOT, 'node_modules'), join(tree, 'node_modules'), 'junction')
  // The linked node_modules lead to the original core.
  for (const name of ['server', 'web']) {
    await mkdir(join(tree, name, 'node_modules/@deeb'), { recursive: true })
    await symlink(join(tree, 'core'), join(tree, name, 'node_modules/@deeb/core'), 'junction')
  }
  places = await placesOfExample()
  for (const place of places) await apply(place)
})
afterAll(() => rm(tree, { recursive: true, force: true }))

test('the example of an endpoint touches at most eight places', () => {
  expect(places.length).toBeGreaterThan(0)
  expect(places.length).toBeLessThanOrEqual(MAX_PLACES)
})

test.each(['server', 'web'])('the example has the right types in %s', async (room) => {
  const paths = places.map(({ path }) => path).filter((path) => path.startsWith(room) && path.endsWith('.ts'))
  const config = {
    extends: './tsconfig.json',
    compilerOptions: { composite: false, noEmit: true },
    include: [],
    files: paths.map((path) => path.slice(`${room}/`.length)),
    references: [],
  }
  await writeFile(join(tree, room, 'tsconfig.example.json'), JSON.stringify(config))
  expect(await runInCopy('typescript/bin/tsc', '-p', `${room}/tsconfig.example.json`)).toEqual({ code: 0, printed: '' })
})

test(
  'the example passes its own test and its row of who-may-what',
  async () => {
    const source = { resolve: { conditions: ['deeb-source'] } }
    const options = { root: 'server', include: ['src/**/*.test.ts'], globalSetup: 'src/testing/setup-embedded.ts' }
    const limits = { testTimeout: 30_000, hookTimeout: 60_000, isolate: false, maxWorkers: 1 }
    const config = { ...source, ssr: source, test: { ...options, ...limits } }
    await writeFile(join(tree, 'vitest.config.js'), `export default ${JSON.stringify(config)}`)
    const files = ['src/profile/update-pronouns.test.ts', 'src/http/who-may-what.test.ts']
    const { code, printed } = await runInCopy('vitest/vitest.mjs', 'run', ...files, '-t', 'pronouns|every route')
    expect(code, printed).toBe(0)
    expect(printed).toMatch(/3 passed/)
  },
  RUN_MS,
)
