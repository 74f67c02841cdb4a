import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import pg from 'pg'
import { type Db, statement } from '../db/db.ts'
import { type Change, type ChangeEvent, createLocalBus, type SharedBus } from '../lib/event-bus.ts'

const CHANNEL = 'deeb_live'

/** NOTIFY takes a server-wide lock until its commit, so events are sent in batches. */
const BATCH_EVERY_MS = 25

/** At 38 bytes each; a payload may have 8,000. */
const MAX_EVENTS_PER_PAYLOAD = 200

const RETRY_SEND_AFTER_MS = 1_000

/** A self-test: without it a broken connection looks like a quiet one, and so does one through a pooler. */
const TEST_EVERY_MS = 15_000
const ANSWER_WITHIN_MS = 5_000
const POOLER_ERROR =
  'DATABASE_URL goes through a pooler that keeps no session: name the database itself in DATABASE_DIRECT_URL.'

const FIRST_RETRY_MS = 100
const MAX_RETRY_MS = 5_000

const notify = statement(
  'live.notify',
  `select pg_notify('${CHANNEL}', payload) from unnest(:payloads::text[]) as payload`,
)

/** Opens the event bus between the processes that serve a database. Rejects if PostgreSQL does not answer; the embedded one has one process. */
export async function openBus(directUrl: string | null, db: Db): Promise<SharedBus> {
  return directUrl === null ? { ...createLocalBus(), close: async () => undefined } : createPostgresBus(directUrl, db)
}

/**
 * Carries change events between processes by LISTEN and NOTIFY. Delivery is at most once: an event may be lost with a
 * connection or a process. After each gap in listening it publishes `missed`. Rejects if the database does not answer at
 * the start.
 */
async function createPostgresBus(url: string, db: Db): Promise<SharedBus> {
  const local = createLocalBus()
  const self = randomUUID().slice(0, 8)
  const outgoing = createBatches(db, self)
  const listening = listen(url, {
    onPayload: (payload) => {
      for (const event of readPayload(payload, self)) local.publish(event)
    },
    send: async (payload) => void (await db.query(notify, { payloads: [payload] })),
  })
  listening.onGap(() => local.publish({ kind: 'missed' }))
  await listening.start()
  return {
    ...local,
    state: listening.state,
    publish(event) {
      local.publish(event)
      outgoing.add(event)
    },
    async close() {
      await outgoing.close()
      await listening.stop()
    },
  }
}

/**
 * Batches published events and sends them at most every 25 ms. A failed batch is retried: no sweep finds a lost team event.
 */
function createBatches(db: Db, self: string) {
  const queued = new Set<string>()
  let isClosing = false
  let timer: NodeJS.Timeout | null = null

  async function send(): Promise<void> {
    timer = null
    const words = [...queued]
    queued.clear()
    if (words.length === 0) return
    await sendWords(db, self, words).catch(() => {
      if (isClosing) return
      for (const word of words) queued.add(word)
      timer ??= setTimeout(send, RETRY_SEND_AFTER_MS)
    })
  }

  return {
    add(event: ChangeEvent) {
      if (event.kind === 'missed') return
      queued.add(encode(event))
      timer ??= setTimeout(send, BATCH_EVERY_MS)
    },
    close() {
      isClosing = true
      if (timer) clearTimeout(timer)
      return send()
    },
  }
}

/** The changes that a process made which is not a server. */
interface Changed {
  teamOf?: string[]
  presenceOf?: string[]
  /** Auth sessions that ended, or lost some of their rights. */
  sessionIds?: string[]
}

/** Publishes from a process that is not a server, such as the admin CLI. Rejects if the database does not answer. */
export async function publishToServers(
  db: Db,
  { teamOf = [], presenceOf = [], sessionIds = [] }: Changed,
): Promise<void> {
  await sendWords(db, 'admin', [
    ...teamOf.map((userId) => encode({ kind: 'team', id: userId })),
    ...presenceOf.map((userId) => encode({ kind: 'presence', id: userId })),
    ...sessionIds.map((sessionId) => encode({ kind: 'session', id: sessionId })),
  ])
}

async function sendWords(db: Db, self: string, words: string[]): Promise<void> {
  const payloads: string[] = []
  for (let at = 0; at < words.length; at += MAX_EVENTS_PER_PAYLOAD) {
    payloads.push([self, ...words.slice(at, at + MAX_EVENTS_PER_PAYLOAD)].join(' '))
  }
  await db.query(notify, { payloads })
}

/**
 * Listens on a connection of its own, and reconnects with exponential backoff and jitter. `send` publishes to the channel as events
 * are published, so the self-test takes their way.
 */
function listen(
  url: string,
  { onPayload, send }: { onPayload(payload: string): void; send(payload: string): Promise<void> },
) {
  const tests = new Map<string, () => void>()
  let gaps = 0
  let client: pg.Client | null = null
  let retry: NodeJS.Timeout | null = null
  let retryMs = FIRST_RETRY_MS
  let isStopped = false
  let onReconnect = () => {}

  async function connect(): Promise<void> {
    const next = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: ANSWER_WITHIN_MS })
    next.on('notification', ({ payload = '' }) => {
      const received = tests.get(payload)
      if (received) received()
      else onPayload(payload)
    })
    // 'end' follows each error. Without a listener, 'error' would end the process.
    next.on('error', () => undefined)
    try {
      await next.connect()
      await next.query(withTimeout(`listen ${CHANNEL}`))
      await selfTest(next)
    } catch (error) {
      destroySocket(next)
      throw error
    }
    if (isStopped) return void (await next.end())
    client = next
    retryMs = FIRST_RETRY_MS
    next.once('end', lose)
  }

  /** Rejects if a payload of this process does not come back. If it cannot be sent, the connection only has to answer. */
  async function selfTest(on: pg.Client): Promise<void> {
    const payload = randomUUID()
    const received = new Promise<true>((resolve) => tests.set(payload, () => resolve(true)))
    try {
      await send(payload)
    } catch {
      tests.delete(payload)
      await on.query(withTimeout('select 1'))
      return
    }
    const hasArrived = await Promise.race([received, pause(ANSWER_WITHIN_MS, false, { ref: false })])
    tests.delete(payload)
    if (!hasArrived) throw new Error(POOLER_ERROR)
  }

  function lose(): void {
    client = null
    if (isStopped) return
    gaps += 1
    reconnect()
  }

  function reconnect(): void {
    if (isStopped) return
    retry = setTimeout(() => connect().then(onReconnect, reconnect), retryMs * (0.5 + Math.random()))
    retryMs = Math.min(retryMs * 2, MAX_RETRY_MS)
  }

  const testing = setInterval(() => {
    const current = client
    if (!current) return
    selfTest(current).catch(() => destroySocket(current))
  }, TEST_EVERY_MS)
  testing.unref()

  return {
    start: connect,
    state: () => ({ isListening: client !== null, gaps }),
    onGap(listener: () => void) {
      onReconnect = listener
    },
    async stop() {
      isStopped = true
      clearInterval(testing)
      if (retry) clearTimeout(retry)
      await client?.end()
    },
  }
}

/** A query that fails when no response comes. pg reads `query_timeout`, but its types lack it. */
function withTimeout(text: string): pg.QueryConfig {
  return { text, query_timeout: ANSWER_WITHIN_MS } as pg.QueryConfig
}

/** Destroys the socket without a clean close: the peer may be unreachable. */
function destroySocket(client: pg.Client): void {
  ;(client as unknown as { connection: pg.Connection }).connection.stream.destroy()
}

/** One letter per kind. Servers of the version before read and send the same during a rolling upgrade. */
const LETTERS: Record<Change['kind'], string> = {
  presence: 'p',
  history: 'h',
  team: 't',
  session: 's',
  'still-on': 'o',
  alerts: 'a',
  sign: 'd',
}
const KINDS = new Map(Object.entries(LETTERS).map(([kind, letter]) => [letter, kind as Change['kind']]))
const WORD = /^(.)([0-9a-f-]{36})$/

function encode({ kind, id }: Change): string {
  return LETTERS[kind] + id
}

/** The events of another process. Ignores malformed ones: any database user may write to the channel. */
function readPayload(payload: string, self: string): Change[] {
  const [from, ...words] = payload.split(' ')
  return from === self ? [] : words.flatMap(decode)
}

function decode(word: string): Change[] {
  const [, letter = '', id = ''] = WORD.exec(word) ?? []
  const kind = KINDS.get(letter)
  return kind ? [{ kind, id }] : []
}
