import { randomUUID } from 'node:crypto'
import { deleteAccount, readMyData, updateLanguage } from '@deeb/core/account/api'
import { setTarget, startFocus, stopFocus } from '@deeb/core/focus/api'
import { readHome } from '@deeb/core/home/api'
import { addSession, correctSession, discardSession, restoreSession } from '@deeb/core/sessions/api'
import { readSessions } from '@deeb/core/sessions/read-api'
import {
  createWebhook,
  deleteWebhook,
  readDeliveries,
  readWebhooks,
  replaceWebhookSecret,
  sendAgain,
  testWebhook,
  updateWebhook,
} from '@deeb/core/webhooks/api'
import { WEBHOOK_MESSAGES } from '@deeb/core/webhooks/messages'
import * as v from 'valibot'
import { describe, expect, vi } from 'vitest'
import { statement } from '../db/db.ts'
import { closeForgottenSessions } from '../focus/close-forgotten.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { moveProfile } from '../profile/move-profile.ts'
import { cleanUp } from '../retention/clean-up.ts'
import { deactivate } from '../testing/company.ts'
import { type MadeUser, makeUser, PASSWORD } from '../testing/make.ts'
import { test as base } from '../testing/test.ts'
import { isSignedBy, startReceiver, WEBHOOKS_HERE } from '../testing/webhook-receiver.ts'
import { addWebhook, deliverWebhooks } from '../testing/webhooks.ts'
import { expireDeliveries } from './delivery.ts'

const timeZone = 'Europe/Berlin'

const test = base
  .extend('settings', { scope: 'file' }, WEBHOOKS_HERE)
  .extend('ann', ({ app }) => makeUser(app))
  .extend('steps', ({ app, clock, ann }) => {
    const deliver = () => deliverWebhooks(app)
    const later = (time: { hours?: number; minutes?: number; seconds?: number }) => clock.advance(time)
    const times = () => ({ actedAt: clock.now().toISOString(), sentAt: clock.now().toISOString() })
    const ago = (minutes: number) => new Date(clock.now().getTime() - minutes * 60_000).toISOString()
    async function start(user = ann, sessionId: string = randomUUID()): Promise<string> {
      const { status } = await app.call(startFocus, { sessionId, timeZone, times: times() }, user)
      expect(status).toBe(200)
      return sessionId
    }
    async function stop(sessionId: string, user = ann): Promise<void> {
      expect((await app.call(stopFocus, { sessionId, times: times() }, user)).status).toBe(200)
    }
    const listed = async (id: string, user = ann) => (await app.call(readDeliveries, { id }, user)).body.deliveries
    const webhooksOf = async (user: MadeUser) => (await app.call(readWebhooks, {}, user)).body.webhooks
    const emailsTo = (user: MadeUser) =>
      app.db.query<{ kind: string; body: string | null }>(
        statement(
          'test.emails',
          "select kind, body from auth.outbox where recipient = :email and kind like 'webhook%' order by created_at",
        ),
        { email: user.email },
      )
    return { deliver, later, times, ago, start, stop, listed, webhooksOf, emailsTo }
  })

test.beforeEach(async ({ app, clock }) => {
  // Nothing of an earlier test is due any more.
  clock.advance({ hours: 5 })
  await expireDeliveries(app.db, clock.now())
})

describe('a switch', () => {
  test('sends focus.started and focus.ended, signed by Standard Webhooks, as the API describes them', async ({
    app,
    clock,
    receiver,
    ann,
    steps,
  }) => {
    const { secret } = await addWebhook(app, ann, receiver)
    const sessionId = await steps.start()
    const startedAt = clock.now().toISOString()
    await steps.deliver()
    steps.later({ minutes: 50 })
    await steps.stop(sessionId)
    await steps.deliver()
    const endedAt = clock.now().toISOString()
    const session = { sessionId, startedAt, isLate: false }
    expect(receiver.received).toMatchObject([
      { type: 'focus.started', timestamp: startedAt, data: { ...session, targetMinutes: null, isOn: true } },
      { type: 'focus.ended', timestamp: endedAt, data: { ...session, endedAt, isForgotten: false, isOn: false } },
    ])
    vi.useFakeTimers({ toFake: ['Date'], now: clock.now() })
    const [started, ended] = receiver.received
    const verified = ended && [isSignedBy(secret, ended), isSignedBy(secret, { ...ended, body: `${ended.body} ` })]
    // An hour-old message is refused: a recorded one cannot be sent again.
    const isOldAccepted = started && isSignedBy(secret, started)
    vi.useRealTimers()
    expect([verified, isOldAccepted]).toEqual([[true, false], false])
    for (const { type, body } of receiver.received) {
      const message = WEBHOOK_MESSAGES[type as keyof typeof WEBHOOK_MESSAGES]
      expect(v.safeParse(message.body, JSON.parse(body)).issues).toBe(undefined)
    }
  })

  test('is in the OpenAPI document with each message', async ({ app }) => {
    const { openapi, webhooks } = (await app.inject('/api/openapi.json')).json()
    expect([openapi, Object.keys(webhooks)]).toEqual(['3.1.0', Object.keys(WEBHOOK_MESSAGES)])
    const { schema } = webhooks['focus.ended'].post.requestBody.content['application/json']
    expect(Object.keys(schema.properties.data.properties)).toContain('isForgotten')
  })

  test('sends nothing twice when it is repeated, and nothing for a start that finds an open session', async ({
    app,
    receiver,
    ann,
    steps,
  }) => {
    await addWebhook(app, ann, receiver)
    const sessionId = await steps.start()
    await steps.start(ann, sessionId)
    await steps.start(ann, randomUUID())
    await steps.stop(sessionId)
    await steps.stop(sessionId)
    await steps.deliver()
    expect(receiver.types()).toEqual(['focus.started', 'focus.ended'])
  })

  test('reaches each endpoint that wants the event, and those of its own person only', async ({
    app,
    receiver,
    ann,
    steps,
  }) => {
    const bob = await makeUser(app)
    const other = await startReceiver()
    await addWebhook(app, ann, receiver, ['focus.started'])
    const { id } = await addWebhook(app, ann, other, ['focus.ended'])
    await addWebhook(app, bob, other)
    await steps.stop(await steps.start())
    await steps.deliver()
    expect([receiver.types(), other.types()]).toEqual([['focus.started'], ['focus.ended']])
    expect((await steps.listed(id, bob)).length).toBe(0)
    await other.close()
  })

  test('says how long the session is meant to be, and that the server ended a forgotten one', async ({
    app,
    clock,
    receiver,
    ann,
    steps,
  }) => {
    await addWebhook(app, ann, receiver)
    const sessionId = randomUUID()
    await app.call(startFocus, { sessionId, timeZone, times: steps.times(), targetMinutes: 50 }, ann)
    await app.call(setTarget, { sessionId, targetMinutes: 90 }, ann)
    steps.later({ hours: 17 })
    await closeForgottenSessions(app.db, clock.now())
    await steps.deliver()
    // The start is older than 4 hours: it was given up.
    expect(receiver.received).toMatchObject([
      { type: 'focus.ended', data: { sessionId, isForgotten: true, isOn: false } },
    ])
  })

  test('neither waits nor fails for a webhook that is deleted concurrently', async ({
    app,
    clock,
    receiver,
    ann,
    steps,
  }) => {
    const { id } = await addWebhook(app, ann, receiver)
    const [sessionIds] = [[randomUUID(), randomUUID(), randomUUID()]]
    await Promise.all([
      ...sessionIds.map((sessionId) => steps.start(ann, sessionId)),
      app.call(deleteWebhook, { id }, ann),
    ])
    await steps.deliver()
    await cleanUp(app.db, clock.now())
    const left = statement('test.left', 'select from webhook_deliveries where endpoint_id = :id')
    expect(await app.db.query(left, { id })).toEqual([])
  })

  test('sends nothing once the webhook is off or deleted', async ({ app, receiver, ann, steps }) => {
    const { id } = await addWebhook(app, ann, receiver)
    await app.call(updateWebhook, { id, url: receiver.url, events: ['focus.started'], isOn: false }, ann)
    const sessionId = await steps.start()
    await app.call(updateWebhook, { id, url: receiver.url, events: ['focus.started', 'focus.ended'], isOn: true }, ann)
    await steps.stop(sessionId)
    await app.call(deleteWebhook, { id }, ann)
    await steps.deliver()
    expect(receiver.types()).toEqual([])
  })
})

describe('corrections', () => {
  test('of past sessions send nothing: nobody has switched', async ({ app, receiver, ann, steps }) => {
    await addWebhook(app, ann, receiver, ['focus.started', 'focus.ended'])
    const sessionId = randomUUID()
    const session = { sessionId, timeZone, startedAt: steps.ago(120), endedAt: steps.ago(60) }
    expect((await app.call(addSession, session, ann)).status).toBe(200)
    expect(
      (await app.call(correctSession, { sessionId, startedAt: steps.ago(110), endedAt: steps.ago(70) }, ann)).status,
    ).toBe(200)
    expect((await app.call(discardSession, { sessionId }, ann)).status).toBe(200)
    expect((await app.call(restoreSession, { sessionId, endedAt: steps.ago(70) }, ann)).status).toBe(200)
    expect((await app.call(readSessions, {}, ann)).body.sessions).toHaveLength(1)
    await steps.deliver()
    expect(receiver.types()).toEqual([])
  })
})

describe('delivery', () => {
  test('is tried again with the same id and text, ever later with jitter, for 4 hours', async ({
    app,
    clock,
    receiver,
    ann,
    steps,
  }) => {
    const { id } = await addWebhook(app, ann, receiver, ['focus.started'])
    receiver.answer = (response) => void response.writeHead(500).end()
    await steps.start()
    const waits: number[] = []
    for (;;) {
      await steps.deliver()
      const [row] = await steps.listed(id)
      if (!row?.nextTryAt) break
      const seconds = (Date.parse(row.nextTryAt) - clock.now().getTime()) / 1000
      waits.push(seconds)
      steps.later({ seconds: seconds + 0.001 })
    }
    const base = waits.map((_, attempt) => Math.min(5 * 4 ** attempt, 3_600))
    waits.forEach((wait, attempt) => {
      expect(wait).toBeGreaterThanOrEqual((base[attempt] ?? 0) * 0.5 - 0.01)
      expect(wait).toBeLessThanOrEqual((base[attempt] ?? 0) * 1.5 + 0.01)
    })
    const sum = waits.reduce((a, b) => a + b, 0)
    expect(sum).toBeLessThan(4 * 3_600)
    expect(receiver.received).toHaveLength(waits.length + 1)
    expect(new Set(receiver.received.map((message) => message.id)).size).toBe(1)
    expect(new Set(receiver.received.map((message) => message.body)).size).toBe(1)
    expect(await steps.listed(id)).toMatchObject([
      { status: 500, deliveredAt: null, nextTryAt: null, attempts: waits.length + 1 },
    ])
  })

  test('of a later message does not wait for one that fails', async ({ app, receiver, ann, steps }) => {
    await addWebhook(app, ann, receiver)
    receiver.answer = (response) => void response.writeHead(500).end()
    const sessionId = await steps.start()
    await steps.deliver()
    receiver.answer = (response) => void response.writeHead(204).end()
    await steps.stop(sessionId)
    await steps.deliver()
    steps.later({ minutes: 1 })
    await steps.deliver()
    expect(receiver.types()).toEqual(['focus.started', 'focus.ended', 'focus.started'])
  })

  test('obeys Retry-After', async ({ app, receiver, ann, steps }) => {
    await addWebhook(app, ann, receiver, ['focus.started'])
    receiver.answer = (response) => void response.writeHead(429, { 'retry-after': '600' }).end()
    await steps.start()
    await steps.deliver()
    steps.later({ seconds: 599 })
    await steps.deliver()
    expect(receiver.received).toHaveLength(1)
    steps.later({ seconds: 2 })
    await steps.deliver()
    expect(receiver.received).toHaveLength(2)
  })

  test('is repeated after a crash: a lease ends after a minute', async ({ app, clock, receiver, ann, steps }) => {
    await addWebhook(app, ann, receiver, ['focus.started'])
    await steps.start()
    // A process claimed it and died.
    const lease = statement(
      'test.lease',
      `update webhook_deliveries set attempts = 1, leased_until = :now::timestamptz + interval '1 minute',
        next_try_at = :now::timestamptz + interval '1 minute' where user_id = :userId returning 1`,
    )
    await app.db.query(lease, { userId: ann.userId, now: clock.now() })
    await steps.deliver()
    expect(receiver.received).toHaveLength(0)
    steps.later({ seconds: 61 })
    await steps.deliver()
    expect(receiver.received).toHaveLength(1)
  })

  test('is made once per attempt by several processes', async ({ app, receiver, ann, steps }) => {
    for (let n = 0; n < 10; n++) await addWebhook(app, ann, receiver)
    for (let n = 0; n < 3; n++) await steps.stop(await steps.start())
    await Promise.all(Array.from({ length: 8 }, steps.deliver))
    await steps.deliver()
    expect(receiver.received).toHaveLength(60)
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(60)
  })

  test('of one person who floods waits; that of others does not', async ({ app, clock, receiver, ann, steps }) => {
    await addWebhook(app, ann, receiver, ['focus.started'])
    const bob = await makeUser(app)
    const other = await startReceiver()
    await addWebhook(app, bob, other, ['focus.started'])
    const used = statement(
      'test.use-limit',
      `insert into webhook_deliveries (id, user_id, endpoint_id, type, data, created_at, expires_at, tried_at, next_try_at)
      select gen_random_uuid(), :userId, gen_random_uuid(), 'webhook.test', '{}', :now, :now, :now, 'infinity'
      from generate_series(1, ${LIMITS.webhooksToOne.max})`,
    )
    await app.db.query(used, { userId: ann.userId, now: clock.now() })
    await steps.start(ann)
    await steps.start(bob)
    await steps.deliver()
    expect([receiver.types(), other.types()]).toEqual([[], ['focus.started']])
    steps.later({ hours: 1, seconds: 1 })
    await steps.deliver()
    expect(receiver.types()).toEqual(['focus.started'])
    await other.close()
  })

  test('threat 187: of slow receivers does not delay others', async ({ app, receiver, ann, steps }) => {
    const waiting: (() => void)[] = []
    receiver.answer = (response) => void waiting.push(() => response.writeHead(204).end())
    for (let n = 0; n < 3; n++) await addWebhook(app, ann, receiver, ['focus.started'])
    const bob = await makeUser(app)
    const other = await startReceiver()
    await addWebhook(app, bob, other)
    await steps.start(ann)
    await steps.stop(await steps.start(bob), bob)
    const delivering = steps.deliver()
    await vi.waitUntil(() => other.received.length === 2 && waiting.length === 3)
    for (const answer of waiting) answer()
    await delivering
    await other.close()
  })

  test('threat 222: of people with many messages does not delay others', async ({ app, receiver, ann, steps }) => {
    // More slow receivers than messages that may be in flight, of people who have sent some in this hour.
    const crowd = await Promise.all(Array.from({ length: 6 }, () => makeUser(app)))
    const waiting: (() => void)[] = []
    for (const user of crowd) {
      for (let n = 0; n < 9; n++) await addWebhook(app, user, receiver)
    }
    const other = await startReceiver()
    await addWebhook(app, ann, other)
    const sessionIds = await Promise.all(crowd.map((user) => steps.start(user)))
    await steps.deliver()
    receiver.answer = (response) => void waiting.push(() => response.writeHead(204).end())
    await Promise.all(crowd.map((user, n) => steps.stop(sessionIds[n] ?? '', user)))
    steps.later({ seconds: 1 })
    await steps.start(ann)
    const delivering = steps.deliver()
    await vi.waitUntil(() => waiting.length + other.received.length >= 50)
    expect(other.types()).toEqual(['focus.started'])
    receiver.answer = (response) => void response.writeHead(204).end()
    for (const answer of waiting) answer()
    await delivering
    await other.close()
  })

  test('threat 182: to a redirect fails', async ({ app, receiver, ann, steps }) => {
    const { id } = await addWebhook(app, ann, receiver, ['focus.started'])
    receiver.answer = (response) => void response.writeHead(307, { location: receiver.url }).end()
    await steps.start()
    await steps.deliver()
    expect(receiver.received).toHaveLength(1)
    expect(await steps.listed(id)).toMatchObject([{ status: 307, failure: 'redirect', deliveredAt: null }])
  })

  test('the emails about a webhook are in the language of its person', async ({ app, receiver, ann, steps }) => {
    await app.call(updateLanguage, { language: 'fr' }, ann)
    await addWebhook(app, ann, receiver, ['focus.started'])
    receiver.answer = (response) => void response.writeHead(410).end()
    await steps.start()
    await steps.deliver()
    const [added, stopped] = await steps.emailsTo(ann)
    expect(added?.body).toContain('a ajouté un webhook à ton compte deeb')
    expect(stopped?.body).toContain('deeb l’a désactivé.')
  })

  test('switches a webhook off after 3 days of failures, with an email, but not after a success in between', async ({
    app,
    receiver,
    ann,
    steps,
  }) => {
    const { id } = await addWebhook(app, ann, receiver, ['focus.started'])
    const attempt = async (status: number) => {
      receiver.answer = (response) => void response.writeHead(status).end()
      await steps.stop(await steps.start())
      await steps.deliver()
    }
    await attempt(500)
    steps.later({ hours: 71 })
    await attempt(204)
    await attempt(500)
    steps.later({ hours: 71 })
    await attempt(500)
    expect(await steps.webhooksOf(ann)).toMatchObject([{ offReason: null, failingSince: steps.ago(71 * 60) }])
    steps.later({ hours: 1 })
    await attempt(500)
    expect(await steps.webhooksOf(ann)).toMatchObject([{ id, offReason: 'failing' }])
    const emails = await steps.emailsTo(ann)
    expect(emails.map(({ kind }) => kind)).toEqual(['webhook_added', 'webhook_stopped'])
    expect(emails[1]?.body).toContain('/app/settings/webhooks')
    const before = receiver.received.length
    await attempt(204)
    expect(receiver.received).toHaveLength(before)
    const { body } = await app.call(
      updateWebhook,
      { id, url: receiver.url, events: ['focus.started'], isOn: true },
      ann,
    )
    expect(body.webhook).toMatchObject({ offReason: null, failingSince: null })
  })

  test('switches a webhook off when its server answers that it is gone', async ({ app, receiver, ann, steps }) => {
    await addWebhook(app, ann, receiver, ['focus.started'])
    receiver.answer = (response) => void response.writeHead(410).end()
    await steps.start()
    await steps.deliver()
    expect(await steps.webhooksOf(ann)).toMatchObject([{ offReason: 'gone' }])
    expect((await steps.emailsTo(ann)).map(({ kind }) => kind)).toEqual(['webhook_added', 'webhook_stopped'])
  })
})

describe('the list of messages', () => {
  test('has 7 days, and sends one again with the same id', async ({ app, clock, receiver, ann, steps }) => {
    const { id } = await addWebhook(app, ann, receiver, ['focus.started'])
    await steps.start()
    await steps.deliver()
    const [row] = await steps.listed(id)
    expect(row).toMatchObject({ type: 'focus.started', status: 204, attempts: 1, nextTryAt: null, failure: null })
    steps.later({ hours: 24 * 6 })
    expect((await app.call(sendAgain, { id: row?.id ?? '' }, ann)).body).toEqual({ queued: true })
    await steps.deliver()
    expect(receiver.received.map((message) => message.id)).toEqual([row?.id, row?.id])
    steps.later({ hours: 24 })
    expect(await steps.listed(id)).toEqual([])
    await cleanUp(app.db, clock.now())
    expect((await app.call(sendAgain, { id: row?.id ?? '' }, ann)).error.code).toBe('not_found')
  })

  test('has tests too, of webhooks that are on', async ({ app, receiver, ann, steps }) => {
    const { id } = await addWebhook(app, ann, receiver, ['focus.started'])
    const { body } = await app.call(testWebhook, { id }, ann)
    await steps.deliver()
    expect(receiver.received).toMatchObject([{ id: body.deliveryId, type: 'webhook.test', data: {} }])
    await app.call(updateWebhook, { id, url: receiver.url, events: ['focus.started'], isOn: false }, ann)
    expect((await app.call(testWebhook, { id }, ann)).error.code).toBe('not_found')
  })

  test('threat 184: another person reads, changes, tests and deletes nothing', async ({
    app,
    receiver,
    ann,
    steps,
  }) => {
    const { id } = await addWebhook(app, ann, receiver, ['focus.started'])
    await steps.start()
    await steps.deliver()
    const [row] = await steps.listed(id)
    const bob = await makeUser(app)
    expect(await steps.listed(id, bob)).toEqual([])
    expect(await steps.webhooksOf(bob)).toEqual([])
    const change = { id, url: receiver.url, events: ['focus.ended' as const], isOn: false }
    expect((await app.call(updateWebhook, change, bob)).error.code).toBe('not_found')
    expect((await app.call(testWebhook, { id }, bob)).error.code).toBe('not_found')
    expect((await app.call(sendAgain, { id: row?.id ?? '' }, bob)).error.code).toBe('not_found')
    expect((await app.call(replaceWebhookSecret, { id, isLeaked: true }, bob)).error.code).toBe('not_found')
    expect((await app.call(deleteWebhook, { id }, bob)).body).toEqual({ deleted: true })
    expect(await steps.webhooksOf(ann)).toMatchObject([{ id, offReason: null, events: ['focus.started'] }])
  })
})

describe('a webhook', () => {
  test('needs a recent proof, also for another URL and a new secret, and its owner gets an email', async ({
    app,
    receiver,
    ann,
    steps,
  }) => {
    const { id } = await addWebhook(app, ann, receiver)
    steps.later({ minutes: 16 })
    const events = ['focus.started' as const]
    expect((await app.call(createWebhook, { url: receiver.url, events }, ann)).error.code).toBe('proof_needed')
    const moved = { id, url: `${receiver.url}/other`, events, isOn: true }
    expect((await app.call(updateWebhook, moved, ann)).error.code).toBe('proof_needed')
    expect((await app.call(replaceWebhookSecret, { id, isLeaked: true }, ann)).error.code).toBe('proof_needed')
    expect((await app.call(updateWebhook, { ...moved, url: receiver.url }, ann)).status).toBe(200)
    expect(await steps.webhooksOf(ann)).toMatchObject([{ url: receiver.url, events }])
    expect((await steps.emailsTo(ann)).map(({ kind }) => kind)).toEqual(['webhook_added'])
  })

  test('is one of 10 at most, also when they are added concurrently', async ({ app, receiver, ann }) => {
    const adding = Array.from({ length: 14 }, () =>
      app.call(createWebhook, { url: receiver.url, events: ['focus.started'] }, ann),
    )
    const codes = (await Promise.all(adding)).map(({ status, error }) => (status === 200 ? 200 : error.code))
    expect(codes.filter((code) => code === 200)).toHaveLength(10)
    expect(codes.filter((code) => code === 'too_many_webhooks')).toHaveLength(4)
  })

  test('threat 180: cannot have a URL in a private network', async ({ startApp }) => {
    const closed = await startApp()
    const user = await makeUser(closed)
    const urls = [
      'http://hooks.example.com/a',
      'https://10.0.0.1/a',
      'https://[::1]/a',
      'https://0x7f.1/a',
      'hooks.example.com',
    ]
    for (const url of [...urls, 'https://user:password@hooks.example.com/', 'ftp://hooks.example.com/']) {
      const { error } = await closed.call(createWebhook, { url, events: ['focus.started'] }, user)
      expect([error.code, error.fields?.[0]?.path]).toEqual(['invalid_input', 'url'])
    }
  })

  test.for(['http://example.com/x', 'http://nowhere.invalid:8080/x'])(
    'cannot have an http URL outside the allowed networks: %s',
    async (url, { app, receiver, ann }) => {
      const { error } = await app.call(createWebhook, { url, events: ['focus.started'] }, ann)
      expect([error.code, error.fields?.[0]?.path]).toEqual(['invalid_input', 'url'])
      const own = (await app.call(createWebhook, { url: receiver.url, events: ['focus.started'] }, ann)).body.webhook
      const change = { id: own.id, events: own.events, isOn: true }
      expect((await app.call(updateWebhook, { ...change, url }, ann)).error.code).toBe('invalid_input')
      expect((await app.call(updateWebhook, { ...change, url: own.url }, ann)).status).toBe(200)
    },
  )

  test('is not offered with WEBHOOKS=off', async ({ startApp }) => {
    const closed = await startApp({ WEBHOOKS: 'off' })
    const user = await makeUser(closed)
    const input = { url: 'https://hooks.example.com/', events: ['focus.started' as const] }
    expect((await closed.call(createWebhook, input, user)).error.code).toBe('not_found')
    expect((await closed.call(readWebhooks, {}, user)).body).toEqual({ isOffered: false, webhooks: [] })
  })

  test('says nothing of its secret in answers, in the download and in the database', async ({
    app,
    receiver,
    ann,
    steps,
  }) => {
    const { id, secret } = await addWebhook(app, ann, receiver)
    await app.call(replaceWebhookSecret, { id, isLeaked: false }, ann)
    const { body } = await app.call(readMyData, {}, ann)
    expect(body).toMatchObject({ webhook_endpoints: [{ id, url: receiver.url }] })
    const rows = await app.db.query<object>(statement('test.endpoints', 'select * from webhook_endpoints'))
    const stored = rows.map((row) =>
      Object.values(row).map((value) => (value instanceof Uint8Array ? Buffer.from(value).toString() : value)),
    )
    for (const text of [body, await steps.webhooksOf(ann), stored].map((value) => JSON.stringify(value))) {
      expect(text).not.toContain(secret)
      expect(text).not.toContain('whsec_')
    }
    expect(JSON.stringify(body)).not.toContain('old_secret"')
  })
})

describe('threat 185: a stolen secret', () => {
  test('reads and changes nothing, before and after its end', async ({ app, receiver, ann }) => {
    const { id, secret } = await addWebhook(app, ann, receiver)
    const calls = [
      '/api/webhooks',
      `/api/webhooks/deliveries?id=${id}`,
      '/api/home?timeZone=UTC',
      '/api/sessions',
      '/api/account/data',
    ]
    const statuses = async () => {
      const answers = calls.flatMap((url) =>
        [`Bearer ${secret}`, `Basic ${Buffer.from(`:${secret}`).toString('base64')}`].map((authorization) =>
          app.inject({ method: 'GET', url, headers: { authorization, 'webhook-id': id } }),
        ),
      )
      return new Set((await Promise.all(answers)).map(({ statusCode }) => statusCode))
    }
    expect(await statuses()).toEqual(new Set([401]))
    await app.call(replaceWebhookSecret, { id, isLeaked: true }, ann)
    expect(await statuses()).toEqual(new Set([401]))
  })

  test('signs until it is replaced: for a day more, or not any more if it leaked', async ({
    app,
    clock,
    receiver,
    ann,
    steps,
  }) => {
    const { id, secret: first } = await addWebhook(app, ann, receiver, ['focus.started'])
    const signers = async (...secrets: string[]) => {
      await app.call(testWebhook, { id }, ann)
      await steps.deliver()
      const message = receiver.received.at(-1)
      vi.useFakeTimers({ toFake: ['Date'], now: clock.now() })
      const signed = secrets.map((secret) => message !== undefined && isSignedBy(secret, message))
      vi.useRealTimers()
      return signed
    }
    const replace = async (isLeaked: boolean) =>
      (await app.call(replaceWebhookSecret, { id, isLeaked }, ann)).body.secret
    const second = await replace(false)
    expect(await signers(first, second)).toEqual([true, true])
    const third = await replace(true)
    expect(await signers(first, second, third)).toEqual([false, false, true])
    const fourth = await replace(false)
    steps.later({ hours: 23 })
    expect(await signers(third, fourth)).toEqual([true, true])
    steps.later({ hours: 1 })
    expect(await signers(third, fourth)).toEqual([false, true])
  })
})

describe('the end of an account', () => {
  test.for([
    ["deactivated_at = '2026-01-01'", 'that the company has deactivated'],
    ["banned_until = 'infinity'", 'that is blocked'],
  ] as const)('nothing is sent for an account with %s, %s', async ([set], { app, receiver, ann, steps }) => {
    await addWebhook(app, ann, receiver)
    await steps.start()
    await app.db.script(`update auth.users set ${set} where id = '${ann.userId}'`)
    await steps.deliver()
    expect(receiver.types()).toEqual([])
  })

  test('a directory that deactivates somebody ends the session and sends nothing', async ({
    app,
    clock,
    receiver,
    ann,
    steps,
  }) => {
    await addWebhook(app, ann, receiver)
    await steps.start()
    await steps.deliver()
    await deactivate(app.db, ann.userId)
    await closeForgottenSessions(app.db, clock.now())
    await steps.deliver()
    expect(receiver.types()).toEqual(['focus.started'])
  })

  test('a deletion deletes webhooks and messages', async ({ app, receiver, ann, steps }) => {
    await addWebhook(app, ann, receiver)
    await steps.start()
    expect((await app.call(deleteAccount, { password: PASSWORD }, ann)).status).toBe(200)
    await steps.deliver()
    expect(receiver.types()).toEqual([])
    const left = statement(
      'test.left-of-user',
      `select id from webhook_endpoints where user_id = :userId union all select id from webhook_deliveries where user_id = :userId`,
    )
    expect(await app.db.query(left, { userId: ann.userId })).toEqual([])
  })

  test('threat 186: somebody who leaves the company sends nothing more until they switch the webhook on again', async ({
    app,
    clock,
    receiver,
    ann,
    steps,
  }) => {
    const { id } = await addWebhook(app, ann, receiver)
    const policy = { companyDomains: null, freeMailDomains: new Set<string>() }
    await app.db.transaction((db) =>
      moveProfile(db, { userId: ann.userId, email: 'ann@private.example' }, policy, clock.now()),
    )
    await steps.stop(await steps.start())
    await steps.deliver()
    expect(receiver.types()).toEqual([])
    expect(await steps.webhooksOf(ann)).toMatchObject([{ id, offReason: 'security' }])
    await app.call(updateWebhook, { id, url: receiver.url, events: ['focus.started'], isOn: true }, ann)
    await steps.start()
    await steps.deliver()
    expect(receiver.types()).toEqual(['focus.started'])
    expect((await app.call(readHome, { timeZone }, ann)).status).toBe(200)
  })
})
