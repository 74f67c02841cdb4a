// Runs in npm run test:all, on PostgreSQL.
import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdir, mkdtemp, readFile, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test, vi } from 'vitest'
import { openPostgres } from '../db/db.ts'
import { migrate } from '../db/migrate.ts'
import { findProgram } from '../testing/find-program.ts'
import { freePort } from '../testing/free-port.ts'
import { killAtExit } from '../testing/kill-at-exit.ts'
import { openStreamAt } from '../testing/live.ts'
import { findBinaries, unprivilegedOwner } from '../testing/postgres-server.ts'
import { openServers } from '../testing/servers.ts'
import { until } from '../testing/until.ts'

/* A failover takes as long as a lease of Patroni, so this runs in `npm run test:all -- --part soak` only. */
const IS_LONG = Boolean(process.env.SOAK) && inject('template').engine !== 'embedded'
const programs = ['patroni', 'etcd', 'haproxy'].map(findProgram)
const canRun = IS_LONG && programs.every((program) => program !== null)
if (IS_LONG && !canRun) console.log('Skipped: no Patroni, etcd or HAProxy on this machine.')

const CONFIGS = new URL('../../../deploy/postgresql/', import.meta.url)
/** Each machine is an address of this one. */
const MACHINES = [
  { name: 'db1', address: '127.0.0.11' },
  { name: 'db2', address: '127.0.0.12' },
]
const PASSWORD = 'a-test-password'
const FAILS_OVER_WITHIN_MS = 90_000

interface Member {
  name: string
  role: string
  state: string
}

/** Asks Patroni of `address` about both machines. Null while it does not answer. */
async function membersSeenBy(address: string): Promise<Member[] | null> {
  const answer = await fetch(`http://${address}:8008/cluster`).catch(() => null)
  return answer ? ((await answer.json()) as { members: Member[] }).members : null
}

describe.skipIf(!canRun)('Patroni with etcd and HAProxy, configured as documented', () => {
  let folder: string
  let url: string
  const running = new Map<string, ChildProcess>()

  async function file(name: string, text: string): Promise<string> {
    const path = join(folder, name)
    await writeFile(path, text, { mode: 0o644 })
    return path
  }

  function run(name: string, program: string, args: string[]): void {
    const owner = unprivilegedOwner() ?? {}
    const options: SpawnOptions = { ...owner, cwd: folder, stdio: 'ignore' }
    running.set(name, killAtExit(spawn(findProgram(program) ?? program, args, options)))
  }

  const dataOf = (name: string) => join(folder, name, 'data')

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'deeb-patroni-'))
    await chmod(folder, 0o755)
    const owner = unprivilegedOwner()
    if (owner) await chown(folder, owner.uid, owner.gid)
    const [client, peer, port] = [await freePort(), await freePort(), await freePort()]
    const at = (port: number) => `http://127.0.0.1:${port}`
    run('etcd', 'etcd', [
      ...[
        '--data-dir',
        join(folder, 'etcd'),
        '--listen-client-urls',
        at(client),
        '--advertise-client-urls',
        at(client),
      ],
      ...['--listen-peer-urls', at(peer), '--initial-advertise-peer-urls', at(peer)],
      ...['--initial-cluster', `default=${at(peer)}`],
    ])
    const binaries = dirname(await realpath(join((await findBinaries()) ?? '', 'initdb')))
    const patroni = await readFile(new URL('patroni.yml', CONFIGS), 'utf8')
    for (const { name, address } of MACHINES) {
      const own = patroni
        .replace('name: db1', `name: ${name}`)
        .replaceAll('DB1', address)
        .replace('ETCD:2379', `127.0.0.1:${client}`)
        .replaceAll('SUBNET', '127.0.0.0/8')
        .replaceAll('PASSWORD', PASSWORD)
        .replace('data_dir: PGDATA', `data_dir: ${dataOf(name)}`)
        .replace('/var/lib/postgresql/.pgpass.patroni', join(folder, `${name}.pgpass`))
        .replace('/usr/lib/postgresql/15/bin', binaries)
        .replace('/run/postgresql', join(folder, name))
      // The second copies the first.
      await mkdir(join(folder, name))
      if (owner) await chown(join(folder, name), owner.uid, owner.gid)
      run(name, 'patroni', [await file(`${name}.yml`, own)])
      await vi.waitUntil(
        async () =>
          (await membersSeenBy(address))?.some(
            (member) => member.name === name && /running|streaming/.test(member.state),
          ),
        { timeout: 60_000, interval: 200 },
      )
    }
    await vi.waitUntil(async () => (await membersSeenBy('127.0.0.11'))?.some(({ role }) => role === 'sync_standby'), {
      timeout: 60_000,
      interval: 200,
    })
    const haproxy = (await readFile(new URL('haproxy-patroni.cfg', CONFIGS), 'utf8'))
      .replace('127.0.0.1:5000', `127.0.0.1:${port}`)
      .replace('10.0.0.11', '127.0.0.11')
      .replace('10.0.0.12', '127.0.0.12')
    run('haproxy', 'haproxy', ['-db', '-f', await file('haproxy.cfg', `${haproxy}\n`)])
    url = `postgresql://deeb:${PASSWORD}@127.0.0.1:${port}/postgres`
    const admin = await until(() => openPostgres(url, { isPatient: true }).catch(() => null))
    if (!admin) throw new Error('HAProxy leads to no primary.')
    await migrate(admin)
    await admin.close()
  }, 180_000)

  afterAll(async () => {
    for (const name of ['haproxy', 'db1', 'db2', 'etcd']) {
      const child = running.get(name)
      if (!child || child.exitCode !== null || child.signalCode !== null) continue
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    }
    await rm(folder, { recursive: true, force: true })
  }, 60_000)

  /** Like a machine that loses power: Patroni and its PostgreSQL end without a word. */
  async function powerOff(name: string): Promise<void> {
    const [pid] = (await readFile(join(dataOf(name), 'postmaster.pid'), 'utf8')).split('\n')
    running.get(name)?.kill('SIGKILL')
    process.kill(Number(pid), 'SIGKILL')
  }

  test('loses no acknowledged switch when the primary loses power, and needs nobody', async () => {
    const servers = await openServers(url)
    onTestFinished(() => servers.close())
    const server = await servers.start()
    const [person] = servers.people
    const stream = await openStreamAt(server.origin, { authorization: `Bearer ${person?.accessToken}` })
    const switching = servers.switching([server])
    const more = (count: number) => {
      const enough = switching.acknowledged.size + count
      return vi.waitUntil(() => switching.acknowledged.size > enough, { timeout: FAILS_OVER_WITHIN_MS, interval: 20 })
    }
    await more(20)
    const leader = (await membersSeenBy('127.0.0.11'))?.find(({ role }) => role === 'leader')
    await powerOff(leader?.name ?? '')
    const killedAtMs = performance.now()
    const before = switching.retries()
    await until(() => switching.retries() > before)
    const delivered = stream.of('me-changed').length
    await more(1)
    console.log(
      `Patroni: the first switch ${((performance.now() - killedAtMs) / 1000).toFixed(1)} s after the primary lost power.`,
    )
    await stream.until(({ hasEnded }) => !hasEnded && stream.of('me-changed').length > delivered)
    await more(20)
    await switching.stop()
    console.log(`Patroni: ${switching.acknowledged.size} switches acknowledged.`)
    expect(switching.unanswered()).toBe(0)
    await servers.expectAcknowledged(switching)
    stream.leave()
  }, 180_000)
})
