// Runs in npm run test:all.
import { startFocus, stopFocus } from '@deeb/core/focus/api'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Broker, startBroker } from '../testing/broker.ts'
import { openStream, type TestStream } from '../testing/live.ts'
import { type MadeUser, makeConnection, makeUser } from '../testing/make.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import { createTestDatabase, isOnPostgres } from '../testing/test-database.ts'
import { until } from '../testing/until.ts'
import { WITHOUT_DAILY_LIMIT, withoutLimits } from '../testing/without-limits.ts'

const SWITCHES = 20
/** The long form, `npm run test:all -- --part soak`: as long as the sweeps need. */
const IS_LONG = Boolean(process.env.SOAK)

const found = isOnPostgres() ? await startBroker() : null

describe.skipIf(found === null)('several servers with a broker', () => {
  const broker = found as Broker
  afterAll(() => broker?.kill())
  let url: string
  beforeEach(async () => {
    url = await createTestDatabase()
  })

  async function open(count: number, more: Record<string, string> = { BUS_URL: broker.url }): Promise<TestApp[]> {
    const env = { DATABASE_URL: url, DEEB_SECRET: 'ab'.repeat(32), ...more }
    const servers = await Promise.all(
      Array.from({ length: count }, () => startTestApp(env, undefined, { callLimitStore: withoutLimits() })),
    )
    onTestFinished(async () => void (await Promise.all(servers.map((server) => server.close()))))
    await until(() => servers.every(({ bus }) => bus.state().isListening))
    return servers
  }

  const ofCompany = (server: TestApp, domain: string) => makeUser(server, { email: `${uuidv7()}@${domain}` })
  const switchOn = (server: TestApp, user: MadeUser) =>
    server.call(startFocus, { sessionId: uuidv7(), timeZone: 'UTC' }, user)

  /** How many processes beside the one of the switch receive its event, on average. Each server has a stream of a company of its own. */
  async function deliveries(servers: TestApp[]): Promise<number> {
    const [first, second] = servers
    if (!first || !second) throw new Error('There should be two servers.')
    const people = await Promise.all(servers.map((server, n) => ofCompany(server, `company-${n}.example`)))
    const switching = await ofCompany(second, 'company-1.example')
    await makeConnection(second, switching, people[1] as MadeUser)
    const streams = await Promise.all(servers.map((server, n) => openStream(server, people[n] as MadeUser)))
    let received = 0
    const stops = servers.slice(1).map(({ bus }) =>
      bus.subscribe((event) => {
        if (event.kind === 'presence' && event.id === switching.userId) received += 1
      }),
    )
    let sessionId = ''
    for (let n = 0; n < SWITCHES; n++) {
      if (n % 2 === 0) sessionId = (await switchOn(first, switching)).body.session.id
      else await first.call(stopFocus, { sessionId }, switching)
      await streams[1]?.until((stream) => stream.of('presence').length === n + 1)
    }
    // Events of one server arrive in order, so after its own one, a server has all before.
    for (const person of people) await switchOn(first, person)
    for (const stream of streams) await stream.until((stream) => stream.of('me-changed').length > 0)
    for (const stop of stops) stop()
    for (const stream of streams) stream.leave()
    return received / SWITCHES
  }

  test.each(IS_LONG ? [2, 4, 8] : [4])(
    'a switch on one of %i servers reaches the one with a listener alone',
    async (count) => {
      const byNotify = await deliveries(await open(count, {}))
      url = await createTestDatabase()
      const byBroker = await deliveries(await open(count))
      console.log(
        `${count} servers, deliveries to others for each switch: ${byNotify} by NOTIFY, ${byBroker} by a broker`,
      )
      expect([byNotify, byBroker]).toEqual([count - 1, 1])
    },
  )

  /** Whether a watcher on one server sees the switch of a colleague on the other. */
  async function pair(): Promise<{ one: TestApp; other: TestApp; ann: MadeUser; stream: TestStream }> {
    const [one, other] = (await open(2)) as [TestApp, TestApp]
    const [ann, bea] = [await makeUser(one), await makeUser(one)]
    await makeConnection(one, ann, bea)
    const stream = await openStream(other, bea)
    onTestFinished(() => stream.leave())
    return { one, other, ann, stream }
  }

  test('threat 219: while the broker is away switches continue, and a sign-out still ends the streams of other servers', async () => {
    const { one, other, ann, stream } = await pair()
    await broker.kill()
    onTestFinished(() => broker.start())
    await until(() => !other.bus.state().isListening)
    const { session } = (await switchOn(one, ann)).body
    // Opened while it is away: the state is read from the database.
    const late = await openStream(other, ann)
    expect(late.of('hello')[0]?.openSession).toEqual(session)
    await one.app.inject({
      ...{ method: 'POST', url: '/auth/v1/logout?scope=global' },
      headers: { authorization: `Bearer ${ann.accessToken}` },
    })
    await late.until(({ hasEnded }) => hasEnded)
    expect(stream.of('presence')).toEqual([])
  })

  test('after the broker is back the next switch arrives', async () => {
    const { one, other, ann, stream } = await pair()
    await broker.kill()
    await until(() => !one.bus.state().isListening && !other.bus.state().isListening)
    const { session } = (await switchOn(one, ann)).body
    await broker.start()
    await until(() => one.bus.state().isListening && other.bus.state().isListening)
    await one.call(stopFocus, { sessionId: session.id }, ann)
    await stream.until((stream) => stream.of('presence').length > 0)
    expect(stream.of('presence').at(-1)?.presence.inDeebMode).toBe(false)
    expect(other.bus.state().gaps).toBe(1)
  })

  test('a server receives nothing of a company once it has no stream there', async () => {
    const { one, other, ann, stream } = await pair()
    const cem = await makeUser(one)
    const received: string[] = []
    other.bus.subscribe((event) => event.kind === 'presence' && received.push(event.id))
    const { session } = (await switchOn(one, ann)).body
    await stream.until((stream) => stream.of('presence').length === 1)
    await other.bus.followOnly([])
    await one.call(stopFocus, { sessionId: session.id }, ann)
    // Returns once the broker has all that this server has sent.
    await one.bus.follow([(await ofCompany(one, 'elsewhere.example')).userId])
    await other.bus.follow([ann.userId])
    await switchOn(one, cem)
    await until(() => received.includes(cem.userId))
    expect(received).toEqual([ann.userId, cem.userId])
  })

  test('servers start and stop without the broker, and use it once it is there', async () => {
    await broker.kill()
    const env = { DATABASE_URL: url, DEEB_SECRET: 'ab'.repeat(32), BUS_URL: broker.url }
    await (await startTestApp(env)).close()
    const server = await startTestApp(env)
    onTestFinished(() => server.close())
    expect(server.bus.state().isListening).toBe(false)
    expect((await server.app.inject('/readyz')).statusCode).toBe(200)
    await broker.start()
    await until(() => server.bus.state().isListening)
  })

  test.skipIf(!IS_LONG)(
    'a broker that is away for 30 seconds under load delays changes, and loses none',
    async () => {
      const { one, ann, stream } = await pair()
      await one.db.script(WITHOUT_DAILY_LIMIT)
      await broker.kill()
      onTestFinished(() => broker.start())
      const backAt = Date.now() + 30_000
      let count = 0
      while (Date.now() < backAt) {
        const { session } = (await switchOn(one, ann)).body
        await one.call(stopFocus, { sessionId: session.id }, ann)
        count += 1
      }
      one.clock.advance({ seconds: 1 })
      const last = (await switchOn(one, ann)).body.session
      const switchedAt = Date.now()
      const isRight = () => stream.of('presence').at(-1)?.presence.since === last.startedAt
      await vi.waitUntil(isRight, { timeout: 45_000 })
      console.log(
        `${count} sessions without a broker; the watcher was right ${(Date.now() - switchedAt) / 1000} s after the last switch`,
      )
    },
    120_000,
  )
})
