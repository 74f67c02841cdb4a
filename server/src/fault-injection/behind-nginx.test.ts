import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import { expect, inject, onTestFinished, test } from 'vitest'
import { findProgram } from '../testing/find-program.ts'
import { freePort } from '../testing/free-port.ts'
import { openServers } from '../testing/servers.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { until } from '../testing/until.ts'

const CONFIG = new URL('../../../deploy/nginx.conf', import.meta.url)
const program = findProgram('nginx')
if (program === null) console.log('Skipped: no nginx on this machine.')
const canRun = program !== null && inject('template').engine !== 'embedded'

/** Starts nginx with deploy/nginx.conf in front of these servers, without TLS. Resolves with its origin. */
async function startNginx(origins: string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'deeb-nginx-'))
  const port = await freePort()
  const own = (await readFile(CONFIG, 'utf8'))
    .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
    .replace(/^ *ssl_certificate.*$/gm, '')
    .replace(/access_log .*;/, 'access_log off;')
    .replace('127.0.0.1:3000', new URL(origins[0] ?? '').host)
    .replace('127.0.0.1:3001', new URL(origins[1] ?? '').host)
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((of) => `${of}_temp_path ${folder}/${of};`)
  const config = join(folder, 'nginx.conf')
  await writeFile(
    config,
    `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/error.log;
    events {} http { ${paths.join(' ')}\n${own}}`,
  )
  const nginx = spawn(program ?? '', ['-e', join(folder, 'error.log'), '-c', config], { stdio: 'ignore' })
  onTestFinished(async () => {
    nginx.kill('SIGKILL')
    await rm(folder, { recursive: true, force: true })
  })
  const origin = `http://127.0.0.1:${port}`
  await until(() =>
    fetch(`${origin}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  return origin
}

test.skipIf(!canRun)('a rolling restart behind nginx shows no error to a client that does not retry', async () => {
  const servers = await openServers(await createTestDatabase())
  onTestFinished(() => servers.close())
  const both = [await servers.start(), await servers.start()]
  const origin = await startNginx(both.map((server) => server.origin))
  const answers: (number | string)[] = []
  let isStopping = false
  const switching = servers.people.map(async ({ accessToken }) => {
    const headers = { authorization: `Bearer ${accessToken}`, 'content-type': 'application/json' }
    while (!isStopping) {
      const sessionId = uuidv7()
      for (const [path, body] of [
        ['start', { sessionId, timeZone: 'UTC' }],
        ['stop', { sessionId }],
      ] as const) {
        const sent = fetch(`${origin}/api/focus/${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
        answers.push(
          await sent.then(
            ({ status }) => status,
            (error: Error) => error.message,
          ),
        )
      }
    }
  })
  const more = (count: number) => {
    const enough = answers.length + count
    return until(() => answers.length > enough)
  }
  for (const server of both) {
    await more(20)
    expect(await server.stop('SIGTERM')).toBe(0)
    await more(20)
    await server.start()
  }
  await more(20)
  isStopping = true
  await Promise.all(switching)
  console.log(`${answers.length} switches sent.`)
  expect(answers.filter((answer) => answer !== 200)).toEqual([])
})
