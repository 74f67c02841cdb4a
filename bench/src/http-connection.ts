import { once } from 'node:events'
import { connect, type Socket } from 'node:net'

export interface HttpRequest {
  method: 'GET' | 'POST'
  path: string
  accessToken?: string
  /** The client's IP address, as the proxy would report it. */
  from?: string
  body?: unknown
}

/** The bytes of a request. Callers build a constant request once. */
export function wire({ method, path, accessToken, from, body }: HttpRequest): string {
  const text = body === undefined ? '' : JSON.stringify(body)
  return [
    `${method} ${path} HTTP/1.1`,
    'host: deeb.example',
    'x-client-info: deeb-web/0.1.0',
    ...(accessToken === undefined ? [] : [`authorization: Bearer ${accessToken}`]),
    ...(from === undefined ? [] : [`x-forwarded-for: ${from}`]),
    ...(body === undefined ? [] : ['content-type: application/json', `content-length: ${Buffer.byteLength(text)}`]),
    '',
    text,
  ].join('\r\n')
}

export interface HttpAnswer {
  status: number
  body: string
}

/**
 * One keep-alive connection with one request at a time. A minimal client, so that the load generator leaves the CPU to the
 * server: it costs a tenth of `fetch`.
 */
export interface HttpConnection {
  /** Rejects if the connection is lost. */
  ask(request: string): Promise<HttpAnswer>
  close(): void
}

export async function openConnection(port: number): Promise<HttpConnection> {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true })
  await once(socket, 'connect')
  return connectionOn(socket)
}

function connectionOn(socket: Socket): HttpConnection {
  let received = ''
  let waiting: { resolve(answer: HttpAnswer): void; reject(error: Error): void } | null = null

  socket.setEncoding('latin1')
  socket.on('data', (chunk: string) => {
    received += chunk
    const bodyAt = received.indexOf('\r\n\r\n') + 4
    if (bodyAt < 4) return
    const length = Number(/content-length: (\d+)/i.exec(received)?.[1] ?? 0)
    if (received.length < bodyAt + length) return
    const answer = { status: Number(received.slice(9, 12)), body: received.slice(bodyAt, bodyAt + length) }
    received = ''
    waiting?.resolve(answer)
  })
  const lost = () => waiting?.reject(new Error('The server closed the connection.'))
  socket.on('close', lost)
  socket.on('error', lost)

  return {
    ask: (request) =>
      new Promise((resolve, reject) => {
        waiting = { resolve, reject }
        socket.write(request)
      }),
    close: () => void socket.destroy(),
  }
}

/** Sends a request. Throws if the answer is not 200. */
export async function askOk(connection: HttpConnection, request: string): Promise<HttpAnswer> {
  const answer = await connection.ask(request)
  if (answer.status !== 200) throw new Error(`The server answered ${answer.status}: ${answer.body.slice(0, 500)}`)
  return answer
}
