// Runs in npm run test:all.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { afterAll, describe, expect, test } from 'vitest'
import { BASELINE } from '../db/migrate.ts'
import type { TestApp } from './test-app.ts'

const ROOT = fileURLToPath(new URL('../../../', import.meta.url))
const COPIED = ['core', 'server', 'web', 'CHANGELOG.md', 'tsconfig.base.json']
const NOT_COPIED = /[\\/](node_modules|dist|public|.*\.tsbuildinfo)$/

const MAX_PLACES = 8

/** In the copy: the database of other tests, upgraded by the migration of the example. */
const TEST_DATABASE = `
  import { migrate } from '../db/migrate.ts'

  const original: string = ${JSON.stringify(join(ROOT, 'server/src/testing/test-database.ts'))}
  const { openTestDatabase: openTemplate, withDirectUrl } = await import(original)
  export { withDirectUrl }

  export async function openTestDatabase() {
    const db = await openTemplate()
    await migrate(db)
    return db
  }`

/** A place that the example touches. */
interface Place {
  path: string
  /** The block or the heading of an existing file that gets the code; without one, its end does. */
  within: string | undefined
  code: string
}

/** The numbered places of docs/develop/add-an-endpoint.md, each with the code that it shows. */
async function placesOfExample(): Promise<Place[]> {
  const guide = (await readFile(join(ROOT, 'docs/develop/add-an-endpoint.md'), 'utf8')).replaceAll('\r\n', '\n')
  const migrations = (await readdir(join(ROOT, 'server/migrations'))).filter((name) => name.endsWith('.sql')).sort()
  const number = String(Number.parseInt(migrations.at(-1) ?? BASELINE, 10) + 1).padStart(4, '0')
  const steps = guide.split(/^\d+\. /m).slice(1)
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

/** Runs a program of node_modules in the copy. Returns its output and its exit code. */
async function runInCopy(program: string, ...words: string[]): Promise<{ code: number; printed: string }> {
  const child = spawn(process.execPath, [join(ROOT, 'node_modules', program), ...words], { cwd: tree })
  const [[code], ...printed] = await Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)])
  return { code, printed: printed.join('') }
}

const tree = await mkdtemp(join(tmpdir(), 'deeb-contributing-'))
const filter = (path: string) => !NOT_COPIED.test(path)
await Promise.all(COPIED.map((name) => cp(join(ROOT, name), join(tree, name), { recursive: true, filter })))
await symlink(join(ROOT, 'node_modules'), join(tree, 'node_modules'), 'junction')
// The linked node_modules lead to the original core.
for (const name of ['server', 'web']) {
  await mkdir(join(tree, name, 'node_modules/@deeb'), { recursive: true })
  await symlink(join(tree, 'core'), join(tree, name, 'node_modules/@deeb/core'), 'junction')
}
const places = await placesOfExample()
for (const place of places) await apply(place)
await writeFile(join(tree, 'server/src/testing/test-database.ts'), TEST_DATABASE)
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

// Fixtures of a file are defined outside of a describe.
await import(join(tree, 'server/src/testing/test.ts'))
describe('the test file of the example', async () => {
  await import(join(tree, 'server/src/account/update-pronouns.test.ts'))
})

test('the row of the example in who-may-what has the outcomes of the call', async () => {
  const { WHO_MAY_WHAT } = await import(join(tree, 'server/src/testing/who-may-what.ts'))
  const { startTestApp } = await import(join(tree, 'server/src/testing/test-app.ts'))
  const { outcomesOf } = await import(join(tree, 'server/src/testing/outcomes.ts'))
  const testApp: TestApp = await startTestApp()
  const route = 'PUT /api/profile/pronouns'
  expect(await outcomesOf(testApp, route, WHO_MAY_WHAT[route])).toEqual(WHO_MAY_WHAT[route].outcomes)
  await testApp.close()
})
