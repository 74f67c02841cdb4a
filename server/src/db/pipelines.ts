import { Socket } from 'node:net'
import pg from 'pg'

/** Connections on which statements are sent without waiting for the answers to those before. */
export interface Pipelines {
  query(config: pg.QueryConfig): Promise<pg.QueryResult>
  /** How many connections are open, how many of them have nothing to do, and how much waits for an answer before its own. */
  load(): { open: number; idle: number; waiting: number }
  /** Waits for the answers that are still to come; what is asked from then on is refused. */
  close(): Promise<void>
}

interface Lane {
  /** Null before the first statement and after the connection was lost. */
  connection: Promise<Connection> | null
  inFlight: number
}

interface Connection {
  client: pg.Client
  socket: Socket
}

/**
 * So many pipelined connections. What is asked within one turn of the event loop goes out in one write, and is answered in
 * one or two: half the processor's time of a connection for each statement, on either side. But a statement waits for all
 * that were sent before it on its connection, so this is for those that are over in a moment and wait for nobody.
 */
export function createPipelines(config: pg.ClientConfig, count: number): Pipelines {
  const lanes: Lane[] = Array.from({ length: count }, () => ({ connection: null, inFlight: 0 }))
  let isClosed = false

  function connect(lane: Lane): Promise<Connection> {
    const socket = new Socket()
    const client = new pg.Client({ ...config, pipeline: true, stream: () => socket })
    const forget = () => {
      if (lane.connection === connection) lane.connection = null
    }
    // A lost connection fails what was sent on it; the next statement opens another.
    client.on('error', forget)
    client.on('end', forget)
    const connection = client.connect().then(() => ({ client, socket }))
    connection.catch(forget)
    return connection
  }

  return {
    async query(query) {
      if (isClosed) throw new Error('The connections have been closed.')
      const lane = lanes.reduce((least, other) => (other.inFlight < least.inFlight ? other : least))
      lane.inFlight += 1
      try {
        lane.connection ??= connect(lane)
        const { client, socket } = await lane.connection
        sendWithTheTurn(socket)
        return await client.query(query)
      } finally {
        lane.inFlight -= 1
      }
    },
    load: () => ({
      open: lanes.filter(({ connection }) => connection).length,
      idle: lanes.filter(({ connection, inFlight }) => connection && inFlight === 0).length,
      waiting: lanes.reduce((sum, { inFlight }) => sum + Math.max(0, inFlight - 1), 0),
    }),
    async close() {
      isClosed = true
      await Promise.all(lanes.map(async ({ connection }) => (await connection?.catch(() => null))?.client.end()))
    },
  }
}

/** Holds back what is written until the turn is over, if it is not held back already. */
function sendWithTheTurn(socket: Socket): void {
  if (socket.writableCorked > 0) return
  socket.cork()
  setImmediate(() => socket.uncork())
}
