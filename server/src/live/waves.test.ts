// Runs in npm run test:all, on PostgreSQL.
import Fastify, { type FastifyRequest } from 'fastify'
import { expect, test } from 'vitest'
import { statement } from '../db/db.ts'
import { createLimitRequests } from '../http/rate-limit.ts'
import { createLocalBus } from '../lib/event-bus.ts'
import { createRateLimitStore } from '../limits/rate-limit-store.ts'
import { openStreamAt } from '../testing/live.ts'
import { authSessionOf, type MadeUser, makeUser } from '../testing/make.ts'
import { startTestApp } from '../testing/test-app.ts'
import { until } from '../testing/until.ts'
import { createHub } from './hub.ts'
import { liveRoutes } from './routes.ts'

const PEOPLE = 20
const STREAMS_EACH = 10
const WAVES = 5

const change = statement('test.change', 'update user_presence set version = version + 1 where user_id = any(:userIds)')

test('1,000 streams that open and close in waves leave no listeners or streams behind', async () => {
  const testApp = await startTestApp()
  const { db, clock } = testApp
  const people: MadeUser[] = await Promise.all(Array.from({ length: PEOPLE }, () => makeUser(testApp)))
  const bus = createLocalBus()
  const logError = (error: unknown) => expect.unreachable(String(error))
  const sessionAlive = { evict: () => undefined, clear: () => undefined }
  const hub = createHub({ db, bus, sessionAlive, tokenAlive: sessionAlive, now: clock.now, circleSize: 50, logError })
  const app = Fastify()
  const tokenEndsAtMs = clock.now().getTime() + 3_600_000
  const sessions = new Map(people.map((person) => [person.userId, authSessionOf(person)]))
  const signedIn = async ({ headers: { authorization: userId = '' } }: FastifyRequest) => {
    return { userId, sessionId: sessions.get(userId) ?? '', tokenEndsAtMs }
  }
  const rateLimit = createLimitRequests(createRateLimitStore(), clock.now)
  liveRoutes(app, { hub, signedIn, rateLimit, now: clock.now })
  const origin = await app.listen({ host: '127.0.0.1', port: 0 })
  const listeners = () => app.server.eventNames().map((name) => [name, app.server.listenerCount(name)])
  const before = listeners()

  const heap: number[] = []
  for (let wave = 0; wave < WAVES; wave++) {
    const streams = await Promise.all(
      people.flatMap(({ userId }) =>
        Array.from({ length: STREAMS_EACH }, () => openStreamAt(origin, { authorization: userId })),
      ),
    )
    expect(hub.size()).toEqual({ streams: PEOPLE * STREAMS_EACH, users: PEOPLE })
    await db.query(change, { userIds: people.map(({ userId }) => userId) })
    for (const { userId } of people) bus.publish({ kind: 'presence', id: userId })
    await Promise.all(streams.map((stream) => stream.until((stream) => stream.of('me-changed').length > 0)))
    for (const stream of streams) stream.leave()
    await until(() => hub.size().streams === 0)
    heap.push(Math.round(process.memoryUsage().heapUsed / 1024 / 1024))
  }
  expect(hub.size()).toEqual({ streams: 0, users: 0 })
  expect(listeners()).toEqual(before)
  console.log(`Heap after each wave of ${PEOPLE * STREAMS_EACH} streams, MB: ${heap.join(', ')}`)
  await app.close()
  await testApp.close()
})
