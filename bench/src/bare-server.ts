// The least work that answers the same requests: node:http, a prepared statement of deeb on a pool of the same size, and its row as JSON,
// without authentication, limits, validation or events. What a request costs beyond it is deeb's own. Any other path has a constant answer.
import { createServer, type IncomingMessage } from 'node:http'
import { startFocus, stopFocus } from '@deeb/core/focus/api'
import { readHome } from '@deeb/core/home/api'
import { LIVE_PATH } from '@deeb/core/live-events'
import pg from 'pg'
import { readConfig } from '../../server/src/config/config.ts'
import { stopOnSignal } from '../../server/src/start/stop-on-signal.ts'
import { collectOnSignal } from './collect-on-signal.ts'
import { homeRead, type Recorded, switchOff, switchOn } from './recorded.ts'

/** As many as the pool of the server has. */
const CONNECTIONS = 14
/** In the recorded statements these are in the place of the ids of a request. */
const USER = 'user'
const SESSION = 'session'
/** As many bytes as a typical answer of Home. */
const CONSTANT = JSON.stringify({ constant: 'x'.repeat(900) })

/** As many bytes as the greeting of a live stream. */
const HELLO = `data: [${JSON.stringify({ type: 'hello', openSession: null, version: 1, serverTime: new Date().toISOString() })}]\n\n`

const startedAt = Date.now()
const config = readConfig(process.env)
const pool = new pg.Pool({ connectionString: config.databaseUrl ?? '', max: CONNECTIONS })
const statements: Record<string, Recorded> = {
  [readHome.path]: await homeRead(USER),
  [startFocus.path]: await switchOn(USER, SESSION),
  [stopFocus.path]: await switchOff(USER, SESSION),
}

const server = createServer(async (request, response) => {
  // Never ends, as a live stream. No event follows.
  if (request.url === LIVE_PATH) {
    response.writeHead(200, { 'content-type': 'text/event-stream' }).write(HELLO)
    return
  }
  const statement = statements[request.url?.split('?', 1)[0] ?? '']
  const body = statement ? await run(statement, request) : CONSTANT
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  response.end(body)
})

async function run({ name, text, values }: Recorded, request: IncomingMessage): Promise<string> {
  const userId = userIdOf(request)
  const { sessionId } = request.method === 'POST' ? JSON.parse(await bodyOf(request)) : {}
  const now = new Date()
  const own = values.map((value) => {
    if (value === USER) return userId
    if (value === SESSION) return sessionId
    return isNow(value) ? now : value
  })
  const { rows } = await pool.query({ name, text, values: own })
  return JSON.stringify(rows[0])
}

/** The user of an access token, whose signature is not verified. */
function userIdOf({ headers: { authorization = '' } }: IncomingMessage): string {
  const [, claims = ''] = authorization.split('.')
  return JSON.parse(Buffer.from(claims, 'base64url').toString()).sub
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = ''
  for await (const chunk of request) text += chunk
  return text
}

/** The end of the day stays as it was recorded. */
function isNow(value: unknown): boolean {
  return value instanceof Date && Math.abs(value.getTime() - startedAt) < 60_000
}

server.listen(config.port, config.host)
collectOnSignal()
stopOnSignal(async () => {
  server.closeAllConnections()
  await pool.end()
})
