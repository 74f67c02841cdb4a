// Runs in npm run test:all.
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import type { RequestListener, Server } from 'node:http'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { startChildServer } from '../testing/child-server.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import { until } from '../testing/until.ts'
import { createHttpServer, type Timeouts } from './connections.ts'

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0)) await close()
})

/** A connection that has sent `text`. It reads nothing until it is resumed. */
async function connection(server: Server | URL, text: string): Promise<Socket> {
  const port = server instanceof URL ? Number(server.port) : (server.address() as AddressInfo).port
  const socket = connect(port, '127.0.0.1')
  closers.push(() => socket.destroy())
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  socket.write(text)
  return socket
}

const get = (path: string, ...headers: string[]) =>
  ['GET', path, 'HTTP/1.1\r\n'].join(' ') + ['host: localhost', ...headers, '', ''].join('\r\n')

/** All that the server sends until it closes the connection. */
async function received(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (chunk) => {
    text += chunk
  })
  await once(socket, 'close')
  return text
}

async function listen(testApp: TestApp): Promise<Server> {
  closers.push(() => testApp.close())
  await testApp.app.listen({ host: '127.0.0.1', port: 0 })
  return testApp.app.server
}

describe('threat 226: a connection with several requests at a time', () => {
  test.each([
    ['700 of the largest answer', '/api/openapi.json', 700],
    ['800 files', '/assets/app-12345678.js', 800],
    ['1,500 health checks', '/readyz', 1_500],
    ['two calls', '/auth/v1/settings', 2],
  ])('is closed before the second answer of %s', async (_name, path, count) => {
    const server = await listen(await startTestApp())
    const socket = await connection(server, get(path).repeat(count))
    const answers = (await received(socket)).split('HTTP/1.1 200').length - 1
    expect(answers).toBeLessThanOrEqual(1)
    const bystander = await connection(server, get(path, 'connection: close'))
    expect(await received(bystander)).toContain('HTTP/1.1 200')
  })

  test('is closed also while it does not read, and its response ends with it', async () => {
    const ended: string[] = []
    const server = await serve((_request, response) => {
      response.on('close', () => ended.push('response'))
      response.write('x')
    })
    const socket = await connection(server, get('/'))
    await once(socket, 'readable')
    socket.write(get('/'))
    await received(socket)
    expect(ended).toEqual(['response'])
  })

  test('is kept with one request after the other', async () => {
    const server = await listen(await startTestApp())
    const socket = await connection(server, '')
    for (let n = 0; n < 20; n++) {
      socket.write(get('/assets/app-12345678.js'))
      const [chunk] = await once(socket, 'data')
      expect(String(chunk)).toContain('HTTP/1.1 200')
    }
    socket.write(get('/healthz', 'connection: close'))
    expect(await received(socket)).toContain('HTTP/1.1 200')
  })
})

async function serve(handle: RequestListener, timeouts?: Partial<Timeouts>): Promise<Server> {
  const server = createHttpServer(handle, timeouts)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  closers.push(() => {
    server.closeAllConnections()
    server.close()
  })
  return server
}

describe('threat 227: a connection that makes no progress is closed', () => {
  const SHORT = { requestMs: 300, checkEveryMs: 50, stalledMs: 600, idleMs: 600 }
  /** More than the system takes without a reader. */
  const LARGE = Buffer.alloc(16 * 1024 * 1024)

  test.each([
    ['a client that sends nothing', ''],
    ['half of the headers', 'GET / HTTP/1.1\r\nhost: localhost\r\n'],
    ['half of a body', 'POST / HTTP/1.1\r\nhost: localhost\r\ncontent-length: 10\r\n\r\nhalf'],
  ])('%s', async (_name, text) => {
    const answer: RequestListener = (request, response) => request.resume().on('end', () => response.end())
    const server = await serve(answer, { ...SHORT, stalledMs: 60_000 })
    await received(await connection(server, text))
  })

  test('a client that sends a byte now and then', async () => {
    const server = await serve((_request, response) => response.end(), { ...SHORT, stalledMs: 60_000 })
    const socket = await connection(server, 'GET / HTTP/1.1\r\n')
    const sending = setInterval(() => socket.write('x'), 50)
    closers.push(() => clearInterval(sending))
    await received(socket)
  })

  test('a client that does not read the response', async () => {
    let isClosed = false
    const server = await serve((_request, response) => {
      response.on('close', () => {
        isClosed = true
      })
      response.end(LARGE)
    }, SHORT)
    await connection(server, get('/'))
    await until(() => isClosed)
  })
})

const DESCRIPTORS = 1024
const RESERVED = 256

// Windows has no such limit.
test.skipIf(process.platform === 'win32')(
  'threat 228: a server with 1,024 file descriptors refuses connections above all but 256, and lives',
  async () => {
    const dataDir = await mkdtemp(join(tmpdir(), 'deeb-descriptors-'))
    closers.push(() => rm(dataDir, { recursive: true }))
    const child = await startChildServer({ DATA_DIR: dataDir }, { descriptors: DESCRIPTORS })
    closers.push(() => child.stop())
    const origin = new URL(child.origin)
    const paths = filesOfPage(await (await fetch(new URL('/app', origin))).text())
    const flood = await Promise.all(
      Array.from({ length: DESCRIPTORS }, (_, n) => connection(origin, get(paths[n % paths.length] ?? '/'))),
    )
    await until(() => flood.filter(({ readable }) => !readable).length >= RESERVED)
    for (const socket of flood) socket.destroy()
    await until(async () => (await fetch(new URL('/readyz', origin))).status === 200)
  },
)

/** The paths of the scripts and style sheets of a page. */
function filesOfPage(html: string): string[] {
  return [...html.matchAll(/"(\/assets\/[^"]+)"/g)].map(([, path = '']) => path)
}
