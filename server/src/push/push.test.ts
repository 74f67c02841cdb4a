import { randomUUID } from 'node:crypto'
import { readMyData } from '@deeb/core/account/api'
import { readPush, switchPushOff, switchPushOn } from '@deeb/core/push/api'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { deriveKeys } from '../config/keys.ts'
import { statement } from '../db/db.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { authSessionOf, type MadeUser, makeUser } from '../testing/make.ts'
import { deliverPushes, subscribe } from '../testing/push-bed.ts'
import { aBrowser, type PushService, startPushService } from '../testing/push-service.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import { loadPushKey } from './push-key.ts'
import { pushInsert } from './queue-push.ts'
import { createSendPush } from './send-push.ts'

let testApp: TestApp
let service: PushService
let ann: MadeUser
beforeAll(async () => {
  testApp = await startTestApp({ PUSH: 'local' })
  service = await startPushService()
})
afterAll(async () => {
  await testApp.close()
  await service.close()
})
beforeEach(async () => {
  testApp.clock.advance({ hours: 2 })
  ann = await makeUser(testApp)
})
afterEach(() => {
  service.answer = (response) => void response.writeHead(201).end()
})

const queue = statement(
  'test.queue-push',
  pushInsert({
    kind: "'test'",
    about: ':about',
    worth: "interval '30 minutes'",
    from: '(select :userId::uuid as user_id) as one',
  }),
)
const queueFor = ({ userId }: MadeUser) =>
  testApp.db.query(queue, { userId, about: randomUUID(), now: testApp.clock.now() })
const hello = async () => ({ text: 'Hello' })
const deliver = () => deliverPushes(testApp, hello)
const isOn = async (user: MadeUser) => (await testApp.call(readPush, {}, user)).body.isOn
const later = (seconds: number) => testApp.clock.advance({ seconds })

describe('a subscription', () => {
  test('is on for its auth session until it is switched off', async () => {
    expect(await isOn(ann)).toBe(false)
    await subscribe(testApp, service, ann)
    expect(await isOn(ann)).toBe(true)
    for (const _ of [1, 2]) expect((await testApp.call(switchPushOff, {}, ann)).body).toEqual({ isOn: false })
    expect(await isOn(ann)).toBe(false)
  })

  test.each([
    ['https://push.example/a\0b', 'https://push.example/a%00b'],
    ['https://push.example/\ud800', 'https://push.example/%EF%BF%BD'],
    ['  https://PUSH.example/a\tb', 'https://push.example/ab'],
  ])('threat 231: of %j is stored as a URL', async (endpoint, stored) => {
    const user = await makeUser(testApp)
    const answer = await testApp.call(switchPushOn, { endpoint, ...aBrowser().keys }, user)
    expect([answer.status, answer.body]).toEqual([200, { isOn: true }])
    const read = statement('test.endpoint', 'select endpoint from push_subscriptions where user_id = :userId')
    expect(await testApp.db.query(read, { userId: user.userId })).toEqual([{ endpoint: stored }])
  })

  test('ends with its auth session', async () => {
    const received = await subscribe(testApp, service, ann)
    await queueFor(ann)
    const headers = { authorization: `Bearer ${ann.accessToken}` }
    await testApp.app.inject({ method: 'POST', url: '/auth/v1/logout', headers })
    await queueFor(ann)
    await deliver()
    expect(received).toEqual([])
  })

  test('moves with its browser to the next user who signs in there', async () => {
    const ben = await makeUser(testApp)
    const { publicKey } = (await testApp.call(readPush, {}, ann)).body
    const { subscription, received } = service.subscribe(publicKey ?? '')
    await testApp.call(switchPushOn, subscription, ann)
    await testApp.call(switchPushOn, subscription, ben)
    await queueFor(ann)
    await deliver()
    expect(received).toEqual([])
    expect([await isOn(ann), await isOn(ben)]).toEqual([false, true])
  })

  test('stays one when it is renewed, and keeps its unsent messages', async () => {
    await subscribe(testApp, service, ann)
    await queueFor(ann)
    const received = await subscribe(testApp, service, ann)
    await deliver()
    expect(received).toHaveLength(1)
  })

  test('threat 132: the eleventh browser of an account ends the oldest one', async () => {
    const { max } = LIMITS.pushSubscriptions
    const fill = `insert into auth.sessions (id, user_id, amr, created_at, refreshed_at, not_after)
      select gen_random_uuid(), '${ann.userId}', '[]', created_at, refreshed_at, not_after
      from auth.sessions cross join generate_series(1, 20) where id = '${authSessionOf(ann)}';
      insert into push_subscriptions (session_id, user_id, endpoint, p256dh, auth_secret, created_at)
      select id, user_id, 'https://push.example/' || id, decode(repeat('04', 65), 'hex'),
        decode(repeat('01', 16), 'hex'), created_at from auth.sessions
      where user_id = '${ann.userId}' and id <> '${authSessionOf(ann)}' limit ${max}`
    await testApp.db.script(fill)
    await subscribe(testApp, service, ann)
    const count = statement('test.subscriptions', 'select from push_subscriptions where user_id = :userId')
    expect(await testApp.db.query(count, { userId: ann.userId })).toHaveLength(max)
    expect(await isOn(ann)).toBe(true)
  })

  test.each([
    ['an endpoint in a private network', { endpoint: 'http://10.0.0.1/a' }],
    ['a key that is no point of the curve', { p256dh: 'B'.repeat(87) }],
  ])('threat 130: with %s is refused', async (_, wrong) => {
    const input = { endpoint: 'https://push.example/a', ...aBrowser().keys, ...wrong }
    const { status, error } = await testApp.call(switchPushOn, input, ann)
    expect([status, error.fields?.map(({ path }) => path)]).toEqual([400, Object.keys(wrong)])
  })

  test('is in the download without its keys and its address', async () => {
    await subscribe(testApp, service, ann)
    const { push_subscriptions } = (await testApp.call(readMyData, {}, ann)).body
    expect(push_subscriptions?.map(Object.keys)).toEqual([['user_id', 'created_at', 'session_id']])
  })
})

describe('a message', () => {
  test('arrives encrypted at every browser of its person, once', async () => {
    const received = await subscribe(testApp, service, ann)
    await subscribe(testApp, service, await makeUser(testApp))
    await queueFor(ann)
    await Promise.all(Array.from({ length: 5 }, deliver))
    later(120)
    await deliver()
    expect(received).toEqual([
      { message: { text: 'Hello' }, size: expect.any(Number), headers: expect.objectContaining({ ttl: '1800' }) },
    ])
  })

  test('is sent again after a lost answer, with the same topic', async () => {
    const received = await subscribe(testApp, service, ann)
    service.answer = (response) => void response.destroy()
    await queueFor(ann)
    expect(await deliver()).toEqual([expect.stringMatching(/^test 127\.0\.0\.1:\d+ /)])
    service.answer = (response) => void response.writeHead(201).end()
    later(14)
    await deliver()
    later(1)
    await deliver()
    expect(received).toHaveLength(2)
    expect(new Set(received.map(({ headers }) => headers.topic)).size).toBe(1)
  })

  test('is sent by another server after the first was killed', async () => {
    const received = await subscribe(testApp, service, ann)
    await queueFor(ann)
    let isHanging = false
    const killed = deliverPushes(testApp, () => {
      isHanging = true
      return new Promise(() => undefined)
    })
    await vi.waitUntil(() => isHanging)
    void killed
    later(59)
    await deliver()
    expect(received).toEqual([])
    later(1)
    await deliver()
    expect(received).toHaveLength(1)
  })

  test('waits as long as an overloaded push service asks', async () => {
    const received = await subscribe(testApp, service, ann)
    service.answer = (response) => void response.writeHead(429, { 'retry-after': '300' }).end()
    await queueFor(ann)
    await deliver()
    later(299)
    await deliver()
    expect(received).toHaveLength(1)
    later(1)
    await deliver()
    expect(received).toHaveLength(2)
  })

  test('is not sent once it is no longer worth it, or no longer true', async () => {
    const received = await subscribe(testApp, service, ann)
    await queueFor(ann)
    later(30 * 60)
    await deliver()
    await queueFor(ann)
    await deliverPushes(testApp, async () => null)
    later(120)
    await deliver()
    expect(received).toEqual([])
  })

  test.each([404, 410])('ends its subscription if the push service answers with %d', async (status) => {
    await subscribe(testApp, service, ann)
    service.answer = (response) => void response.writeHead(status).end()
    await queueFor(ann)
    expect(await deliver()).toEqual([])
    expect(await isOn(ann)).toBe(false)
  })

  test('threat 130: follows no redirect, and does not try again', async () => {
    await subscribe(testApp, service, ann)
    service.answer = (response) => void response.writeHead(307, { location: `${service.origin}/other` }).end()
    await queueFor(ann)
    const before = service.requests()
    expect(await deliver()).toEqual([expect.stringContaining('status 307')])
    later(3_000)
    await deliver()
    expect(service.requests() - before).toBe(1)
  })

  test('threat 130: an endless answer is not read', async () => {
    const received = await subscribe(testApp, service, ann)
    let [written, hasEnded] = [0, false]
    service.answer = (response) => {
      response.writeHead(201).on('close', () => {
        hasEnded = true
      })
      const write = () => {
        while (!response.destroyed && written < 100_000_000) {
          written += 65_536
          if (!response.write(Buffer.alloc(65_536))) return void response.once('drain', write)
        }
      }
      write()
    }
    await queueFor(ann)
    expect(await deliver()).toEqual([])
    expect(received).toHaveLength(1)
    await vi.waitUntil(() => hasEnded, { timeout: 10_000 })
    expect(written).toBeLessThan(20_000_000)
  })

  test.each([
    ["deactivated_at = '2026-01-01'", 'that the company has deactivated'],
    ["banned_until = 'infinity'", 'that is blocked'],
  ])('is not sent to an account with %s, %s', async (set) => {
    const received = await subscribe(testApp, service, ann)
    await queueFor(ann)
    await testApp.db.script(`update auth.users set ${set} where id = '${ann.userId}'`)
    await deliver()
    expect(received).toEqual([])
  })

  test('threat 132: one account gets 60 in an hour, also if it switches them off and on', async () => {
    const received = await subscribe(testApp, service, ann)
    for (let n = 0; n < 65; n++) await queueFor(ann)
    await deliver()
    expect(received).toHaveLength(60)
    await testApp.call(switchPushOff, {}, ann)
    const again = await subscribe(testApp, service, ann)
    await queueFor(ann)
    await deliver()
    expect(again).toEqual([])
    later(3_600)
    await queueFor(ann)
    await deliver()
    expect(again).toHaveLength(1)
  })

  test('threat 241: to a slow push service delays nobody else, also one that is queued in between', async () => {
    const slow = await startPushService()
    const waiting: (() => void)[] = []
    slow.answer = (response) => void waiting.push(() => response.writeHead(201).end())
    await subscribe(testApp, slow, ann)
    for (let n = 0; n < 30; n++) await queueFor(ann)
    const [ben, cleo] = [await makeUser(testApp), await makeUser(testApp)]
    const [first, second] = [await subscribe(testApp, service, ben), await subscribe(testApp, service, cleo)]
    await queueFor(ben)
    service.answer = (response) => void queueFor(cleo).then(() => response.writeHead(201).end())
    const delivering = deliver()
    await vi.waitUntil(() => waiting.length > 0 && first.length > 0 && second.length > 0)
    expect([waiting.length, first.length]).toEqual([1, 1])
    slow.answer = service.answer = (response) => void response.writeHead(201).end()
    for (const answer of waiting) answer()
    await delivering
    expect(slow.requests()).toBe(30)
    await slow.close()
  })

  test('threat 241: of many people with slow push services goes after those of others', async () => {
    const slow = await startPushService()
    // More than may be in flight, of people who have received some in this hour.
    const crowd = await Promise.all(Array.from({ length: 60 }, () => makeUser(testApp)))
    for (const user of crowd) await subscribe(testApp, slow, user)
    for (const user of crowd) await queueFor(user)
    await deliver()
    const waiting: (() => void)[] = []
    slow.answer = (response) => void waiting.push(() => response.writeHead(201).end())
    for (const user of crowd) await queueFor(user)
    later(1)
    const received = await subscribe(testApp, service, ann)
    await queueFor(ann)
    const delivering = deliver()
    await vi.waitUntil(() => waiting.length + received.length >= 50)
    expect(received).toHaveLength(1)
    slow.answer = (response) => void response.writeHead(201).end()
    for (const answer of waiting) answer()
    await delivering
    await slow.close()
  })

  test('is not sent to a browser that has unsubscribed since', async () => {
    const received = await subscribe(testApp, service, ann)
    await queueFor(ann)
    await testApp.call(switchPushOff, {}, ann)
    const again = await subscribe(testApp, service, ann)
    await deliver()
    expect([received, again]).toEqual([[], []])
  })
})

test('threat 130: a name that leads to this machine is not called', async () => {
  const send = createSendPush({
    config: { push: 'on' },
    loadKey: () => loadPushKey({ ...testApp.auth, db: testApp.db }),
    now: testApp.clock.now,
    resolve: async () => ['127.0.0.1'],
  })
  const { keys } = aBrowser()
  const browser = { p256dh: Buffer.from(keys.p256dh, 'base64url'), authSecret: Buffer.from(keys.auth, 'base64url') }
  const to = (endpoint: string) => send({ endpoint, ...browser }, { topic: 'a', body: {}, ttlSeconds: 1 })
  expect(await to(service.origin)).toEqual({ result: 'refused', reason: 'not a push service' })
  expect(await to('https://push.example/a')).toMatchObject({
    result: 'later',
    reason: expect.stringContaining('address'),
  })
})

describe('the key', () => {
  const load = (keys: TestApp['auth']['keys']) => loadPushKey({ ...testApp.auth, db: testApp.db, keys })
  const sealed = statement('test.push-key', 'select private_key from push_keys')

  test('is one for all servers, and is encrypted in the database', async () => {
    const loaded = await Promise.all(Array.from({ length: 5 }, () => load(testApp.auth.keys)))
    expect(new Set(loaded.map(({ publicKey }) => publicKey)).size).toBe(1)
    const [row] = await testApp.db.query<{ private_key: Buffer }>(sealed)
    expect(row?.private_key[0]).toBe(1)
  })

  test('survives a rotation of the secret, and is replaced with its subscriptions if the secret is lost', async () => {
    const [first, second, third] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2), Buffer.alloc(32, 3)]
    await testApp.db.script('delete from push_keys')
    const { publicKey } = await load(await deriveKeys(first))
    await subscribe(testApp, service, ann)
    expect((await load(await deriveKeys(second, first))).publicKey).toBe(publicKey)
    expect((await load(await deriveKeys(second))).publicKey).toBe(publicKey)
    expect(await isOn(ann)).toBe(true)
    expect((await load(await deriveKeys(third))).publicKey).not.toBe(publicKey)
    expect(await isOn(ann)).toBe(false)
    await testApp.db.script('delete from push_keys')
  })
})

test('a server with PUSH=off offers no push messages', async () => {
  const off = await startTestApp({ PUSH: 'off' })
  const user = await makeUser(off)
  expect((await off.call(readPush, {}, user)).body).toMatchObject({ publicKey: null, isOn: false })
  const input = { endpoint: 'https://push.example/a', ...aBrowser().keys }
  expect((await off.call(switchPushOn, input, user)).status).toBe(404)
  await off.close()
})
