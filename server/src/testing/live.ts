import { once } from 'node:events'
import { get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { LIVE_PATH, LiveDelivery, type LiveEvent } from '@deeb/core/live-events'
import * as v from 'valibot'
import type { MadeUser } from './make.ts'
import type { TestApp } from './test-app.ts'
import { until } from './until.ts'

/** A client of the live stream, over a real connection. */
export interface TestStream {
  status: number
  headers: IncomingHttpHeaders
  /** All received deliveries. */
  deliveries: LiveEvent[][]
  /** All received events of one type. */
  of<T extends LiveEvent['type']>(type: T): Extract<LiveEvent, { type: T }>[]
  /** Waits until the condition is true. */
  until(isTrue: (stream: TestStream) => boolean): Promise<void>
  /** True after the stream has ended. */
  hasEnded: boolean
  leave(): void
}

const addresses = new WeakMap<TestApp, Promise<string>>()

/** The origin of the app. The first call starts listening. */
export function addressOf(testApp: TestApp): Promise<string> {
  const address = addresses.get(testApp) ?? testApp.app.listen({ host: '127.0.0.1', port: 0 })
  addresses.set(testApp, address)
  return address
}

/** Opens a stream as this user, and waits for the first delivery unless it is refused. */
export async function openStream(
  testApp: TestApp,
  { accessToken }: Pick<MadeUser, 'accessToken'>,
  headers: Record<string, string> = {},
): Promise<TestStream> {
  return openStreamAt(await addressOf(testApp), { authorization: `Bearer ${accessToken}`, ...headers })
}

/** Opens a stream at any origin. */
export async function openStreamAt(origin: string, headers: Record<string, string>): Promise<TestStream> {
  // Uses its own connection, which closes with the stream.
  const request = get(origin + LIVE_PATH, { agent: false, headers })
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  const deliveries: LiveEvent[][] = []
  const stream: TestStream = {
    ...{ status: response.statusCode ?? 0, headers: response.headers, deliveries, hasEnded: false },
    of: (type) =>
      deliveries.flat().filter((event): event is Extract<LiveEvent, { type: typeof type }> => event.type === type),
    async until(isTrue) {
      await until(() => isTrue(stream))
    },
    leave: () => response.destroy(),
  }
  response.on('close', () => {
    stream.hasEnded = true
  })
  // Ignores the error of `leave`.
  response.on('error', () => undefined)
  if (stream.status !== 200) return stream
  readInto(response, deliveries)
  await stream.until(({ deliveries }) => deliveries.length > 0)
  return stream
}

function readInto(response: IncomingMessage, deliveries: LiveEvent[][]): void {
  let text = ''
  response.setEncoding('utf8').on('data', (chunk: string) => {
    const parts = (text + chunk).split('\n\n')
    text = parts.pop() ?? ''
    const data = parts.filter((part) => part.startsWith('data: '))
    deliveries.push(...data.map((part) => v.parse(LiveDelivery, JSON.parse(part.slice(6)))))
  })
}
