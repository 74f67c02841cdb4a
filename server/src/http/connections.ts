import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

export interface Timeouts {
  /** A request must arrive within this time: protects against clients that send very slowly (slowloris). */
  requestMs: number
  checkEveryMs: number
  /** A connection on which nothing moves for this long is closed: its client does not read. Live streams write more often. */
  stalledMs: number
  /** How long an idle connection waits for its next request. Longer than the minute for which common proxies keep theirs. */
  idleMs: number
}

const TIMEOUTS: Timeouts = { requestMs: 30_000, checkEveryMs: 5_000, stalledMs: 60_000, idleMs: 72_000 }
/** File descriptors that connections leave to the database, the log and outgoing requests; at most half of all. */
const RESERVED_DESCRIPTORS = 256
const MAX_CONNECTIONS = maxConnections()

/**
 * Creates the HTTP server. A connection has one request at a time: a second one before the response closes it (pipelining, which
 * no browser and no common proxy does). So no response waits in a queue, where it would not notice that its client has left.
 */
export function createHttpServer(handle: RequestListener, timeouts: Partial<Timeouts> = {}): Server {
  const { requestMs, checkEveryMs, stalledMs, idleMs } = { ...TIMEOUTS, ...timeouts }
  const busy = new WeakSet<Socket>()
  // One listener for all responses: a closure for each would stay in memory with each of up to 10,000 streams.
  function release(this: ServerResponse): void {
    busy.delete(this.req.socket)
  }
  const server = createServer(
    {
      requestTimeout: requestMs,
      headersTimeout: requestMs,
      connectionsCheckingInterval: checkEveryMs,
      keepAliveTimeout: idleMs,
    },
    (request, response) => {
      const { socket } = request
      if (busy.has(socket)) {
        socket.destroy()
        return
      }
      busy.add(socket)
      response.on('close', release)
      handle(request, response)
    },
  )
  server.timeout = stalledMs
  server.maxConnections = MAX_CONNECTIONS
  return server
}

/** How many connections may be open, by the file descriptors that this process may have. Windows names no limit. */
function maxConnections(): number {
  const { userLimits } = process.report.getReport() as { userLimits?: { open_files: { soft: number | 'unlimited' } } }
  const descriptors = userLimits?.open_files.soft
  if (typeof descriptors !== 'number') return Number.POSITIVE_INFINITY
  return descriptors - Math.min(RESERVED_DESCRIPTORS, Math.floor(descriptors / 2))
}
