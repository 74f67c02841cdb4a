import { randomUUID } from 'node:crypto'
import { readMyData } from '@deeb/core/account/api'
import { readPush, switchPushOff, switchPushOn } from '@deeb/core/push/api'
import { describe, expect } from 'vitest'
import { deriveKeys } from '../config/keys.ts'
import { statement } from '../db/db.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { authSessionOf, type MadeUser, makeUser } from '../testing/make.ts'
import { deliverPushes, subscribe } from '../testing/push.ts'
import { aBrowser, startPushService } from '../testing/push-service.ts'
import { test as base } from '../testing/test.ts'
import type { TestApp } from '../testing/test-app.ts'
import { until } from '../testing/until.ts'
import { loadPushKey } from './push-key.ts'
import { pushInsert } from './queue-push.ts'
import { createSendPush } from './send-push.ts'

const test = base
  .extend('settings', { scope: 'file' }, { PUSH: 'local' })
  .extend('ann', ({ app }) => makeUser(app))
  .extend('push', ({ app, clock }) => {
    const queueFor = ({ userId }: MadeUser) => app.db.query(queue, { userId, about: randomUUID(), now: clock.now() })
    const deliver = () => deliverPushes(app, hello)
    const isOn = async (user: MadeUser) => (await app.call(readPush, {}, user)).body.isOn
    const later = (seconds: number) => clock.advance({ seconds })
    const load = (keys: TestApp['auth']['keys']) => loadPushKey({ ...app.auth, db: app.db, keys })
    return { queueFor, deliver, isOn, later, load }
  })

test.beforeEach(async ({ clock }) => {
  clock.advance({ hours: 2 })
})
test.afterEach(({ pushService }) => {
  pushService.answer = (response) => void response.writeHead(201).end()
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
const hello = async () => ({ text: 'Hello' })

describe('a subscription', () => {
  test('is on for its auth session until it is switched off', async ({ app, pushService, ann, push }) => {
    expect(await push.isOn(ann)).toBe(false)
    await subscribe(app, pushService, ann)
    expect(await push.isOn(ann)).toBe(true)
    for (const _ of [1, 2]) expect((await app.call(switchPushOff, {}, ann)).body).toEqual({ isOn: false })
    expect(await push.isOn(ann)).toBe(false)
  })

  test.for([
    ['https://push.example/a\0b', 'https://push.example/a%00b'],
    ['https://push.example/\ud800', 'https://push.example/%EF%BF%BD'],
    ['  https://PUSH.example/a\tb', 'https://push.example/ab'],
  ] as const)('threat 231: of %j is stored as a URL', async ([endpoint, stored], { app }) => {
    const user = await makeUser(app)
    const answer = await app.call(switchPushOn, { endpoint, ...aBrowser().keys }, user)
    expect([answer.status, answer.body]).toEqual([200, { isOn: true }])
    const read = statement('test.endpoint', 'select endpoint from push_subscriptions where user_id = :userId')
    expect(await app.db.query(read, { userId: user.userId })).toEqual([{ endpoint: stored }])
  })

  test('ends with its auth session', async ({ app, pushService, ann, push }) => {
    const received = await subscribe(app, pushService, ann)
    await push.queueFor(ann)
    const headers = { authorization: `Bearer ${ann.accessToken}` }
    await app.inject({ method: 'POST', url: '/auth/v1/logout', headers })
    await push.queueFor(ann)
    await push.deliver()
    expect(received).toEqual([])
  })

  test('moves with its browser to the next user who signs in there', async ({ app, pushService, ann, push }) => {
    const ben = await makeUser(app)
    const { publicKey } = (await app.call(readPush, {}, ann)).body
    const { subscription, received } = pushService.subscribe(publicKey ?? '')
    await app.call(switchPushOn, subscription, ann)
    await app.call(switchPushOn, subscription, ben)
    await push.queueFor(ann)
    await push.deliver()
    expect(received).toEqual([])
    expect([await push.isOn(ann), await push.isOn(ben)]).toEqual([false, true])
  })

  test('stays one when it is renewed, and keeps its unsent messages', async ({ app, pushService, ann, push }) => {
    await subscribe(app, pushService, ann)
    await push.queueFor(ann)
    const received = await subscribe(app, pushService, ann)
    await push.deliver()
    expect(received).toHaveLength(1)
  })

  test('threat 132: the eleventh browser of an account ends the oldest one', async ({
    app,
    pushService,
    ann,
    push,
  }) => {
    const { max } = LIMITS.pushSubscriptions
    const fill = `insert into auth.sessions (id, user_id, amr, created_at, refreshed_at, not_after)
      select gen_random_uuid(), '${ann.userId}', '[]', created_at, refreshed_at, not_after
      from auth.sessions cross join generate_series(1, 20) where id = '${authSessionOf(ann)}';
      insert into push_subscriptions (session_id, user_id, endpoint, p256dh, auth_secret, created_at)
      select id, user_id, 'https://push.example/' || id, decode(repeat('04', 65), 'hex'),
        decode(repeat('01', 16), 'hex'), created_at from auth.sessions
      where user_id = '${ann.userId}' and id <> '${authSessionOf(ann)}' limit ${max}`
    await app.db.script(fill)
    await subscribe(app, pushService, ann)
    const count = statement('test.subscriptions', 'select from push_subscriptions where user_id = :userId')
    expect(await app.db.query(count, { userId: ann.userId })).toHaveLength(max)
    expect(await push.isOn(ann)).toBe(true)
  })

  test.for([
    ['an endpoint in a private network', { endpoint: 'http://10.0.0.1/a' }],
    ['a key that is no point of the curve', { p256dh: 'B'.repeat(87) }],
  ] as const)('threat 130: with %s is refused', async ([_, wrong], { app, ann }) => {
    const input = { endpoint: 'https://push.example/a', ...aBrowser().keys, ...wrong }
    const { status, error } = await app.call(switchPushOn, input, ann)
    expect([status, error.fields?.map(({ path }) => path)]).toEqual([400, Object.keys(wrong)])
  })

  test('is in the download without its keys and its address', async ({ app, pushService, ann }) => {
    await subscribe(app, pushService, ann)
    const { push_subscriptions } = (await app.call(readMyData, {}, ann)).body
    expect(push_subscriptions?.map(Object.keys)).toEqual([['user_id', 'created_at', 'session_id']])
  })
})

describe('a message', () => {
  test('arrives encrypted at every browser of its person, once', async ({ app, pushService, ann, push }) => {
    const received = await subscribe(app, pushService, ann)
    await subscribe(app, pushService, await makeUser(app))
    await push.queueFor(ann)
    await Promise.all(Array.from({ length: 5 }, push.deliver))
    push.later(120)
    await push.deliver()
    expect(received).toEqual([
      { message: { text: 'Hello' }, size: expect.any(Number), headers: expect.objectContaining({ ttl: '1800' }) },
    ])
  })

  test('is sent again after a lost answer, with the same topic', async ({ app, pushService, ann, push }) => {
    const received = await subscribe(app, pushService, ann)
    pushService.answer = (response) => void response.destroy()
    await push.queueFor(ann)
    expect(await push.deliver()).toEqual([expect.stringMatching(/^test 127\.0\.0\.1:\d+ /)])
    pushService.answer = (response) => void response.writeHead(201).end()
    push.later(14)
    await push.deliver()
    push.later(1)
    await push.deliver()
    expect(received).toHaveLength(2)
    expect(new Set(received.map(({ headers }) => headers.topic)).size).toBe(1)
  })

  test('is sent by another server after the first was killed', async ({ app, pushService, ann, push }) => {
    const received = await subscribe(app, pushService, ann)
    await push.queueFor(ann)
    let isHanging = false
    const killed = deliverPushes(app, () => {
      isHanging = true
      return new Promise(() => undefined)
    })
    await until(() => isHanging)
    void killed
    push.later(59)
    await push.deliver()
    expect(received).toEqual([])
    push.later(1)
    await push.deliver()
    expect(received).toHaveLength(1)
  })

  test('waits as long as an overloaded push service asks', async ({ app, pushService, ann, push }) => {
    const received = await subscribe(app, pushService, ann)
    pushService.answer = (response) => void response.writeHead(429, { 'retry-after': '300' }).end()
    await push.queueFor(ann)
    await push.deliver()
    push.later(299)
    await push.deliver()
    expect(received).toHaveLength(1)
    push.later(1)
    await push.deliver()
    expect(received).toHaveLength(2)
  })

  test('is not sent once it is no longer worth it, or no longer true', async ({ app, pushService, ann, push }) => {
    const received = await subscribe(app, pushService, ann)
    await push.queueFor(ann)
    push.later(30 * 60)
    await push.deliver()
    await push.queueFor(ann)
    await deliverPushes(app, async () => null)
    push.later(120)
    await push.deliver()
    expect(received).toEqual([])
  })

  test.for([404, 410])(
    'ends its subscription if the push service answers with %d',
    async (status, { app, pushService, ann, push }) => {
      await subscribe(app, pushService, ann)
      pushService.answer = (response) => void response.writeHead(status).end()
      await push.queueFor(ann)
      expect(await push.deliver()).toEqual([])
      expect(await push.isOn(ann)).toBe(false)
    },
  )

  test('threat 130: follows no redirect, and does not try again', async ({ app, pushService, ann, push }) => {
    await subscribe(app, pushService, ann)
    pushService.answer = (response) => void response.writeHead(307, { location: `${pushService.origin}/other` }).end()
    await push.queueFor(ann)
    const before = pushService.requests()
    expect(await push.deliver()).toEqual([expect.stringContaining('status 307')])
    push.later(3_000)
    await push.deliver()
    expect(pushService.requests() - before).toBe(1)
  })

  test('threat 130: an endless answer is not read', async ({ app, pushService, ann, push }) => {
    const received = await subscribe(app, pushService, ann)
    let [written, hasEnded] = [0, false]
    pushService.answer = (response) => {
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
    await push.queueFor(ann)
    expect(await push.deliver()).toEqual([])
    expect(received).toHaveLength(1)
    await until(() => hasEnded)
    expect(written).toBeLessThan(20_000_000)
  })

  test.for([
    ["deactivated_at = '2026-01-01'", 'that the company has deactivated'],
    ["banned_until = 'infinity'", 'that is blocked'],
  ] as const)('is not sent to an account with %s, %s', async ([set], { app, pushService, ann, push }) => {
    const received = await subscribe(app, pushService, ann)
    await push.queueFor(ann)
    await app.db.script(`update auth.users set ${set} where id = '${ann.userId}'`)
    await push.deliver()
    expect(received).toEqual([])
  })

  test('threat 132: one account gets 60 in an hour, also if it switches them off and on', async ({
    app,
    pushService,
    ann,
    push,
  }) => {
    const received = await subscribe(app, pushService, ann)
    for (let n = 0; n < 65; n++) await push.queueFor(ann)
    await push.deliver()
    expect(received).toHaveLength(60)
    await app.call(switchPushOff, {}, ann)
    const again = await subscribe(app, pushService, ann)
    await push.queueFor(ann)
    await push.deliver()
    expect(again).toEqual([])
    push.later(3_600)
    await push.queueFor(ann)
    await push.deliver()
    expect(again).toHaveLength(1)
  })

  test('threat 241: to a slow push service delays nobody else, also one that is queued in between', async ({
    app,
    people,
    pushService,
    ann,
    push,
  }) => {
    const slow = await startPushService()
    const waiting: (() => void)[] = []
    slow.answer = (response) => void waiting.push(() => response.writeHead(201).end())
    await subscribe(app, slow, ann)
    for (let n = 0; n < 30; n++) await push.queueFor(ann)
    const [ben, cleo] = await people(2)
    const [first, second] = [await subscribe(app, pushService, ben), await subscribe(app, pushService, cleo)]
    await push.queueFor(ben)
    pushService.answer = (response) => void push.queueFor(cleo).then(() => response.writeHead(201).end())
    const delivering = push.deliver()
    await until(() => waiting.length > 0 && first.length > 0 && second.length > 0)
    expect([waiting.length, first.length]).toEqual([1, 1])
    slow.answer = pushService.answer = (response) => void response.writeHead(201).end()
    for (const answer of waiting) answer()
    await delivering
    expect(slow.requests()).toBe(30)
    await slow.close()
  })

  test('threat 241: of many people with slow push services goes after those of others', async ({
    app,
    pushService,
    ann,
    push,
  }) => {
    const slow = await startPushService()
    // More than may be in flight, of people who have received some in this hour.
    const crowd = await Promise.all(Array.from({ length: 60 }, () => makeUser(app)))
    for (const user of crowd) await subscribe(app, slow, user)
    for (const user of crowd) await push.queueFor(user)
    await push.deliver()
    const waiting: (() => void)[] = []
    slow.answer = (response) => void waiting.push(() => response.writeHead(201).end())
    for (const user of crowd) await push.queueFor(user)
    push.later(1)
    const received = await subscribe(app, pushService, ann)
    await push.queueFor(ann)
    const delivering = push.deliver()
    await until(() => waiting.length + received.length >= 50)
    expect(received).toHaveLength(1)
    slow.answer = (response) => void response.writeHead(201).end()
    for (const answer of waiting) answer()
    await delivering
    await slow.close()
  })

  test('is not sent to a browser that has unsubscribed since', async ({ app, pushService, ann, push }) => {
    const received = await subscribe(app, pushService, ann)
    await push.queueFor(ann)
    await app.call(switchPushOff, {}, ann)
    const again = await subscribe(app, pushService, ann)
    await push.deliver()
    expect([received, again]).toEqual([[], []])
  })
})

test('threat 130: a name that leads to this machine is not called', async ({ app, clock, pushService }) => {
  const send = createSendPush({
    config: { push: 'on' },
    loadKey: () => loadPushKey({ ...app.auth, db: app.db }),
    now: clock.now,
    resolve: async () => ['127.0.0.1'],
  })
  const { keys } = aBrowser()
  const browser = { p256dh: Buffer.from(keys.p256dh, 'base64url'), authSecret: Buffer.from(keys.auth, 'base64url') }
  const to = (endpoint: string) => send({ endpoint, ...browser }, { topic: 'a', body: {}, ttlSeconds: 1 })
  expect(await to(pushService.origin)).toEqual({ result: 'refused', reason: 'not a push service' })
  expect(await to('https://push.example/a')).toMatchObject({
    result: 'later',
    reason: expect.stringContaining('address'),
  })
})

describe('the key', () => {
  const sealed = statement('test.push-key', 'select private_key from push_keys')

  test('is one for all servers, and is encrypted in the database', async ({ app, push }) => {
    const loaded = await Promise.all(Array.from({ length: 5 }, () => push.load(app.auth.keys)))
    expect(new Set(loaded.map(({ publicKey }) => publicKey)).size).toBe(1)
    const [row] = await app.db.query<{ private_key: Buffer }>(sealed)
    expect(row?.private_key[0]).toBe(1)
  })

  test('survives a rotation of the secret, and is replaced with its subscriptions if the secret is lost', async ({
    app,
    pushService,
    ann,
    push,
  }) => {
    const [first, second, third] = [Buffer.alloc(32, 1), Buffer.alloc(32, 2), Buffer.alloc(32, 3)]
    await app.db.script('delete from push_keys')
    const { publicKey } = await push.load(await deriveKeys(first))
    await subscribe(app, pushService, ann)
    expect((await push.load(await deriveKeys(second, first))).publicKey).toBe(publicKey)
    expect((await push.load(await deriveKeys(second))).publicKey).toBe(publicKey)
    expect(await push.isOn(ann)).toBe(true)
    expect((await push.load(await deriveKeys(third))).publicKey).not.toBe(publicKey)
    expect(await push.isOn(ann)).toBe(false)
    await app.db.script('delete from push_keys')
  })
})

test('a server with PUSH=off offers no push messages', async ({ startApp }) => {
  const off = await startApp({ PUSH: 'off' })
  const user = await makeUser(off)
  expect((await off.call(readPush, {}, user)).body).toMatchObject({ publicKey: null, isOn: false })
  const input = { endpoint: 'https://push.example/a', ...aBrowser().keys }
  expect((await off.call(switchPushOn, input, user)).status).toBe(404)
})
