import { setTimeout as wait } from 'node:timers/promises'
import { askOk, type HttpConnection, openConnection } from './http-connection.ts'

const MAX_CONCURRENT = 256

interface Pace {
  perSecond: number
  /** The total number of requests. */
  count: number
}

/** The times of one request in ms, by performance.now(). */
export interface Sent {
  dueAtMs: number
  answeredAtMs: number
}

/**
 * Open-loop load: sends at a steady rate, with at most 256 concurrent requests. Latency counts from when a request was due, so
 * waiting behind slow requests counts too (no coordinated omission). Throws if an answer is not 200.
 */
export async function openLoop(
  port: number,
  request: (n: number) => string,
  { perSecond, count }: Pace,
): Promise<Sent[]> {
  const connections = await Promise.all(
    Array.from({ length: Math.min(MAX_CONCURRENT, count) }, () => openConnection(port)),
  )
  const sent: Sent[] = []
  const beganAtMs = performance.now()
  let next = 0

  /** A free connection takes the next due request. */
  async function serve(connection: HttpConnection): Promise<void> {
    while (next < count) {
      const n = next++
      const dueAtMs = beganAtMs + (n / perSecond) * 1000
      const early = dueAtMs - performance.now()
      if (early > 0) await wait(early)
      await askOk(connection, request(n))
      sent[n] = { dueAtMs, answeredAtMs: performance.now() }
    }
  }

  await Promise.all(connections.map(serve))
  for (const connection of connections) connection.close()
  return sent
}
