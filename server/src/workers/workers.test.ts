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

  /** On a connection of its own, so that the workers take turns. */
  async function ask(path: string, body?: object) {
    const headers = { connection: 'close', 'content-type': 'application/json' }
    const request = body ? { method: 'POST', headers, body: JSON.stringify(body) } : { headers }
    const answer = await fetch(server.origin + path, request)
    return { status: answer.status, text: await answer.text() }
  }

  const health = async (count: number) => {
    for (let n = 0; n < count; n++) expect((await ask('/healthz')).status).toBe(200)
  }

  /** The processes that have answered since the server was started, as their log says. */
  const workers = () => [...new Set([...server.output().matchAll(/"pid":(\d+)/g)].map(([, pid]) => Number(pid)))]

  const runs = (pid: number) => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }

  test('says once that it runs, and both of them answer', async () => {
    await health(4)
    await until(() => workers().length === 2)
    expect(workers()).not.toContain(server.pid())
    expect(server.output().match(/deeb runs at/g)).toHaveLength(1)
    expect(server.output().match(/Mail is kept in/g)).toHaveLength(1)
  })

  test('has one limit of each kind, whichever worker is asked', async () => {
    const recover = await Promise.all(
      Array.from({ length: 20 }, (_, n) => ask('/auth/v1/recover', { email: `n${n}@fjordlab.example` })),
    )
    expect(recover.filter(({ status }) => status === 200)).toHaveLength(10)
    expect(recover.filter(({ status }) => status === 429)).toHaveLength(10)
    const guess = { email: 'nobody@fjordlab.example', password: 'not the password' }
    const guesses = await Promise.all(
      Array.from({ length: 12 }, () => ask('/auth/v1/token?grant_type=password', guess)),
    )
    // Five misses are free, and after the sixth there is a second to wait.
    expect(guesses.filter(({ status }) => status === 400).length).toBeLessThanOrEqual(8)
    expect(guesses.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(4)
  })

  test('forgets wrong passwords at the right one, whichever worker is asked', async () => {
    const email = servers.people[0]?.email
    const signIn = async (password: string) =>
      (await ask('/auth/v1/token?grant_type=password', { email, password })).status
    for (const password of [...Array(5).fill('not the password'), PASSWORD, ...Array(5).fill('not the password')]) {
      expect(await signIn(password)).toBe(password === PASSWORD ? 200 : 400)
    }
  })

  test('tells metrics of both, and what is the same for both once', async () => {
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

  test('loses nothing while one worker after the other ends, and replaces them', async () => {
    const switching = servers.switching([server])
    const [first, second] = workers()
    if (!first || !second) throw new Error('Both should have answered by now.')
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
    await servers.expectKept(switching)
    expect(server.output()).toContain('A worker ended (SIGKILL). Another will take its place.')
  })

  test('ends whole: with SIGTERM in order, and with the first process in any case', async () => {
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

test('a worker that dies while what it asked is unread takes nobody with it, nor does one that cannot be made', async () => {
  const watch = createServer().listen(0, '127.0.0.1')
  onTestFinished(() => void watch.close())
  const watching = once(watch, 'connection') as Promise<[Socket]>
  await once(watch, 'listening')
  const server = await startChildServer({ WATCHED_AT: `${(watch.address() as AddressInfo).port}` }, DYING)
  onTestFinished(async () => void (await server.stop('SIGKILL')))
  const [dying] = await watching
  // Its connections end with it, the one to the first process among them.
  dying.resume().write('die')
  await once(dying, 'close')
  process.kill(server.pid(), 'SIGCONT')
  await until(() => server.output().includes('worker 4 listens'))
  expect(server.output()).toContain('A worker ended (SIGKILL). Another will take its place.')
  expect(server.output()).toContain(`A worker ended (spawn ${process.execPath} ENOENT). Another will take its place.`)
  expect(await server.stop('SIGTERM')).toBe(0)
})

describe('WEB_CONCURRENCY', () => {
  test.each(['0', '-1', '1.5', 'many', '65'])('%s stops the start with a sentence', (text) => {
    expect(() => readConfig({ WEB_CONCURRENCY: text, DATABASE_URL: 'postgres://db/deeb' })).toThrow(
      `WEB_CONCURRENCY must be a whole number from 1 to 64, not "${text}".`,
    )
  })

  test('is one if nothing is said, and more only with PostgreSQL', async () => {
    expect(readConfig({}).webConcurrency).toBe(1)
    expect(readConfig({ WEB_CONCURRENCY: '1' }).webConcurrency).toBe(1)
    expect(readConfig({ WEB_CONCURRENCY: '4', DATABASE_URL: 'postgres://db/deeb' }).webConcurrency).toBe(4)
    await expect(startChildServer({ WEB_CONCURRENCY: '2', DATA_DIR: '/proc/nowhere' })).rejects.toThrow(
      'The server ended with code 1: deeb cannot start: WEB_CONCURRENCY=2 needs DATABASE_URL: the embedded database belongs to one process.\n',
    )
  })
})
