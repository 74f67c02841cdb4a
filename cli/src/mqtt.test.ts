// Runs in npm run test:all.
import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { readFocus, switchFocus } from '@deeb/core/focus/program-api'
import type { Scope } from '@deeb/core/scopes'
import mqtt, { type MqttClient } from 'mqtt'
import { afterEach, beforeEach, expect } from 'vitest'
import { freePort } from '../../server/src/testing/free-port.ts'
import { until } from '../../server/src/testing/until.ts'
import { test as base } from './testing/test.ts'

const MOSQUITTO = '/usr/sbin/mosquitto'
const IS_THERE = spawnSync(MOSQUITTO, ['-h']).error === undefined
beforeEach(({ skip }) => skip(!IS_THERE, 'Skipped: there is no mosquitto.'))

const children: ChildProcess[] = []
const clients: MqttClient[] = []
afterEach(() => {
  for (const client of clients.splice(0)) client.end(true)
  for (const child of children.splice(0)) child.kill('SIGKILL')
})

const test = base
  .extend('broker', ({ computer }) => async (settings = 'allow_anonymous true') => {
    const port = await freePort()
    const file = join(computer.folder, 'mosquitto.conf')
    await writeFile(file, `listener ${port} 127.0.0.1\n${settings}\n`)
    const child = spawn(MOSQUITTO, ['-c', file], { stdio: ['ignore', 'ignore', 'pipe'] })
    children.push(child)
    let log = ''
    child.stderr.on('data', (chunk) => {
      log += chunk
    })
    await until(() => log.includes('running'))
    /** A new receiver of everything, as an array of what it has received. */
    async function listen() {
      const client = await mqtt.connectAsync(`mqtt://127.0.0.1:${port}`)
      clients.push(client)
      const received: { topic: string; text: string; retained: boolean }[] = []
      client.on('message', (topic, payload, { retain }) => {
        received.push({ topic, text: payload.toString(), retained: retain })
      })
      await client.subscribeAsync('#', { qos: 1 })
      const last = (end: string) => received.findLast(({ topic }) => topic.endsWith(end))?.text
      return { client, received, last, state: () => JSON.parse(last('/state') ?? '{}') }
    }
    return { url: `mqtt://127.0.0.1:${port}`, listen }
  })
  .extend('watch', ({ deeb, computer }) => async (url: string, scopes: Scope[] = ['switch', 'read']) => {
    await deeb.call(deeb.ann, switchFocus, { on: false })
    const token = await deeb.tokenOf(deeb.ann, scopes)
    await computer.signIn(deeb.origin, token.token)
    const child = computer.start(['watch', '--mqtt', url])
    children.push(child)
    let notes = ''
    child.stderr.on('data', (chunk) => {
      notes += chunk
    })
    return { child, token, notes: () => notes }
  })

test('Home Assistant finds a device that follows deeb mode within a second', async ({ deeb, broker, watch }) => {
  const { url, listen } = await broker()
  const home = await listen()
  await watch(url)
  await until(() => home.last('/available') === 'online' && home.state().minutes === 0)
  const config = JSON.parse(home.last('/config') ?? '')
  const { mode, until: end, minutes } = config.components
  expect(mode).toMatchObject({ platform: 'switch', value_template: '{{ value_json.mode }}' })
  expect(end).toMatchObject({ platform: 'sensor', device_class: 'timestamp', expire_after: 60 })
  expect(minutes).toMatchObject({ platform: 'sensor', unit_of_measurement: 'min', expire_after: 60 })
  expect(new Set([mode, end, minutes].map(({ unique_id }) => unique_id)).size).toBe(3)
  expect(home.received.map(({ topic }) => topic)).toEqual(expect.arrayContaining([config.state_topic]))
  expect(home.state()).toEqual({ mode: 'OFF', until: null, minutes: 0 })

  const { openSession } = await deeb.call(deeb.ann, switchFocus, { on: true, forMinutes: 50, timeZone: 'UTC' })
  await until(() => home.state().mode === 'ON')
  const ends = Date.parse(openSession?.startedAt ?? '') + 50 * 60_000
  expect(home.state()).toMatchObject({ until: new Date(ends).toISOString() })
})

test('threat 286: a command switches, except one that the broker retained', async ({ deeb, broker, watch }) => {
  const { url, listen } = await broker()
  const home = await listen()
  await watch(url)
  await until(() => home.last('/available') === 'online')
  const { components } = JSON.parse(home.last('/config') ?? '')
  const set = components.mode.command_topic
  await home.client.publishAsync(set, 'ON', { qos: 1 })
  await until(() => home.state().mode === 'ON')
  // The second command shows that the first was read.
  await home.client.publishAsync(set, 'perhaps', { qos: 1 })
  await home.client.publishAsync(set, 'OFF', { qos: 1 })
  await until(() => home.state().mode === 'OFF')

  await home.client.publishAsync(set, 'ON', { qos: 1, retain: true })
  await until(() => home.state().mode === 'ON')
  await deeb.call(deeb.ann, switchFocus, { on: false })
  await until(() => home.state().mode === 'OFF')
  const second = await watch(url)
  await until(() => second.notes().includes('Not in deeb mode'))
  await home.client.publishAsync('homeassistant/status', 'online', { qos: 1 })
  await until(() => home.received.filter(({ topic }) => topic.endsWith('/config')).length > 1)
  expect((await deeb.call(deeb.ann, readFocus, {})).openSession).toBeNull()
})

test('threat 285: the broker never repeats a state that has passed', async ({ deeb, broker, watch }) => {
  const { url, listen } = await broker()
  const home = await listen()
  const { child } = await watch(url)
  await until(() => home.last('/available') === 'online')
  await deeb.call(deeb.ann, switchFocus, { on: true, timeZone: 'UTC' })
  await until(() => home.state().mode === 'ON')
  child.kill('SIGKILL')
  await until(() => home.last('/available') === 'offline')
  await deeb.call(deeb.ann, switchFocus, { on: false })
  const late = await listen()
  await until(() => late.received.length === 2)
  expect(late.received.map(({ topic, text }) => topic.endsWith('/config') || text)).toEqual(
    expect.arrayContaining([true, 'offline']),
  )
})

test('a token that cannot switch shows a state only', async ({ broker, watch }) => {
  const { url, listen } = await broker()
  const home = await listen()
  await watch(url, ['read'])
  await until(() => home.last('/config') !== undefined)
  const { mode } = JSON.parse(home.last('/config') ?? '').components
  expect(mode).toMatchObject({ platform: 'binary_sensor', expire_after: 60 })
  expect(mode).not.toHaveProperty('command_topic')
})

test.for([
  ['http://127.0.0.1', 2, 'is not the address of a broker'],
  ['mqtt:', 2, 'is not the address of a broker'],
  ['', 6, 'does not know this user and password'],
] as const)('watch --mqtt %j ends with code %i', async ([address, code, text], { broker, watch }) => {
  const { url } = await broker('allow_anonymous false')
  const { child, notes } = await watch(address || url)
  expect((await once(child, 'exit'))[0]).toBe(code)
  expect(notes()).toContain(text)
})

// The last one: the server does not come back.
test.for([
  ['SIGTERM', 'ends with it'],
  ['a revoked token', 'ends with it'],
  ['a server that is away', 'waits for it'],
] as const)('%s makes the device unavailable, and %s', async ([what, then], { deeb, broker, watch }) => {
  const { url, listen } = await broker()
  const home = await listen()
  const { child, token, notes } = await watch(url)
  await until(() => home.last('/available') === 'online')
  if (what === 'SIGTERM') child.kill('SIGTERM')
  if (what === 'a revoked token') await token.revoke()
  if (what === 'a server that is away') await deeb.stop('SIGKILL')
  await until(() => home.last('/available') === 'offline')
  if (then === 'waits for it') return expect(notes()).toContain('Reconnecting')
  const [code] = child.exitCode === null ? await once(child, 'exit') : [child.exitCode]
  expect(code).toBe(what === 'SIGTERM' ? 0 : 4)
})
