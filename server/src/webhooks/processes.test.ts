// Runs in npm run test:all, on PostgreSQL.
import { testWebhook } from '@deeb/core/webhooks/api'
import { WEBHOOK_EVENTS } from '@deeb/core/webhooks/events'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { statement } from '../db/db.ts'
import { authSessionOf, type MadeUser, makeUser } from '../testing/make.ts'
import { openServers, type Servers } from '../testing/servers.ts'
import { startTestApp } from '../testing/test-app.ts'
import { createTestDatabase } from '../testing/test-database.ts'
import { until } from '../testing/until.ts'
import { type Receiver, startReceiver, WEBHOOKS_HERE } from '../testing/webhook-receiver.ts'
import { addWebhook as addWebhookAt, deliverWebhooks } from '../testing/webhooks.ts'
import { createWebhook } from './create-webhook.ts'

/* As if a minute had passed, after which the messages of a dead process are sent again. */
const endLeases = statement(
  'test.end-leases',
  "update webhook_deliveries set leased_until = null, next_try_at = now() where leased_until is not null and next_try_at < 'infinity'",
)

describe.skipIf(inject('template').engine === 'embedded')('two servers on one database', () => {
  let servers: Servers
  let receiver: Receiver
  beforeAll(async () => {
    servers = await openServers(await createTestDatabase())
    receiver = await startReceiver()
    for (const person of servers.people) await addWebhook(person)
  })
  afterAll(async () => {
    await servers.close()
    await receiver.close()
  })

  async function addWebhook(person: MadeUser): Promise<void> {
    const { auth, clock, db } = servers.testApp
    const config = { ...auth.config, webhookAllow: [WEBHOOKS_HERE.WEBHOOK_ALLOW] }
    const actor = { userId: person.userId, sessionId: authSessionOf(person), tokenEndsAtMs: 0 }
    await createWebhook(
      { db, keys: auth.keys, config },
      actor,
      { url: receiver.url, events: [...WEBHOOK_EVENTS] },
      clock.now(),
    )
  }
  /** The sessions that started and ended at the receiver, as often as it received that. */
  const receivedOf = (type: string) =>
    receiver.received.filter((message) => message.type === type).map(({ data }) => String(data.sessionId))

  test('send each message once, and each switch has one, also if one of the servers is killed', async () => {
    const [one, other] = await Promise.all([servers.start(WEBHOOKS_HERE), servers.start(WEBHOOKS_HERE)])
    const first = servers.switching([one, other])
    await until(() => first.acknowledged.size > 40)
    await first.stop()
    const sessionIds = [...first.acknowledged.keys()].sort()
    await until(() => receivedOf('focus.ended').length >= sessionIds.length)
    expect(receivedOf('focus.started').sort()).toEqual(sessionIds)
    expect(receivedOf('focus.ended').sort()).toEqual(sessionIds)

    const second = servers.switching([one, other])
    await until(() => second.acknowledged.size > 20)
    await other.stop('SIGKILL')
    await until(() => second.acknowledged.size > 40)
    await second.stop()
    await servers.testApp.db.query(endLeases)
    const acknowledged = [...second.acknowledged.values()]
    await until(() => {
      const [started, ended] = [new Set(receivedOf('focus.started')), new Set(receivedOf('focus.ended'))]
      return acknowledged.every(({ id, endedAt }) => started.has(id) && (endedAt === null || ended.has(id)))
    })
    const [started, ended] = [new Set(receivedOf('focus.started')), new Set(receivedOf('focus.ended'))]
    expect(new Set(receiver.received.map(({ id }) => id)).size).toBe(started.size + ended.size)
  })
})

describe.skipIf(inject('template').engine === 'embedded')('a message that another process is claiming', () => {
  test('is skipped, and delays no other', async () => {
    const testApp = await startTestApp({ ...WEBHOOKS_HERE, DATABASE_URL: await createTestDatabase() })
    const receiver = await startReceiver()
    const [ann, bob] = [await makeUser(testApp), await makeUser(testApp)]
    for (const user of [ann, bob])
      await testApp.call(testWebhook, { id: (await addWebhookAt(testApp, user, receiver)).id }, user)
    const hold = statement('test.hold', 'select id from webhook_deliveries where user_id = :userId for update')
    await testApp.db.transaction(async (db) => {
      const [held] = await db.query<{ id: string }>(hold, { userId: ann.userId })
      await deliverWebhooks(testApp)
      expect(receiver.received.map(({ id }) => id === held?.id)).toEqual([false])
    })
    await deliverWebhooks(testApp)
    expect(receiver.received).toHaveLength(2)
    await testApp.close()
    await receiver.close()
  })
})
