import { type ChildProcess, spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { startFocus } from '@deeb/core/focus/api'
import pg from 'pg'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { findProgram, versionOf } from '../testing/find-program.ts'
import { freePort } from '../testing/free-port.ts'
import { openStream } from '../testing/live.ts'
import { makeConnection, makeUser } from '../testing/make.ts'
import { startTestApp } from '../testing/test-app.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { until } from '../testing/until.ts'

const CONFIG = new URL('../../../deploy/pgbouncer.ini', import.meta.url)

const program = findProgram('pgbouncer')
const isNewEnough = program !== null && (versionOf(program) ?? 0) >= 121
const canRun = isNewEnough && inject('template').engine !== 'embedded'
if (!isNewEnough) console.log('Skipped: no PgBouncer 1.21 or newer on this machine.')

async function answers(connectionString: string): Promise<boolean> {
  const client = new pg.Client({ connectionString })
  try {
    await client.connect()
    await client.end()
    return true
  } catch {
    return false
  }
}

describe.skipIf(!canRun)('PgBouncer in transaction mode, configured as documented', () => {
  let direct: string
  let pooled: string
  let folder: string
  let pooler: ChildProcess
  beforeAll(async () => {
    direct = await createTestDatabase()
    const { hostname, port, pathname, username, password } = new URL(direct)
    const listenPort = await freePort()
    folder = await mkdtemp(join(tmpdir(), 'deeb-pooler-'))
    const database = pathname.slice(1)
    const own = (await readFile(CONFIG, 'utf8'))
      .replace(/^deeb = .*$/m, `${database} = host=${hostname} port=${port} dbname=${database}`)
      .replace(/^listen_port = .*$/m, `listen_port = ${listenPort}\nunix_socket_dir =`)
      .replace(/^auth_type = .*$/m, 'auth_type = trust')
      .replace(/^auth_file = .*$/m, `auth_file = ${join(folder, 'users')}`)
    await writeFile(join(folder, 'users'), `"${username}" "${password}"\n`, { mode: 0o644 })
    await writeFile(join(folder, 'pgbouncer.ini'), own, { mode: 0o644 })
    // It refuses to run as root.
    const user = userInfo().uid === 0 ? ['-u', 'nobody'] : []
    await chmod(folder, 0o755)
    pooler = spawn(program ?? '', ['-q', ...user, join(folder, 'pgbouncer.ini')], { stdio: 'ignore' })
    pooled = `postgresql://${username}:${password}@127.0.0.1:${listenPort}/${database}`
    await until(() => answers(pooled))
  })
  afterAll(async () => {
    pooler.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })

  test('threat 211: the start fails with the setting that is missing, instead of receiving nothing', async () => {
    await expect(startTestApp({ DATABASE_URL: pooled })).rejects.toThrow('DATABASE_DIRECT_URL')
  })

  test('a switch on one server reaches the streams of the other within a second', async () => {
    const env = { DATABASE_URL: pooled, DATABASE_DIRECT_URL: direct, DEEB_SECRET: 'ab'.repeat(32) }
    const [one, other] = [await startTestApp(env), await startTestApp(env)]
    const [ann, bea] = [await makeUser(one), await makeUser(one)]
    await makeConnection(one, ann, bea)
    const stream = await openStream(other, bea)
    const beganAtMs = performance.now()
    expect((await one.call(startFocus, { sessionId: uuidv7(), timeZone: 'UTC' }, ann)).status).toBe(200)
    await stream.until((stream) => stream.of('presence').length === 1)
    expect(performance.now() - beganAtMs).toBeLessThan(1_000)
    stream.leave()
    await one.close()
    await other.close()
  })
})
