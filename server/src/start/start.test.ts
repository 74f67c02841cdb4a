import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest'
import { readConfig } from '../config/config.ts'
import { warningOfNode, warningsOf } from '../config/warnings.ts'
import { statement } from '../db/db.ts'
import { acceptSecret, loadKnownKeys } from '../db/known-secret.ts'
import { openMigrated } from '../db/open.ts'
import { makeChildServer, startChildServer } from '../testing/child-server.ts'
import { makeUser } from '../testing/make.ts'
import { startTestApp } from '../testing/test-app.ts'
import { isOnPostgres } from '../testing/test-database.ts'

const CLI = fileURLToPath(new URL('../../dist/cli.js', import.meta.url))
const MAIN = fileURLToPath(new URL('../../dist/main.js', import.meta.url))
const NEW = 'cd'.repeat(32)

let dataDir: string
const secretFile = () => join(dataDir, 'secret')
const isElsewhere = isOnPostgres()

async function admin(words: string[], env: Record<string, string> = {}) {
  return promisify(execFile)(process.execPath, [CLI, ...words], { env: { DATA_DIR: dataDir, ...env } })
    .then(({ stdout }) => ({ code: 0, text: stdout }))
    .catch(({ code, stderr }: { code: number; stderr: string }) => ({ code, text: stderr }))
}

/** Starts the server and stops it again. Rejects with what it says if it does not start. */
async function startOnce(env: Record<string, string> = {}): Promise<string> {
  const server = await startChildServer({ DATA_DIR: dataDir, ...env })
  expect(await server.stop()).toBe(0)
  return server.output()
}

async function pushKey(): Promise<unknown> {
  const db = await openMigrated(readConfig({ DATA_DIR: dataDir }))
  const rows = await db.query(statement('test.push-key', 'select public_key from push_keys'))
  await db.close()
  return rows
}

beforeAll(async () => {
  if (isElsewhere) return
  dataDir = await mkdtemp(join(tmpdir(), 'deeb-start-'))
  const output = (await startOnce())
    .replaceAll(/localhost:\d+/g, 'localhost')
    .replace(/key=.+/, 'key=KEY')
    .replace(/first=.+/, 'first=TOKEN')
  expect(output).toContain(
    [
      `Creating a database in ${dataDir} ...`,
      'deeb runs at http://localhost',
      'Create the first account: http://localhost/app/signup#deeb_first=TOKEN',
      `Emails are written to ${join(dataDir, 'outbox')}`,
      'Read them at http://localhost/outbox#key=KEY',
      `The data is in ${dataDir}`,
    ].join('\n'),
  )
  const testApp = await startTestApp({}, await openMigrated(readConfig({ DATA_DIR: dataDir })))
  await makeUser(testApp, { email: 'ann@fjordlab.example' })
  await testApp.close()
  expect(await startOnce()).not.toMatch(/Creating a database|first account/)
})
afterAll(async () => {
  if (!isElsewhere) await rm(dataDir, { recursive: true, force: true })
})

test.skipIf(isElsewhere)('threat 264: a server with accounts starts with their secret only', async () => {
  const [secret, before] = [await readFile(secretFile(), 'utf8'), await pushKey()]
  await rename(secretFile(), `${secretFile()}.elsewhere`)
  await expect(startOnce()).rejects.toThrow(/secret is missing, but this database is in use\. Restore it\./)
  expect(existsSync(secretFile())).toBe(false)
  await writeFile(secretFile(), `${'ab'.repeat(32)}\n`)
  await expect(startOnce()).rejects.toThrow(/used with another secret than that of .+secret\. Restore it\./)
  expect(await pushKey()).toEqual(before)
  await writeFile(secretFile(), secret)
})

test('threat 264: a database knows its secret, which changes only by a rotation or by the word of the administrator', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'deeb-secret-'))
  const secret = 'ab'.repeat(32)
  await writeFile(join(folder, 'secret'), `${secret}\n`)
  const testApp = await startTestApp()
  onTestFinished(async () => {
    await testApp.close()
    await rm(folder, { recursive: true })
  })
  const { db } = testApp
  await makeUser(testApp)
  const configOf = (env: NodeJS.ProcessEnv = {}) => readConfig({ DATA_DIR: folder, ...env })
  const start = async (env?: NodeJS.ProcessEnv) =>
    Boolean(await loadKnownKeys(configOf(env), db, { now: new Date(), mayLearn: true }))
  expect(await start()).toBe(true)
  await expect(start({ DEEB_SECRET: NEW })).rejects.toThrow('used with another secret than that of DEEB_SECRET')
  // Rotated, one server after the other.
  expect(await start({ DEEB_SECRET: NEW, DEEB_SECRET_OLD: secret })).toBe(true)
  expect(await start()).toBe(true)
  expect(await start({ DEEB_SECRET: NEW, DEEB_SECRET_OLD: secret })).toBe(true)
  // The rotation is over.
  expect(await start({ DEEB_SECRET: NEW })).toBe(true)
  await expect(start()).rejects.toThrow('another secret')
  // Lost.
  const other = { DEEB_SECRET: 'ef'.repeat(32) }
  await expect(start(other)).rejects.toThrow('another secret')
  expect((await acceptSecret(db, configOf(other), new Date())).join('\n')).toContain('Everybody signs in again')
  expect(await start(other)).toBe(true)
  await expect(start()).rejects.toThrow('another secret')
  await acceptSecret(db, configOf(), new Date())
})

test.skipIf(isElsewhere)('an empty file of a hard stop does not keep the database down', async () => {
  const server = await makeChildServer({ DATA_DIR: dataDir })
  const pidFile = join(dataDir, 'database', 'postmaster.pid')
  for (const text of ['', '1\n', 'x']) {
    await writeFile(pidFile, text)
    await server.start()
    await server.stop('SIGKILL')
  }
})

test.skipIf(isElsewhere)('an administration command creates no database', async () => {
  const typo = join(dataDir, 'typo')
  for (const words of [
    ['user', 'list', 'ann@fjordlab.example'],
    ['mail', 'retry'],
    ['backup', join(dataDir, 'b')],
  ]) {
    expect(await admin(words, { DATA_DIR: typo })).toEqual({
      code: 1,
      text: `There is no database in ${typo}. Check DATA_DIR.\n`,
    })
  }
  expect(existsSync(typo)).toBe(false)
})

test.skipIf(isElsewhere)('administration commands say what is wrong, and list what was empty', async () => {
  expect(await admin(['--help'])).toMatchObject({
    code: 0,
    text: expect.stringMatching(/^Usage: deeb-admin COMMAND\n/),
  })
  expect(await admin(['usr', 'list'])).toMatchObject({
    code: 1,
    text: expect.stringContaining('There is no command "usr".'),
  })
  const incomplete = await admin(['user', 'block'])
  expect(incomplete).toMatchObject({ code: 1, text: expect.stringContaining('"user block" is not complete') })
  expect(incomplete.text).not.toContain('totals')
  expect(await admin(['user', 'list', 'FjordLab.example'])).toEqual({
    code: 0,
    text: expect.stringMatching(/^ann@fjordlab\.example\t\S+.*\tlast seen \d{4}-\d\d-\d\d\tno second factor\n$/),
  })
  expect((await admin(['user', 'list', 'nowhere.example'])).text).toBe(
    'No account has an address at nowhere.example.\n',
  )
  expect((await admin(['visitors', 'leads'])).text).toBe('No visitor left an address.\n')
  expect((await admin(['visitors', 'clicks'])).text).toBe('No click was counted.\n')
  expect((await admin(['mail', 'retry'])).text).toBe('No email waits for another attempt.\n')
})

test('a variable that is one slip away from a setting is named, and so is email that goes nowhere', () => {
  const warn = (env: NodeJS.ProcessEnv) =>
    warningsOf(env, readConfig({ DATA_DIR: '/tmp/x', PUBLIC_URL: env.PUBLIC_URL }))
  expect(warn({ SMPT_URL: 'smtp://x' })).toEqual(['SMPT_URL is no setting. Did you mean SMTP_URL?'])
  expect(warn({ DATA_DIRR: 'x', PUBLIC_UR: 'x', PORT: '1', PATH: '/bin', HOME: '/', HOSTNAME: 'x', PWD: '/' })).toEqual(
    ['DATA_DIRR is no setting. Did you mean DATA_DIR?', 'PUBLIC_UR is no setting. Did you mean PUBLIC_URL?'],
  )
  expect(warn({ PUBLIC_URL: 'https://deeb.fjordlab.example' })).toEqual([expect.stringContaining('Without SMTP_URL')])
})

test('the server and its commands print their version, and start nothing', async () => {
  const { stdout } = await promisify(execFile)(process.execPath, [MAIN, '--version'], { env: { PORT: 'none' } })
  expect(stdout).toMatch(/^\d+\.\d+\.\d+\n$/)
  expect(await admin(['--version'])).toEqual({ code: 0, text: stdout })
})

test('a version of Node that is no longer maintained is named', () => {
  expect(warningOfNode('v20.20.2')).toMatch(/^Node v20\.20\.2 is past its end of life/)
  expect([warningOfNode('v22.13.0'), warningOfNode('v24.21.0')]).toEqual([null, null])
})
