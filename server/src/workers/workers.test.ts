import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, inject, onTestFinished, test } from 'vitest'
import { readConfig } from '../config.ts'
import { type ChildServer, startChildServer } from '../testing/child-server.ts'
import { PASSWORD } from '../testing/make.ts'
import { openServers, type Servers } from '../testing/servers.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { until } from '../testing/until.ts'

describe.skipIf(inject('template').engine === 'embedded')('a server of two workers', () => {
  let servers: Servers
  let server: ChildServer
  beforeAll(async () => {
    servers = await openServers(await createTestDatabase())
    server = await servers.start({ WEB_CONCURRENCY: '2', LOG_LEVEL: 'info' })
  })
  afterAll(() => servers.close())

  /** Sends a request on a new connection, so that the workers alternate. */
  async function ask(path: string, body?: object) {
    const headers = { connection: 'close', 'content-type': 'application/json' }
    const request = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
    const answer = await fetch(server.origin + path, request)
    return { status: answer.status, text: await answer.text() }
  }

  const health = async (count: number) => {
    for (let n = 0; n < count; n++) expect((await ask('/healthz')).status).toBe(200)
  }

  /** The ids of the processes that have responded since the start, from their log. */
  const workers = () => [...new Set([...server.output().matchAll(/"pid":(\d+)/g)].map(([, pid]) => Number(pid)))]

  const runs = (pid: number) => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }

  test('both workers respond, and the start is reported once', async () => {
    await health(4)
    await until(() => workers().length === 2)
    expect(workers()).not.toContain(server.pid())
    expect(server.output().match(/deeb runs at/g)).toHaveLength(1)
    expect(server.output().match(/Emails are written to/g)).toHaveLength(1)
  })

  test('workers share each rate limit', async () => {
    const recover = await Promise.all(
      Array.from({ length: 20 }, (_, n) => ask('/auth/v1/recover', { email: `n${n}@fjordlab.example` })),
    )
    expect(recover.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(recover.filter(({ status }) => status === 429)).toHaveLength(10)
    const guess = { email: 'nobody@fjordlab.example', password: 'not the password' }
    const guesses = await Promise.all(
      Array.from({ length: 12 }, () => ask('/auth/v1/token?grant_type=password', guess)),
    )
    // Five failures are free; after the sixth there is one second to wait.
    expect(guesses.filter(({ status }) => status === 400).length).toBeLessThanOrEqual(8)
    expect(guesses.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(4)
  })

  test('workers share the reset of failed sign-ins after a successful one', async () => {
    const email = servers.people[0]?.email
    const signIn = async (password: string) =>
      (await ask('/auth/v1/token?grant_type=password', { email, password })).status
    for (const password of [...Array(5).fill('not the password'), PASSWORD, ...Array(5).fill('not the password')]) {
      expect(await signIn(password)).toBe(password === PASSWORD ? 200 : 400)
    }
  })

  test('metrics are the sum of both workers, and shared values count once', async () => {
    await servers.testApp.db.script(`insert into auth.outbox (id, kind, recipient, subject, body, created_at, next_try_at)
      values (gen_random_uuid(), 'confirm', 'a@b.example', '', '', now(), 'infinity')`)
    const count = async () => {
      const { text } = await ask('/metrics')
      expect(text).toContain('deeb_outbox_mails{state="given_up"} 1\n')
      return Number(/_count\{method="GET",route="\/healthz",status="200"\} (\d+)/.exec(text)?.[1])
    }
    const before = await count()
    await health(10)
    expect(await count()).toBe(before + 10)
  })

  test('replaces workers that end, and loses no switch', async () => {
    const switching = servers.switching([server])
    const [first, second] = workers()
    if (!first || !second) throw new Error('Both workers should have responded already.')
    for (const [pid, signal] of [
      [first, 'SIGTERM'],
      [second, 'SIGKILL'],
    ] as const) {
      const known = workers().length
      process.kill(pid, signal)
      await until(() => !runs(pid) && workers().length > known)
    }
    await switching.stop()
    expect(switching.unanswered()).toBe(0)
    await servers.expectAcknowledged(switching)
    expect(server.output()).toContain('A worker ended (SIGKILL). A new worker replaces it.')
  })

  test('workers end with the primary process: gracefully on SIGTERM, in any case on SIGKILL', async () => {
    expect(await server.stop('SIGTERM')).toBe(0)
    expect(workers().filter(runs)).toEqual([])
    await server.start()
    await health(4)
    await until(() => workers().length === 2)
    const pids = workers()
    await server.stop('SIGKILL')
    await until(() => pids.every((pid) => !runs(pid)))
  })
})

const DYING = fileURLToPath(new URL('../../dist/testing/dying-worker.js', import.meta.url))

test('the primary process survives a worker that dies with an unread request, and one that cannot be forked', async () => {
  const watch = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void watch.close())
  const watching = once(watch, 'connection') as Promise<[Socket]>
  await once(watch, 'listening')
  const server = await startChildServer({ WATCHED_AT: `${(watch.address() as AddressInfo).port}` }, DYING)
  onTestFinished(async () => void (await server.stop('SIGKILL')))
  const [dying] = await watching
  // Its connections end with it, among them the IPC channel to the primary process.
  dying.resume().write('die')
  await once(dying, 'close')
  process.kill(server.pid(), 'SIGCONT')
  await until(() => server.output().includes('worker 4 listens'))
  expect(server.output()).toContain('A worker ended (SIGKILL). A new worker replaces it.')
  expect(server.output()).toContain(`A worker ended (spawn ${process.execPath} ENOENT). A new worker replaces it.`)
  expect(await server.stop('SIGTERM')).toBe(0)
})

describe('WEB_CONCURRENCY', () => {
  test.each(['0', '-1', '1.5', 'many', '65'])('%s prevents the start with an error message', (text) => {
    expect(() => readConfig({ WEB_CONCURRENCY: text, DATABASE_URL: 'postgres://db/deeb' })).toThrow(
      `WEB_CONCURRENCY must be a whole number from 1 to 64, not "${text}".`,
    )
  })

  test('is 1 by default, and more only with PostgreSQL', async () => {
    expect(readConfig({}).webConcurrency).toBe(1)
    expect(readConfig({ WEB_CONCURRENCY: '1' }).webConcurrency).toBe(1)
    expect(readConfig({ WEB_CONCURRENCY: '4', DATABASE_URL: 'postgres://db/deeb' }).webConcurrency).toBe(4)
    await expect(startChildServer({ WEB_CONCURRENCY: '2', DATA_DIR: '/proc/nowhere' })).rejects.toThrow(
      'The server ended with code 1: deeb cannot start: WEB_CONCURRENCY=2 needs DATABASE_URL: the embedded database belongs to one process.\n',
    )
  })
})
