import { askOk, openConnection } from './http-connection.ts'

/** What a load came to. */
export interface Load {
  perSecond: number
  answers: number
}

/**
 * How many answers come when each connection asks again as soon as it has its answer. `requestsOf` gives a
 * connection's next request. Connections are spread over the ports. Throws at an answer that is not 200.
 */
export async function closedLoop(
  ports: number[],
  requestsOf: ((round: number) => string)[],
  seconds: number,
): Promise<Load> {
  const connections = await Promise.all(requestsOf.map((_, index) => openConnection(ports[index % ports.length] ?? 0)))
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

/** How long each of `count` answers took on one connection, in ms, after ten that do not count. */
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
