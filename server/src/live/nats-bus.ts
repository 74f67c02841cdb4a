import { createHmac, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { connect, type NatsConnection, type NodeConnectionOptions, type Subscription } from '@nats-io/transport-node'
import type { Keys } from '../config/keys.ts'
import { type Db, lookup } from '../db/db.ts'
import { createLocalBus, type SharedBus } from '../lib/event-bus.ts'
import { createLruMap } from '../lib/lru-map.ts'

const RECONNECT_EVERY_MS = 2_000
/** How long a stream that opens waits until the broker has its subscription. */
const SUBSCRIBED_WITHIN_MS = 1_000
const MAX_PEOPLE = 50_000
const COMPANY_TTL_MS = 60_000
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/

/** The company of each person; of somebody without a company only they themselves see their presence. */
const companies = lookup(
  'live.companies',
  'select id, coalesce(company_domain, id::text) as company from profiles where id = any(:userIds::uuid[])',
)

interface NatsBusDeps {
  /** BUS_URL. */
  url: string
  db: Db
  keys: Pick<Keys, 'busKey'>
  /** Carries every other event. */
  other: SharedBus
  now(): Date
  log(line: string): void
}

/**
 * Carries changes of presence between processes by a NATS broker, one subject per company: a process receives those of companies whose
 * people have a stream on it. All other events are rare, and stay with LISTEN and NOTIFY.
 *
 * Delivery is at most once. What a lost broker loses is found by the sweep of the hub within 30 seconds.
 */
export function createNatsBus({ url, db, keys, other, now, log }: NatsBusDeps): SharedBus {
  const local = createLocalBus()
  const self = randomUUID().slice(0, 8)
  const subscriptions = new Map<string, Subscription>()
  /** Subjects that a stream has added while `followOnly` reads. */
  let added = new Set<string>()
  const companyOf = createLruMap<string, { company: string; readAtMs: number }>(MAX_PEOPLE)
  let broker: NatsConnection | null = null
  let isConnected = false
  let gaps = 0
  let isClosed = false

  const opening = connect(optionsOf(url)).then(async (connection) => {
    if (isClosed) return connection.close()
    broker = connection
    isConnected = true
    for await (const { type } of connection.status()) {
      if (type === 'disconnect') gaps += 1
      if (type === 'disconnect' || type === 'reconnect') {
        isConnected = type === 'reconnect'
        log(
          isConnected
            ? 'The broker of BUS_URL is back.'
            : 'The broker of BUS_URL is lost: changes of colleagues may take 30 seconds.',
        )
      }
    }
  })
  opening.catch((error: Error) => log(`The broker of BUS_URL refused this server: ${error.message}`))

  const stopForwarding = other.subscribe((event) => {
    // Their company may be another one now.
    if (event.kind === 'team') companyOf.delete(event.id)
    local.publish(event)
  })

  function subscribe(subject: string, connection: NatsConnection): void {
    const callback = (_: Error | null, message: { string(): string }) => {
      const [from, userId = ''] = message.string().split(' ')
      if (from !== self && UUID.test(userId)) local.publish({ kind: 'presence', id: userId })
    }
    subscriptions.set(subject, connection.subscribe(subject, { callback }))
  }

  async function readCompanies(userIds: string[]): Promise<string[]> {
    const atMs = now().getTime()
    const found: string[] = []
    const stale: string[] = []
    for (const userId of userIds) {
      const known = companyOf.get(userId)
      if (known && Math.abs(atMs - known.readAtMs) < COMPANY_TTL_MS) found.push(known.company)
      else stale.push(userId)
    }
    const rows = stale.length > 0 ? await db.query<{ id: string; company: string }>(companies, { userIds: stale }) : []
    for (const { id, company } of rows) companyOf.set(id, { company, readAtMs: atMs })
    return [...found, ...rows.map(({ company }) => company)]
  }

  /** Who runs a broker that others use too reads no name of a company. */
  const subjectOf = (company: string) =>
    `deeb.presence.${createHmac('sha256', keys.busKey).update(company).digest('base64url').slice(0, 22)}`

  const subjectsOf = async (userIds: string[]) => new Set((await readCompanies(userIds)).map(subjectOf))

  async function follow(userIds: string[]): Promise<void> {
    const subjects = await subjectsOf(userIds)
    for (const subject of subjects) added.add(subject)
    const missing = [...subjects].filter((subject) => !subscriptions.has(subject))
    if (missing.length === 0 || !broker) return
    for (const subject of missing) subscribe(subject, broker)
    if (isConnected) await Promise.race([broker.flush(), pause(SUBSCRIBED_WITHIN_MS, undefined, { ref: false })])
  }

  async function send(userId: string): Promise<void> {
    for (const subject of await subjectsOf([userId])) broker?.publish(subject, `${self} ${userId}`)
  }

  return {
    subscribe: local.subscribe,
    publish(event) {
      if (event.kind !== 'presence') return other.publish(event)
      local.publish(event)
      send(event.id).catch(() => undefined)
    },
    follow,
    async followOnly(userIds) {
      added = new Set()
      const subjects = await subjectsOf(userIds)
      for (const [subject, subscription] of subscriptions) {
        if (subjects.has(subject) || added.has(subject)) continue
        subscription.unsubscribe()
        subscriptions.delete(subject)
      }
      await follow(userIds)
    },
    state() {
      const { isListening, gaps: otherGaps } = other.state()
      return { isListening: isListening && isConnected, gaps: gaps + otherGaps }
    },
    async close() {
      isClosed = true
      stopForwarding()
      await (isConnected ? broker?.drain() : broker?.close())?.catch(() => undefined)
      await other.close()
    },
  }
}

/** Waits for a broker that is not there yet, and reconnects forever. A name alone in the URL is a token. */
function optionsOf(url: string): NodeConnectionOptions {
  const { protocol, host, username, password } = new URL(url)
  const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)]
  return {
    servers: host,
    name: 'deeb',
    ...(pass ? { user, pass } : user && { token: user }),
    ...(protocol === 'tls:' && { tls: {} }),
    waitOnFirstConnect: true,
    maxReconnectAttempts: -1,
    reconnectTimeWait: RECONNECT_EVERY_MS,
  }
}
