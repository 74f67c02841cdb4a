import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { Webhook as StandardWebhook } from 'standardwebhooks'

/** With it, a test app may call a receiver of this file. */
export const WEBHOOKS_HERE = { WEBHOOK_ALLOW: '127.0.0.0/8' }

/** A message that a receiver got. */
export interface ReceivedMessage {
  id: string
  type: string
  timestamp: string
  data: Record<string, unknown>
  headers: Record<string, string>
  body: string
}

/** A receiver of webhooks on this machine. */
export interface Receiver {
  url: string
  received: ReceivedMessage[]
  /** How it answers; by default with 204. */
  answer: (response: ServerResponse) => void
  /** The types of the messages so far. */
  types(): string[]
  close(): Promise<void>
}

export async function startReceiver(): Promise<Receiver> {
  const server = createServer(async (request, response) => {
    const body = (await buffer(request)).toString()
    const headers = signatureHeaders(request.headers)
    receiver.received.push({ id: headers['webhook-id'] ?? '', ...JSON.parse(body), headers, body })
    receiver.answer(response)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const receiver: Receiver = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    received: [],
    answer: (response) => void response.writeHead(204).end(),
    types: () => receiver.received.map(({ type }) => type),
    async close() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  return receiver
}

function signatureHeaders(headers: IncomingHttpHeaders): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))
}

/** Whether the library of Standard Webhooks accepts a message with this secret. Its clock must be near that of the message. */
export function isSignedBy(secret: string, { body, headers }: ReceivedMessage): boolean {
  try {
    new StandardWebhook(secret).verify(body, headers)
    return true
  } catch {
    return false
  }
}
