import { spawn } from 'node:child_process'
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { findProgram, versionOf } from './find-program.ts'
import { freePort } from './free-port.ts'
import { killAtExit } from './kill-at-exit.ts'
import { type PostgresServer, waitUntilReady } from './postgres-server.ts'

const CONFIG = new URL('../../../deploy/pgbouncer.ini', import.meta.url)

/** The path of PgBouncer, null if this machine has none or one that is too old. */
export function findPooler(): string | null {
  const program = findProgram('pgbouncer')
  return program !== null && (versionOf(program) ?? 0) >= 121 ? program : null
}

/** Starts PgBouncer, configured as documented, before all databases of a PostgreSQL server. */
export async function startPooler(program: string, server: string): Promise<PostgresServer> {
  const { hostname, port, username, password } = new URL(server)
  const listenPort = await freePort()
  const folder = await mkdtemp(join(tmpdir(), 'deeb-pooler-'))
  const config = (await readFile(CONFIG, 'utf8'))
    .replace(/^deeb = .*$/m, `* = host=${hostname} port=${port}`)
    .replace(/^listen_port = .*$/m, `listen_port = ${listenPort}\nunix_socket_dir =`)
    .replace(/^auth_type = .*$/m, 'auth_type = trust')
    .replace(/^auth_file = .*$/m, `auth_file = ${join(folder, 'users')}`)
    // Each test file has a database of its own, and PostgreSQL a limit of connections for all.
    .concat('server_idle_timeout = 5\n')
  await writeFile(join(folder, 'users'), `"${username}" "${password}"\n`, { mode: 0o644 })
  await writeFile(join(folder, 'pgbouncer.ini'), config, { mode: 0o644 })
  await chmod(folder, 0o755)
  // It refuses to run as root.
  const user = userInfo().uid === 0 ? ['-u', 'nobody'] : []
  const pooler = killAtExit(spawn(program, ['-q', ...user, join(folder, 'pgbouncer.ini')], { stdio: 'ignore' }))
  const url = `postgresql://${username}:${password}@127.0.0.1:${listenPort}`
  await waitUntilReady(url, pooler)
  return {
    url,
    async stop() {
      pooler.kill('SIGKILL')
      await rm(folder, { recursive: true, force: true })
    },
  }
}
