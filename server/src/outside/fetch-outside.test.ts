import { once } from 'node:events'
import http, { createServer, type RequestListener } from 'node:http'
import { type AddressInfo, connect, createServer as createSocketServer } from 'node:net'
import { expect, onTestFinished, test } from 'vitest'
import { createFetchOutside, type OutsideRequest, readOutsideUrl } from './fetch-outside.ts'

const THIS_MACHINE = ['127.0.0.0/8']

/** A server on this machine. Returns its port and the number of requests so far. */
async function serve(answer: RequestListener): Promise<{ port: number; requests(): number }> {
  let requests = 0
  const server = createServer((request, response) => {
    requests += 1
    answer(request, response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return { port: (server.address() as AddressInfo).port, requests: () => requests }
}

async function failure(url: string, deps: Parameters<typeof createFetchOutside>[0], request?: OutsideRequest) {
  const response = createFetchOutside(deps)(url, request)
  return response.then(
    ({ status }) => status,
    (error) => [error.reason, error.status],
  )
}

test.each([
  'https://hooks.example.com/a',
  'https://hooks.example.com:8443/a?b=c',
  'https://8.8.8.8/a',
  'https://[2620:fe::fe]/a',
])('%s may be called', (url) => expect(readOutsideUrl(url, [])?.href).toBe(url))

test.each([
  ...['http://hooks.example.com/a', 'ftp://hooks.example.com/a', 'file:///etc/passwd', 'hooks.example.com', ''],
  ...['https://user:password@hooks.example.com/a', 'https://user@hooks.example.com', 'https://localhost/a'],
  ...['https://127.0.0.1/a', 'https://127.1/a', 'https://2130706433/a', 'https://0x7f.1/a', 'https://0177.0.0.1/a'],
  ...['https://127.0.0.1./a', 'https://１２７.0.0.1/a', 'https://%31%32%37.0.0.1/a', 'https://0/a', 'https://[::]/a'],
  ...['https://[::1]/a', 'https://[::ffff:10.0.0.1]/a', 'https://[::ffff:a00:1]/a', 'https://[64:ff9b::a00:1]/a'],
  ...[
    'https://169.254.169.254/latest/meta-data',
    'https://168.63.129.16/machine',
    'https://[fd00:ec2::254]/a',
    'https://100.64.0.1/a',
  ],
  ...['https://10.0.0.1/a', 'https://intranet/a', 'https://[2002:a00:1::]/a', 'https://[fe80::1]/a'],
])('threat 180: %s may not', async (url) => {
  expect(readOutsideUrl(url, [])).toBe(null)
  expect(await failure(url, { allow: [] })).toEqual(['invalid_url', null])
})

test('an allowed range may be called besides, also by http', () => {
  const allow = ['10.0.0.0/8']
  for (const url of ['http://10.2.3.4:8123/a', 'https://10.2.3.4/a', 'http://hass.intranet/a', 'http://hass/a']) {
    expect(readOutsideUrl(url, allow)?.href).toBe(url)
  }
  for (const url of ['http://8.8.8.8/a', 'http://192.168.0.1/a', 'http://127.0.0.1/a', 'http://[::ffff:10.2.3.4]/a']) {
    expect(readOutsideUrl(url, allow)).toBe(null)
  }
})

test.each([
  ['a private address', ['10.0.0.1']],
  ['one private address among public ones', ['8.8.8.8', '127.0.0.1']],
  ['this machine as IPv6', ['::1']],
  ['cloud metadata as IPv4 in IPv6', ['::ffff:169.254.169.254']],
  ['no address', []],
])('threat 180: a host name that leads to %s is refused before a connection', async (_what, addresses) => {
  expect(await failure('https://hooks.example.com/', { allow: [], resolve: async () => addresses })).toEqual([
    'no_public_address',
    null,
  ])
})

test('threat 180: an unknown host looks like a private one', async () => {
  const resolve = () => Promise.reject(new Error('ENOTFOUND'))
  expect(await failure('https://hooks.example.com/', { allow: [], resolve })).toEqual(['no_public_address', null])
})

test('threat 181: the address that is checked is the address that is called, also if DNS answers change', async () => {
  const { port, requests } = await serve((_request, response) => response.end('secret'))
  const answers = [['127.0.0.1'], ['10.0.0.1'], ['127.0.0.1']]
  const resolve = async () => answers.shift() ?? []
  const fetchOutside = createFetchOutside({ allow: THIS_MACHINE, resolve })
  const url = `http://hooks.example.com:${port}/`
  expect((await fetchOutside(url)).status).toBe(200)
  await expect(fetchOutside(url)).rejects.toMatchObject({ reason: 'no_public_address' })
  expect((await fetchOutside(url)).status).toBe(200)
  // One lookup per request, and no connection that is used again for a later answer.
  expect([answers, requests()]).toEqual([[], 2])
})

test('threat 243: a proxy for all requests of the process is not used, since it would look the name up', async () => {
  const proxy = await serve((_request, response) => response.end('secret'))
  class ProxyAgent extends http.Agent {
    override createConnection() {
      return connect(proxy.port, '127.0.0.1')
    }
  }
  const before = http.globalAgent
  http.globalAgent = new ProxyAgent()
  onTestFinished(() => {
    http.globalAgent = before
  })
  const deps = { allow: THIS_MACHINE, resolve: async () => ['10.0.0.1'] }
  expect(await failure('http://hooks.example.com/', deps)).toEqual(['no_public_address', null])
  expect(proxy.requests()).toBe(0)
})

test('threat 181: http never leads to the Internet', async () => {
  const resolve = async () => ['8.8.8.8']
  expect(await failure('http://hooks.example.com/', { allow: THIS_MACHINE, resolve })).toEqual([
    'no_public_address',
    null,
  ])
})

test('threat 182: a redirect is not followed', async () => {
  const inside = await serve((_request, response) => response.end('secret'))
  for (const status of [301, 302, 303, 307, 308]) {
    const location = `http://127.0.0.1:${inside.port}/`
    const { port } = await serve((_request, response) => response.writeHead(status, { location }).end())
    expect(await failure(`http://127.0.0.1:${port}/`, { allow: THIS_MACHINE })).toEqual(['redirect', status])
  }
  expect(inside.requests()).toBe(0)
})

test('threat 183: a server that does not answer costs its time only', async () => {
  const { port } = await serve(() => undefined)
  const url = `http://127.0.0.1:${port}/`
  expect(await failure(url, { allow: THIS_MACHINE }, { timeoutMs: 50 })).toEqual(['timeout', null])
})

test('threat 183: a name server that does not answer costs its time only', async () => {
  const resolve = () => new Promise<string[]>(() => undefined)
  const deps = { allow: [], resolve }
  expect(await failure('https://hooks.example.com/', deps, { timeoutMs: 50 })).toEqual(['timeout', null])
})

test('threat 221: a server that switches to another protocol has no response, and nothing waits for one', async () => {
  const server = createSocketServer((socket) => {
    socket.on('error', () => undefined)
    socket.once('data', () =>
      socket.write('HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
    )
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => void server.close())
  const { port } = server.address() as AddressInfo
  const request = { method: 'POST', timeoutMs: 2_000 } as const
  expect(await failure(`http://127.0.0.1:${port}/`, { allow: THIS_MACHINE }, request)).toEqual(['unreachable', null])
})

test('threat 183: an endless body is cut, a slow one has its beginning', async () => {
  const endless = await serve((_request, response) => {
    const chunk = Buffer.alloc(16_384, 'a')
    const write = () => {
      while (response.write(chunk));
    }
    response.on('drain', write)
    write()
  })
  const slow = await serve((_request, response) => void response.write('beginning'))
  const fetchOutside = createFetchOutside({ allow: THIS_MACHINE })
  const cut = await fetchOutside(`http://127.0.0.1:${endless.port}/`)
  expect([cut.status, cut.body.length, cut.isComplete]).toEqual([200, 65_536, false])
  const started = await fetchOutside(`http://127.0.0.1:${slow.port}/`, { timeoutMs: 1_000 })
  expect([started.status, String(started.body), started.isComplete]).toEqual([200, 'beginning', false])
  expect((await fetchOutside(`http://127.0.0.1:${slow.port}/`, { maxBytes: 0 })).body.length).toBe(0)
})

test('sends the method, the headers and the body, and returns the response', async () => {
  const { port } = await serve((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => response.writeHead(418, { 'x-a': 'b' }).end(`${request.method} ${body}`))
  })
  const fetchOutside = createFetchOutside({ allow: THIS_MACHINE })
  const response = await fetchOutside(`http://127.0.0.1:${port}/`, { method: 'PUT', body: 'täxt' })
  expect([response.status, response.headers['x-a'], String(response.body), response.isComplete]).toEqual([
    ...[418, 'b', 'PUT täxt', true],
  ])
})

test('a server that closes the connection is unreachable', async () => {
  const { port } = await serve((request) => request.socket.destroy())
  expect(await failure(`http://127.0.0.1:${port}/`, { allow: THIS_MACHINE })).toEqual(['unreachable', null])
})
