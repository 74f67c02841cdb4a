import { Socket } from 'node:net'
import pg from 'pg'

/** Connections on which statements are sent without waiting for the answers to those before. */
export interface Pipelines {
  /** The rows, and the ms since this statement was the next to be answered. */
  query(query: pg.QueryConfig & { name: string }): Promise<{ rows: unknown[]; ms: number }>
  /** How many connections are open, how many of them have nothing to do, and how much waits for an answer before its own. */
  load(): { open: number; idle: number; waiting: number }
  /** Waits for the answers that are still to come; what is asked from then on is refused. */
  close(): Promise<void>
}

interface Lane {
  /** Null before the first statement and after the connection was lost. */
  connection: Promise<Connection> | null
  inFlight: number
  answeredAtMs: number
}

interface Connection {
  client: pg.Client
  socket: Socket
  /** The names of statements that have been prepared here, and those that are, with a promise that settles then. */
  prepared: Set<string>
  preparing: Map<string, Promise<void>>
}

/**
 * So many pipelined connections. What is asked within one turn of the event loop goes out in one write, and is answered in
 * one or two: half the processor's time of a connection for each statement, on either side. But a statement waits for all
 * that were sent before it on its connection, so this is for those that are over in a moment and wait for nobody. One that
 * was idle for `idleMs` is not used again.
 */
export function createPipelines(
  config: pg.ClientConfig,
  { count, idleMs }: { count: number; idleMs: number },
): Pipelines {
  const lanes: Lane[] = Array.from({ length: count }, () => ({ connection: null, inFlight: 0, answeredAtMs: 0 }))
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
    const connection = client
      .connect()
      .then(() => ({ client, socket, prepared: new Set<string>(), preparing: new Map() }))
    connection.catch(forget)
    return connection
  }

  /** To be called by who is in flight on the lane. */
  function connectionOf(lane: Lane): Promise<Connection> {
    const before = lane.connection
    if (before && lane.inFlight === 1 && performance.now() - lane.answeredAtMs > idleMs) {
      lane.connection = null
      before.then(({ client }) => client.end()).catch(() => undefined)
    }
    lane.connection ??= connect(lane)
    return lane.connection
  }

  async function liveConnectionOf(lane: Lane): Promise<Connection> {
    const opening = connectionOf(lane)
    const connection = await opening
    // Destroyed a moment ago, which is said a moment later.
    if (!connection.socket.destroyed) return connection
    if (lane.connection === opening) lane.connection = null
    return connectionOf(lane)
  }

  return {
    async query(query) {
      if (isClosed) throw new Error('The connections have been closed.')
      const lane = lanes.reduce((least, other) => (other.inFlight < least.inFlight ? other : least))
      lane.inFlight += 1
      try {
        const connection = await liveConnectionOf(lane)
        // Not in a function of its own: nothing may come between the last look and the sending.
        const { preparing } = connection
        for (let other = preparing.get(query.name); other; other = preparing.get(query.name)) await other
        const sentAtMs = performance.now()
        const { rows } = await send(connection, query)
        return { rows, ms: performance.now() - Math.max(sentAtMs, lane.answeredAtMs) }
      } finally {
        lane.answeredAtMs = performance.now()
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

/**
 * The first statement of a name is to be sent alone: those behind it would fail if its preparation failed, and prepare the
 * name a second time after that.
 */
function send(connection: Connection, query: pg.QueryConfig & { name: string }): Promise<pg.QueryResult> {
  const { client, socket, prepared, preparing } = connection
  sendWithTheTurn(socket)
  const answer = client.query(query)
  if (!prepared.has(query.name)) {
    const done = answer.then(
      () => void prepared.add(query.name),
      () => undefined,
    )
    preparing.set(
      query.name,
      done.then(() => void preparing.delete(query.name)),
    )
  }
  return answer
}

/** Holds back what is written until the turn is over, if it is not held back already. */
function sendWithTheTurn(socket: Socket): void {
  if (socket.writableCorked > 0) return
  socket.cork()
  setImmediate(() => socket.uncork())
}
