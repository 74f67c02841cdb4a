// Runs in npm run test:all, on PostgreSQL.
import { type SpawnOptions, spawn } from 'node:child_process'
import { mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect, inject, onTestFinished, test } from 'vitest'
import { APPS } from '../testing/apps.ts'
import { findProgram } from '../testing/find-program.ts'
import { freePort } from '../testing/free-port.ts'
import { killAtExit } from '../testing/kill-at-exit.ts'
import { openServers, restartOneByOne } from '../testing/servers.ts'
import { startTestApp } from '../testing/test-app.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { until } from '../testing/until.ts'
import { WHO_MAY_WHAT } from '../testing/who-may-what.ts'
import { withoutLimits } from '../testing/without-limits.ts'

const DEPLOY = new URL('../../../deploy/', import.meta.url)

interface Proxy {
  config: string
  /** The arguments that start it with this file of a temporary folder. */
  args(file: string, folder: string): string[]
  /** The configuration without TLS, for a port of this machine. */
  adapt(config: string, port: number, folder: string): string
}

const PROXIES: Record<string, Proxy> = {
  nginx: {
    config: 'nginx.conf',
    args: (file, folder) => ['-e', join(folder, 'start.log'), '-c', file],
    adapt(config, port, folder) {
      const own = config
        .replace('listen 443 ssl http2;', `listen 127.0.0.1:${port};`)
        .replace('listen 80;', `listen unix:${folder}/http.sock;`)
        .replace(/^ *ssl_certificate.*$/gm, '')
        .replace(/access_log \/.*? /, `access_log ${folder}/access.log `)
      const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map((of) => `${of}_temp_path ${folder}/${of};`)
      return `daemon off; master_process off; pid ${folder}/pid; error_log ${folder}/output;
        events { worker_connections 4096; } http { ${paths.join(' ')}\n${own}}`
    },
  },
  caddy: {
    config: 'Caddyfile',
    args: (file) => ['run', '--adapter', 'caddyfile', '--config', file],
    adapt: (config, port) =>
      config.replace(/^\{$/m, '{\nadmin off').replace('deeb.example.com {', `http://127.0.0.1:${port} {`),
  },
  haproxy: {
    config: 'haproxy.cfg',
    args: (file) => ['-db', '-f', file],
    adapt: (config, port) => config.replace('bind :80', `bind 127.0.0.1:${port}`),
  },
}

const isServerTest = inject('template').engine !== 'embedded'
function canRun(name: string): boolean {
  const isMissing = findProgram(name) === null
  if (isMissing) console.log(`Skipped: no ${name} on this machine.`)
  return !isMissing && isServerTest
}

interface RunningProxy {
  origin: string
  /** Everything that it wrote: to its logs, standard output and standard error. */
  written(): Promise<string>
}

/** Starts a proxy with its file in deploy/ in front of these servers. */
async function startProxy(name: string, [first = '', second = first]: string[]): Promise<RunningProxy> {
  const folder = await mkdtemp(join(tmpdir(), `deeb-${name}-`))
  const port = await freePort()
  const { config, args, adapt } = PROXIES[name] as Proxy
  const own = adapt(await readFile(new URL(config, DEPLOY), 'utf8'), port, folder)
    .replaceAll('127.0.0.1:3000', new URL(first).host)
    .replaceAll('127.0.0.1:3001', new URL(second).host)
  const file = join(folder, config)
  await writeFile(file, own)
  const output = await open(join(folder, 'output'), 'a')
  const options: SpawnOptions = { env: { HOME: folder }, stdio: ['ignore', output.fd, output.fd] }
  const proxy = killAtExit(spawn(findProgram(name) ?? '', args(file, folder), options))
  onTestFinished(async () => {
    proxy.kill('SIGKILL')
    await output.close()
    await rm(folder, { recursive: true, force: true })
  })
  const origin = `http://127.0.0.1:${port}`
  await until(() =>
    fetch(`${origin}/healthz`).then(
      ({ ok }) => ok,
      () => false,
    ),
  )
  const logs = ['output', 'access.log'].map((log) => join(folder, log))
  return {
    origin,
    async written() {
      return (await Promise.all(logs.map((log) => readFile(log, 'utf8').catch(() => '')))).join('')
    },
  }
}

describe.each(Object.keys(PROXIES))('%s', (name) => {
  const isRun = canRun(name)

  test.skipIf(!isRun)('passes every path on as it is', async () => {
    const unlimited = { limitStore: withoutLimits(), callLimitStore: withoutLimits() }
    const testApp = await startTestApp({ ...APPS, TRUST_PROXY: 'loopback' }, undefined, unlimited)
    onTestFinished(() => testApp.close())
    const server = await testApp.app.listen({ host: '127.0.0.1', port: 0 })
    const { origin } = await startProxy(name, [server])
    const answers = (origin: string) =>
      Promise.all(Object.keys(WHO_MAY_WHAT).map(async (route) => [route, await answerOf(origin, route)]))
    expect(Object.fromEntries(await answers(origin))).toEqual(Object.fromEntries(await answers(server)))
  })

  test.skipIf(!isRun)('threat 260: logs no secret link when the server does not answer', async () => {
    const testApp = await startTestApp()
    const server = await testApp.app.listen({ host: '127.0.0.1', port: 0 })
    const { origin, written } = await startProxy(name, [server])
    const get = async (path: string) => (await fetch(origin + path)).status
    await get('/cal/secret-while-up.ics')
    await testApp.close()
    const paths = ['/cal/secret-link.ics', '/unsubscribe?user=secret-link', '/app/last']
    for (const status of await Promise.all(paths.map(get))) expect(status).toBeGreaterThan(500)
    // HAProxy logs requests only with `log` in its file.
    if (name !== 'haproxy') await until(async () => (await written()).includes('/app/last'))
    expect(await written()).not.toContain('secret-')
  })
})

/** The answer of a route to a stranger, without what differs between two requests and between two connections. */
async function answerOf(origin: string, route: string) {
  const [method = '', path = ''] = route.split(' ')
  const response = await fetch(origin + path.replace(/:\w+/g, 'x').replace('*', 'nothing'), {
    method,
    headers: { 'content-type': 'application/json', 'x-forwarded-for': '203.0.113.7' },
    redirect: 'manual',
    ...(method === 'GET' ? {} : { body: '{}' }),
  })
  const ofConnection = /^(date|server|connection|keep-alive|transfer-encoding|content-length|x-request-id|via)$/
  const headers = [...response.headers].filter(([name]) => !ofConnection.test(name))
  const random = /[\w-]{36,}/g
  const body = (await response.text()).replaceAll(random, '')
  return { status: response.status, headers, body }
}

test.skipIf(!canRun('nginx'))(
  'a rolling restart behind nginx shows no error to a client that does not retry',
  async () => {
    const servers = await openServers(await createTestDatabase())
    onTestFinished(() => servers.close())
    const both = [await servers.start(), await servers.start()]
    const { origin } = await startProxy(
      'nginx',
      both.map((server) => server.origin),
    )
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
    await restartOneByOne(both, () => answers.length)
    isStopping = true
    await Promise.all(switching)
    console.log(`${answers.length} switches sent.`)
    expect(answers.filter((answer) => answer !== 200)).toEqual([])
  },
)
