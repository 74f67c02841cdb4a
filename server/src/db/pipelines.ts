import { Socket } from 'node:net'
import pg from 'pg'

/** Connections with pipelining: a statement is sent without waiting for the responses to earlier ones. */
export interface Pipelines {
  /** Runs a prepared statement. `ms` is its duration without the time that it waited for earlier statements. */
  query(query: pg.QueryConfig & { name: string }): Promise<{ rows: unknown[]; ms: number }>
  /** The number of open and idle connections, and of statements that wait for earlier ones. */
  load(): { open: number; idle: number; waiting: number }
  /** Waits for all responses. Later queries are rejected. */
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
  /** Names of prepared statements, and of those being prepared, with a promise that resolves when that is done. */
  prepared: Set<string>
  preparing: Map<string, Promise<void>>
}

/**
 * Opens `count` pipelined connections on demand. Statements of one turn of the event loop go out in one write and come back
 * in one or two reads, which halves the CPU time per statement on both sides.
 *
 * A statement waits for all earlier ones on its connection, so use this only for fast reads without locks (`lookup`). A
 * connection that was idle for `idleMs` is replaced.
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
    const onLost = () => {
      if (lane.connection === connection) lane.connection = null
    }
    // A lost connection fails its statements. The next statement reconnects.
    client.on('error', onLost)
    client.on('end', onLost)
    const connection = client
      .connect()
      .then(() => ({ client, socket, prepared: new Set<string>(), preparing: new Map() }))
    connection.catch(onLost)
    return connection
  }

  /** The lane's connection, replaced if it was idle too long. The caller must have counted itself in `inFlight`. */
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
    // The socket may be destroyed before its 'end' event arrives.
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
        // Inline, not a function: no other statement may run between the last check and the send.
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
 * Sends a statement. The first one of a name prepares it, and others of that name wait until it has: if the preparation
 * failed, they would fail too.
 */
function send(connection: Connection, query: pg.QueryConfig & { name: string }): Promise<pg.QueryResult> {
  const { client, socket, prepared, preparing } = connection
  corkUntilNextTurn(socket)
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

/** Buffers writes to the socket until the end of this turn of the event loop, so that they go out in one packet. */
function corkUntilNextTurn(socket: Socket): void {
  if (socket.writableCorked > 0) return
  socket.cork()
  setImmediate(() => socket.uncork())
}
