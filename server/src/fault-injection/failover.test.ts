// Runs in npm run test:all, on PostgreSQL.
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chown, copyFile, mkdtemp, realpath, rm } from 'node:fs/promises'
import { connect, createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, inject, onTestFinished, test } from 'vitest'
import { type Database, openPostgres, statement } from '../db/db.ts'
import { migrate } from '../db/migrate.ts'
import { freePort } from '../testing/free-port.ts'
import { killAtExit } from '../testing/kill-at-exit.ts'
import { openStreamAt } from '../testing/live.ts'
import { findBinaries, type OwnPostgres, startOwnPostgres, unprivilegedOwner } from '../testing/postgres-server.ts'
import { openServers } from '../testing/servers.ts'
import { until } from '../testing/until.ts'

const FAILOVER = fileURLToPath(new URL('../../../deploy/postgresql/failover.sh', import.meta.url))
const found = inject('template').engine === 'embedded' ? null : await findBinaries()
/** The folder may have links to some of the programs only. */
const binaries = found === null ? null : dirname(await realpath(join(found, 'initdb')))
const canRun = binaries !== null && ['pg_basebackup', 'pg_ctl'].every((name) => isThere(join(binaries, name)))
if (binaries !== null && !canRun) console.log('Skipped: no pg_basebackup beside the PostgreSQL of this machine.')

function isThere(program: string): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const inSync = statement('test.in-sync', "select from pg_stat_replication where sync_state in ('sync', 'quorum')")

/** One address for the primary, like a TCP proxy: `to` cuts every connection to the one before. */
async function startRelay(port: number) {
  let target = port
  const open = new Set<Socket>()
  const relay = createServer((client) => {
    const database = connect(target, '127.0.0.1')
    for (const [from, into] of [
      [client, database],
      [database, client],
    ] as const) {
      open.add(from)
      from.on('error', () => into.destroy())
      from.on('close', () => into.destroy() && open.delete(from))
      from.pipe(into)
    }
  }).listen(await freePort(), '127.0.0.1')
  await once(relay, 'listening')
  return {
    port: (relay.address() as { port: number }).port,
    to(next: number) {
      target = next
      for (const socket of open) socket.destroy()
    },
    close: () => void relay.close(),
  }
}

describe.skipIf(!canRun)('threat 212: a primary that is killed, with a synchronous standby', () => {
  let primary: OwnPostgres
  let admin: Database
  let folder: string
  let standbyPort: number
  let stopStandby: () => Promise<unknown>
  beforeAll(async () => {
    primary = await startOwnPostgres()
    admin = await openPostgres(`${primary.url}/postgres`, { isPatient: true })
    await migrate(admin)
    const owner = unprivilegedOwner()
    folder = await mkdtemp(join(tmpdir(), 'deeb-standby-'))
    if (owner) await chown(folder, owner.uid, owner.gid)
    const options = { ...owner, cwd: folder, stdio: 'ignore' } as const
    const source = `${primary.url}/postgres?application_name=db2`
    const copy = ['-D', 'data', '-d', source, '-R', '-X', 'stream', '-c', 'fast']
    execFileSync(join(binaries ?? '', 'pg_basebackup'), copy, options)
    standbyPort = await freePort()
    const flags = ['-D', 'data', '-h', '127.0.0.1', '-p', `${standbyPort}`, '-k', '', '-c', 'max_connections=200']
    const standby = killAtExit(spawn(join(binaries ?? '', 'postgres'), flags, options))
    stopStandby = async () => standby.kill('SIGINT') && once(standby, 'exit')
    await admin.script("alter system set synchronous_standby_names = 'db2'")
    await admin.script('select pg_reload_conf()')
    await until(async () => (await admin.query(inSync)).length === 1)
  })
  afterAll(async () => {
    await admin.close()
    await stopStandby()
    await primary.stop()
    await rm(folder, { recursive: true, force: true })
  })

  test('loses no acknowledged switch, and its standby serves after failover.sh without a restart', async () => {
    const relay = await startRelay(Number(new URL(primary.url).port))
    const servers = await openServers(`postgresql://deeb@127.0.0.1:${relay.port}/postgres`)
    onTestFinished(async () => {
      await servers.close()
      relay.close()
    })
    const server = await servers.start()
    const [person] = servers.people
    const stream = await openStreamAt(server.origin, { authorization: `Bearer ${person?.accessToken}` })
    const switching = servers.switching([server])
    const more = (count: number) => {
      const enough = switching.acknowledged.size + count
      return until(() => switching.acknowledged.size > enough)
    }
    await more(20)
    const killedAtMs = performance.now()
    await primary.crash()
    const before = switching.retries()
    await until(() => switching.retries() > before + 10)

    const promote = { ...unprivilegedOwner(), env: { PATH: process.env.PATH, PG_CTL: join(binaries ?? '', 'pg_ctl') } }
    // Its user may not read the folder of this checkout.
    const failover = join(folder, 'failover.sh')
    await copyFile(FAILOVER, failover)
    execFileSync(failover, [join(folder, 'data')], { ...promote, cwd: folder, stdio: 'ignore' })
    relay.to(standbyPort)
    const promotedAtMs = performance.now()
    const delivered = stream.of('me-changed').length
    await more(1)
    const seconds = (fromMs: number) => ((performance.now() - fromMs) / 1000).toFixed(1)
    console.log(`First switch ${seconds(promotedAtMs)} s after the promotion, ${seconds(killedAtMs)} s after the kill.`)
    await stream.until(({ hasEnded }) => !hasEnded && stream.of('me-changed').length > delivered)
    await more(20)
    await switching.stop()
    console.log(`${switching.acknowledged.size} switches acknowledged.`)
    await servers.expectAcknowledged(switching)
    stream.leave()
  })
})
