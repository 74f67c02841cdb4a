import { setTimeout as wait } from 'node:timers/promises'
import { askOk, type HttpConnection, openConnection } from './http-connection.ts'

const MAX_CONCURRENT = 256

interface Pace {
  perSecond: number
  /** How many in all. */
  count: number
}

/** How one request fared; times in ms by performance.now(). */
export interface Sent {
  dueAtMs: number
  answeredAtMs: number
}

/**
 * Sends at a steady rate whatever the server does, at most 256 at once; what is due meanwhile waits, and its time counts from
 * when it was due: one that had to wait because others were slow was slow too. Throws at an answer that is not 200.
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

  /** One connection takes what is due next, as soon as it is free. */
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
