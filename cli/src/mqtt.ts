import { deviceZone } from '@deeb/core/focus/device-zone'
import type { OwnState } from '@deeb/core/focus/own-state'
import { switchFocus } from '@deeb/core/focus/program-api'
import { HEARTBEAT_SECONDS } from '@deeb/core/live-events'
import type { Scope } from '@deeb/core/scopes'
import { readOwnToken } from '@deeb/core/tokens/api'
import * as texts from '@deeb/texts/cli'
import mqtt, { type ErrorWithReasonCode } from 'mqtt'
import manifest from '../package.json' with { type: 'json' }
import { call, type Login } from './api.ts'
import { EXIT, Problem } from './exit.ts'
import { deviceConfig, HOME_ASSISTANT_STATUS, topicsOf } from './home-assistant.ts'
import { readToday } from './today.ts'

/** A broker says `offline` for a client that is silent for one and a half times as long. */
const KEEP_ALIVE_SECONDS = 30
const REPEAT_MS = 15_000
/** Longer than a server that is there can be silent. */
const KNOWN_MS = HEARTBEAT_SECONDS * 2_000
const TODAY_EVERY_MS = 60_000
const CLOSES_WITHIN_MS = 2_000

/** The answer of a broker that knows neither user nor password, by MQTT 3.1.1. */
const REFUSED = [4, 5]

export interface Broker {
  /** The state as the server has just confirmed it; null when it is not known. */
  show(state: OwnState | null): void
  /** Says that nothing is known any more, and disconnects. */
  close(): Promise<void>
}

/**
 * Connects to an MQTT broker, and shows deeb mode there as a device of Home Assistant, which can switch it with a token for that. Only
 * the description of the device and `offline` are retained, so the broker never repeats a state that has passed.
 */
export function connectBroker(
  address: string,
  login: Login,
  { note, fail }: { note: (line: string) => void; fail: (problem: Problem) => void },
): Broker {
  const url = brokerUrl(address)
  const topics = topicsOf(login)
  const client = mqtt.connect(url.href, {
    keepalive: KEEP_ALIVE_SECONDS,
    reconnectPeriod: 5_000,
    resubscribe: false,
    queueQoSZero: false,
    will: { topic: topics.available, payload: Buffer.from('offline'), qos: 1, retain: true },
    ...(url.password === '' && process.env.DEEB_MQTT_PASSWORD ? { password: process.env.DEEB_MQTT_PASSWORD } : {}),
  })
  /** The scopes of the token; null until the server has said it. */
  let scopes: Scope[] | null = null
  let known: { state: OwnState; at: number } | null = null
  let isShown = false
  let minutes: number | null = null
  let minutesReadAt = Number.NEGATIVE_INFINITY

  function publish(): void {
    if (!client.connected || !scopes) return
    // By the clock on the wall: timers do not run while a laptop sleeps.
    if (known && Date.now() - known.at <= KNOWN_MS) publishState(known.state)
    else publishOffline()
  }
  function publishState({ inDeebMode, until }: OwnState): void {
    const isAhead = until !== null && Date.parse(until) > Date.now()
    const content = { mode: inDeebMode ? 'ON' : 'OFF', until: isAhead ? until : null, minutes }
    isShown = true
    // Not again after a reconnection, as with a higher quality of service.
    client.publish(topics.state, JSON.stringify(content))
    client.publish(topics.available, 'online')
  }
  function publishOffline(): void {
    if (isShown) client.publish(topics.available, 'offline', { qos: 1, retain: true })
    isShown = false
  }
  /** Describes the device, once the server has said what the token allows. */
  async function describe(): Promise<void> {
    scopes ??= (await call(login, readOwnToken, {})).scopes
    const config = JSON.stringify(deviceConfig(login, manifest.version, scopes))
    if (client.connected) client.publish(topics.config, config, { qos: 1, retain: true })
    publish()
  }
  async function readMinutes(): Promise<void> {
    if (!scopes?.includes('read')) return
    minutesReadAt = Date.now()
    const today = await readToday(login).catch(() => null)
    minutes = today?.minutes ?? null
    publish()
  }

  let isLost = false
  client.on('connect', () => {
    if (isLost) note(texts.connectedAgain())
    isLost = false
    client.subscribe([topics.set, HOME_ASSISTANT_STATUS], { qos: 1 })
    if (scopes) void describe()
  })
  client.on('error', (error) => {
    const { code } = error as ErrorWithReasonCode
    if (REFUSED.includes(code)) fail(new Problem(EXIT.refused, texts.brokerRefused({ host: url.host })))
  })
  client.on('close', () => {
    isShown = false
    if (!isLost && !client.disconnecting) note(texts.reconnecting({ problem: texts.unreachable({ host: url.host }) }))
    isLost = true
  })
  const onCommand = newestOnly((on: boolean) => call(login, switchFocus, { on, ...deviceZone(new Date()) }), note)
  client.on('message', (topic, payload, { retain }) => {
    const text = payload.toString()
    if (topic === HOME_ASSISTANT_STATUS) publish()
    // A retained command can be of any time.
    else if (!retain && (text === 'ON' || text === 'OFF')) onCommand(text === 'ON')
  })
  const timer = setInterval(() => {
    publish()
    if (Date.now() - minutesReadAt >= TODAY_EVERY_MS) void readMinutes()
  }, REPEAT_MS)

  return {
    show(state) {
      const isChange = JSON.stringify(state) !== JSON.stringify(known?.state ?? null)
      known = state && { state, at: Date.now() }
      if (isChange) publish()
      if (!state) return
      if (!scopes) void describe().then(readMinutes, () => undefined)
      else if (isChange) void readMinutes()
    },
    async close() {
      clearInterval(timer)
      publishOffline()
      const force = setTimeout(() => client.end(true), CLOSES_WITHIN_MS)
      await client.endAsync(!client.connected)
      clearTimeout(force)
    },
  }
}

/** Its error does not repeat the address: it may have a password. */
function brokerUrl(address: string): URL {
  const url = URL.canParse(address) ? new URL(address) : null
  if (url && ['mqtt:', 'mqtts:'].includes(url.protocol) && url.hostname !== '') return url
  throw new Problem(EXIT.usage, texts.brokerInvalid())
}

/** Runs one call at a time. Of those that come in the time between, only the newest. */
function newestOnly<T>(run: (input: T) => Promise<unknown>, note: (line: string) => void): (input: T) => void {
  let waiting: { input: T } | null = null
  let isRunning = false
  async function work(): Promise<void> {
    isRunning = true
    while (waiting) {
      const { input } = waiting
      waiting = null
      await run(input).catch((error: unknown) => note(error instanceof Error ? error.message : String(error)))
    }
    isRunning = false
  }
  return (input) => {
    waiting = { input }
    if (!isRunning) void work()
  }
}
