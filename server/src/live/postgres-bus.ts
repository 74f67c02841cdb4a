import { randomUUID } from 'node:crypto'
import pg from 'pg'
import { type Db, statement } from '../db/db.ts'
import { createLocalBus, type EventBus, type News } from '../event-bus.ts'

const CHANNEL = 'deeb_live'

/** NOTIFY takes one lock for the whole database server through its commit: one for many news, not one for each. */
const BATCH_EVERY_MS = 25

/** Of 38 bytes each, where a payload may have 8,000. */
const NEWS_PER_PAYLOAD = 200

const SEND_AGAIN_AFTER_MS = 1_000

/** A connection that was cut off in silence looks like one on which nothing is said. */
const ASK_EVERY_MS = 15_000
const ANSWER_WITHIN_MS = 5_000

const FIRST_RETRY_MS = 100
const LONGEST_RETRY_MS = 5_000

const notify = statement('live.notify', `select pg_notify('${CHANNEL}', payload) from unnest($1::text[]) as payload`)

export interface PostgresBus extends EventBus {
  close(): Promise<void>
}

/**
 * Carries news between processes by LISTEN and NOTIFY. What it carries is a hint: it may be lost with a connection or a
 * process. After each gap in listening it says `missed`. Rejects if the database does not answer at the start.
 */
export async function createPostgresBus(url: string, db: Db): Promise<PostgresBus> {
  const local = createLocalBus()
  const self = randomUUID().slice(0, 8)
  const outgoing = createBatches(db, self)
  const listening = listen(url, (payload) => {
    for (const news of readPayload(payload, self)) local.publish(news)
  })
  listening.onGap(() => local.publish({ kind: 'missed' }))
  await listening.start()
  return {
    subscribe: local.subscribe,
    publish(news) {
      local.publish(news)
      outgoing.add(news)
    },
    async close() {
      await outgoing.close()
      await listening.stop()
    },
  }
}

/**
 * Gathers what is published and sends it at most every 25 ms. What cannot be sent is sent later: nothing else finds news of a
 * team that others did not hear.
 */
function createBatches(db: Db, self: string) {
  const waiting = new Set<string>()
  let isClosing = false
  let timer: NodeJS.Timeout | null = null

  async function send(): Promise<void> {
    timer = null
    const words = [...waiting]
    waiting.clear()
    if (words.length === 0) return
    await sendWords(db, self, words).catch(() => {
      if (isClosing) return
      for (const word of words) waiting.add(word)
      timer ??= setTimeout(send, SEND_AGAIN_AFTER_MS)
    })
  }

  return {
    add(news: News) {
      if (news.kind === 'missed') return
      waiting.add(writeNews(news))
      timer ??= setTimeout(send, BATCH_EVERY_MS)
    },
    close() {
      isClosing = true
      if (timer) clearTimeout(timer)
      return send()
    },
  }
}

/**
 * Tells the servers of a database, of which this process is none, whose team changed and which sessions ended. Rejects if the
 * database does not answer.
 */
export async function tellServers(db: Db, changed: { teamOf: string[]; sessionIds: string[] }): Promise<void> {
  const teams = changed.teamOf.map((userId) => writeNews({ kind: 'team', userId }))
  const sessions = changed.sessionIds.map((sessionId) => writeNews({ kind: 'session', sessionId }))
  await sendWords(db, 'operator', [...teams, ...sessions])
}

async function sendWords(db: Db, self: string, words: string[]): Promise<void> {
  const payloads: string[] = []
  for (let at = 0; at < words.length; at += NEWS_PER_PAYLOAD) {
    payloads.push([self, ...words.slice(at, at + NEWS_PER_PAYLOAD)].join(' '))
  }
  await db.query(notify, [payloads])
}

/** One connection that does nothing but listen, made anew whenever it breaks. */
function listen(url: string, hear: (payload: string) => void) {
  let client: pg.Client | null = null
  let retry: NodeJS.Timeout | null = null
  let retryMs = FIRST_RETRY_MS
  let isStopped = false
  let hearGap = () => {}

  async function connect(): Promise<void> {
    const next = new pg.Client({ connectionString: url, keepAlive: true, connectionTimeoutMillis: ANSWER_WITHIN_MS })
    next.on('notification', ({ payload }) => hear(payload ?? ''))
    // An error is followed by the end of the connection; unheard, it would end the process.
    next.on('error', () => undefined)
    try {
      await next.connect()
      await next.query(quick(`listen ${CHANNEL}`))
    } catch (error) {
      cutOff(next)
      throw error
    }
    if (isStopped) return void (await next.end())
    client = next
    retryMs = FIRST_RETRY_MS
    next.once('end', reconnect)
  }

  function reconnect(): void {
    client = null
    if (isStopped) return
    retry = setTimeout(() => connect().then(hearGap, reconnect), retryMs * (0.5 + Math.random()))
    retryMs = Math.min(retryMs * 2, LONGEST_RETRY_MS)
  }

  const asking = setInterval(() => {
    const asked = client
    if (!asked) return
    asked.query(quick('select 1')).catch(() => cutOff(asked))
  }, ASK_EVERY_MS)
  asking.unref()

  return {
    start: connect,
    onGap(listener: () => void) {
      hearGap = listener
    },
    async stop() {
      isStopped = true
      clearInterval(asking)
      if (retry) clearTimeout(retry)
      await client?.end()
    },
  }
}

/** Fails where no answer comes. `query_timeout` is read by pg and missing in its types. */
function quick(text: string): pg.QueryConfig {
  return { text, query_timeout: ANSWER_WITHIN_MS } as pg.QueryConfig
}

/** Takes no leave of whoever may never answer. */
function cutOff(client: pg.Client): void {
  ;(client as unknown as { connection: pg.Connection }).connection.stream.destroy()
}

const LETTERS = { presence: 'p', team: 't', session: 's' } as const
const WORD = /^([pts])([0-9a-f-]{36})$/

function writeNews(news: Exclude<News, { kind: 'missed' }>): string {
  return LETTERS[news.kind] + (news.kind === 'session' ? news.sessionId : news.userId)
}

/** Nothing of what came from here, nor of what is no news: anybody on the database may write to the channel. */
function readPayload(payload: string, self: string): News[] {
  const [from, ...words] = payload.split(' ')
  return from === self ? [] : words.flatMap(readNews)
}

function readNews(word: string): News[] {
  const [, letter, id = ''] = WORD.exec(word) ?? []
  if (letter === 'p') return [{ kind: 'presence', userId: id }]
  if (letter === 't') return [{ kind: 'team', userId: id }]
  return letter === 's' ? [{ kind: 'session', sessionId: id }] : []
}
