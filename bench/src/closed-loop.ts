import { askOk, openConnection } from './http-connection.ts'

/** The result of a load. */
export interface Load {
  perSecond: number
  answers: number
}

/**
 * Closed-loop load: each connection sends its next request as soon as it has its answer. `requestsOf` returns a connection's
 * next request. Throws if an answer is not 200.
 */
export async function closedLoop(
  port: number,
  requestsOf: ((round: number) => string)[],
  seconds: number,
): Promise<Load> {
  const connections = await Promise.all(requestsOf.map(() => openConnection(port)))
  const beganAt = performance.now()
  const until = beganAt + seconds * 1000
  const counts = await Promise.all(
    connections.map(async (connection, index) => {
      let count = 0
      for (; performance.now() < until; count++) await askOk(connection, requestsOf[index]?.(count) ?? '')
      return count
    }),
  )
  const tookSeconds = (performance.now() - beganAt) / 1000
  for (const connection of connections) connection.close()
  const answers = counts.reduce((sum, count) => sum + count, 0)
  return { answers, perSecond: answers / tookSeconds }
}

/** The latency of each of `count` requests on one connection, in ms, after ten warm-up requests. */
export async function latencies(port: number, request: (round: number) => string, count: number): Promise<number[]> {
  const connection = await openConnection(port)
  const took: number[] = []
  for (let round = -10; round < count; round++) {
    const beganAt = performance.now()
    await askOk(connection, request(round))
    if (round >= 0) took.push(performance.now() - beganAt)
  }
  connection.close()
  return took
}
