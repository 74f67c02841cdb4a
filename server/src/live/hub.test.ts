import { closeCircle, hidePerson, leaveCircle, removeMember } from '@deeb/core/circles/api'
import { startFocus as startEndpoint } from '@deeb/core/focus/api'
import { LiveDelivery, type LiveEvent } from '@deeb/core/live-events'
import { quitConnection } from '@deeb/core/team/api'
import { v7 as uuidv7 } from 'uuid'
import * as v from 'valibot'
import { afterEach, expect } from 'vitest'
import { type Db, statement } from '../db/db.ts'
import { startFocus } from '../focus/start-focus.ts'
import { createLocalBus, type EventBus } from '../lib/event-bus.ts'
import { LIMITS } from '../limits/limits-table.ts'
import { makeCircle } from '../testing/circles.ts'
import { type MadeUser, makeConnection, makeUser } from '../testing/make.ts'
import { makeSign } from '../testing/signs.ts'
import { test as base, type FixturesOf } from '../testing/test.ts'
import type { TestApp } from '../testing/test-app.ts'
import { until } from '../testing/until.ts'
import { createHub, type Hub } from './hub.ts'
import type { LiveStream } from './stream.ts'

const test = base.extend('live', ({ app }) => {
  /** Opens a stream of the user and records its events. */
  async function listen({ userId }: MadeUser) {
    const [session] = await app.db.query<{ id: string }>(ownSession, { userId })
    const endsAtMs = app.clock.now().getTime() + 3_600_000
    const { stream, me } = await hub.open({ ownerId: userId, sessionId: session?.id ?? '', endsAtMs })
    const events: LiveEvent[] = []
    const write = (text = '') => {
      if (text.startsWith('data: ')) events.push(...v.parse(LiveDelivery, JSON.parse(text.slice(6))))
      return true
    }
    stream.greet({ write, end: write, destroy: () => undefined, on: () => undefined } as never, me)
    const types = () => events.map(({ type }) => type)
    return { stream, events, types, until: (type: LiveEvent['type']) => until(() => types().includes(type)) }
  }
  /** Switches on without publishing an event, like a process that dies after the commit. */
  const switchOn = ({ userId }: MadeUser) =>
    startFocus(app.db, { userId }, { sessionId: uuidv7(), timeZone: 'UTC' }, app.clock.now())
  return { listen, switchOn }
})

let ann: MadeUser
let bea: MadeUser
let bus: EventBus
let hub: Hub
/** Called before each statement of the hub with its name. */
let before: (name: string) => Promise<unknown> = async () => undefined
let errors: unknown[] = []
const evicted: string[] = []
test.beforeEach(async ({ app }) => {
  ann = await makeUser(app)
  bea = await makeUser(app)
  bus = createLocalBus()
  before = async () => undefined
  errors = []
  const { db, clock } = app
  const watched: Db = {
    ...db,
    query: async (statement, params) => {
      await before(statement.name)
      return db.query(statement, params)
    },
  }
  const sessionAlive = { evict: (sessionId: string) => void evicted.push(sessionId), clear: () => undefined }
  hub = createHub({
    ...{
      db: watched,
      bus,
      sessionAlive,
      tokenAlive: { evict: () => undefined, clear: () => undefined },
      now: clock.now,
      circleSize: 50,
    },
    logError: (error) => errors.push(error),
  })
})
afterEach(() => hub.close())

const ownSession = statement('test.session-of', 'select id from auth.sessions where user_id = :userId')

/** Returns what the client of a stream reads at first. */
function greeted(stream: LiveStream): string {
  const texts: string[] = []
  const write = (text = '') => texts.push(text) > 0
  stream.greet({ write, end: write, destroy: () => undefined, on: () => undefined } as never, null)
  return texts.join('')
}

test('the sweep finds a change that was never published, and delivers it once', async ({ app, live }) => {
  await makeConnection(app, ann, bea)
  const [annStream, beaStream] = [await live.listen(ann), await live.listen(bea)]
  await live.switchOn(ann)
  expect(annStream.types()).toEqual(['hello'])
  await hub.sweep()
  await Promise.all([annStream.until('me-changed'), beaStream.until('presence')])
  await hub.sweep()
  bus.publish({ kind: 'presence', id: ann.userId })
  await live.switchOn(bea)
  bus.publish({ kind: 'presence', id: bea.userId })
  await annStream.until('presence')
  expect(annStream.types()).toEqual(['hello', 'me-changed', 'presence'])
  expect(beaStream.types().filter((type) => type === 'presence')).toHaveLength(1)
})

test('the sweep finds the switch of a new connection that was never published', async ({ app, live }) => {
  const beaStream = await live.listen(bea)
  await makeConnection(app, ann, bea)
  const statements: string[] = []
  before = async (name) => statements.push(name)
  await live.switchOn(ann)
  bus.publish({ kind: 'presence', id: ann.userId })
  expect(statements).toEqual([])
  await hub.sweep()
  await beaStream.until('presence')
})

test('after missed events the hub finds changes and tells all clients to refetch the team', async ({ app, live }) => {
  await makeConnection(app, ann, bea)
  const beaStream = await live.listen(bea)
  await live.switchOn(ann)
  bus.publish({ kind: 'missed' })
  await beaStream.until('presence')
  await until(() => beaStream.types().includes('team-changed'))
})

test('the sweep finds an auth session whose end was not published', async ({ app, live }) => {
  const [annStream, beaStream] = [await live.listen(ann), await live.listen(bea)]
  await app.db.query(statement('test.end-sessions', 'delete from auth.sessions where user_id = :userId'), {
    userId: ann.userId,
  })
  await hub.sweep()
  expect(annStream.events.at(-1)).toEqual({ type: 'bye', reason: 'renew' })
  expect(evicted).toContain(annStream.stream.sessionId)
  expect(beaStream.types()).toEqual(['hello'])
  expect(hub.size()).toEqual({ streams: 1, users: 1 })
})

test('threat 172: where all streams of signs are taken, a newcomer takes one of the person who has most', ({ app }) => {
  const endsAtMs = app.clock.now().getTime() + 3_600_000
  const open = (maker: string, n: number) => hub.signs.open({ id: `${maker} ${n}`, userIds: [maker] }, endsAtMs)
  const { max } = LIMITS.signStreams
  const many = Array.from({ length: max }, (_, n) => open(`stranger ${n % 100}`, n))
  const ofBea = [open(bea.userId, 1), open(bea.userId, 2)]
  for (let n = 0; n < 100; n++) many.push(open(`stranger ${n}`, max + n))
  expect(hub.signs.size().streams).toBe(max)
  const ended = (streams: LiveStream[]) => streams.filter((stream) => greeted(stream).includes('too-many')).length
  expect([ended(ofBea), ended(many)]).toEqual([0, 102])
})

test('a stopping server opens no stream of a sign, which nothing would end', ({ app }) => {
  hub.close()
  const open = () => hub.signs.open({ id: 'a', userIds: [ann.userId] }, app.clock.now().getTime() + 60_000)
  expect(open).toThrow(expect.objectContaining({ code: 'unavailable' }))
  expect(hub.signs.size()).toEqual({ streams: 0, signs: 0 })
})

test('threat 168: a stream that opens while its auth session ends is refused', async ({ app, live }) => {
  before = async () => {
    before = async () => undefined
    await app.db.query(statement('test.end-sessions', 'delete from auth.sessions where user_id = :userId'), {
      userId: ann.userId,
    })
  }
  await expect(live.listen(ann)).rejects.toMatchObject({ code: 'not_signed_in' })
  expect(hub.size()).toEqual({ streams: 0, users: 0 })
})

test('the sweep finds an auth session that needs a second factor now', async ({ app, live }) => {
  const annStream = await live.listen(ann)
  const enrolled = `insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, secret, status, created_at, updated_at)
    values (gen_random_uuid(), :userId, 'Phone', 'totp', '', 'verified', now(), now())`
  await app.db.query(statement('test.enroll', enrolled), { userId: ann.userId })
  await hub.sweep()
  expect(annStream.events.at(-1)).toEqual({ type: 'bye', reason: 'renew' })
})

test('a change during a database outage is delivered by the next sweep', async ({ live }) => {
  const annStream = await live.listen(ann)
  await live.switchOn(ann)
  before = async () => Promise.reject(new Error('gone'))
  bus.publish({ kind: 'presence', id: ann.userId })
  await until(() => errors.length > 0)
  before = async () => undefined
  await hub.sweep()
  await annStream.until('me-changed')
})

test('presence that was read before a quit is not delivered after it', async ({ app, live }) => {
  const connectionId = await makeConnection(app, ann, bea)
  const [annStream, beaStream] = [await live.listen(ann), await live.listen(bea)]
  await live.switchOn(ann)
  // During the read. They reconnect before the query runs, so that it still finds the connection.
  before = async (name) => {
    if (name !== 'presence.read') return
    before = async () => undefined
    await app.call(quitConnection, { connectionId }, bea)
    bus.publish({ kind: 'team', id: bea.userId })
    await makeConnection(app, ann, bea)
  }
  bus.publish({ kind: 'presence', id: ann.userId })
  await annStream.until('me-changed')
  expect(beaStream.types()).toEqual(['hello', 'team-changed'])
})

/** Every way in which Bea, who keeps the circle, and Ann stop seeing each other. */
const ENDS: Record<string, (app: TestApp, circleId: string) => Promise<unknown>> = {
  'Ann left a circle': (app, circleId) => app.call(leaveCircle, { circleId }, ann),
  'Ann hid': (app) => app.call(hidePerson, { userId: bea.userId, isHidden: true }, ann),
  'Ann was removed from a circle': (app, circleId) => app.call(removeMember, { circleId, userId: ann.userId }, bea),
  'a circle was closed': (app, circleId) => app.call(closeCircle, { circleId }, bea),
}

test.for(Object.keys(ENDS))(
  'presence that was read before %s is not delivered after it',
  async (end, { app, live }) => {
    const { circleId } = await makeCircle(app, [bea, ann])
    const [annStream, beaStream] = [await live.listen(ann), await live.listen(bea)]
    await live.switchOn(ann)
    // They see each other again before the query runs, so that it still finds that they do.
    before = async (name) => {
      if (name !== 'presence.read') return
      before = async () => undefined
      expect(await ENDS[end]?.(app, circleId)).toMatchObject({ status: 200 })
      for (const { userId } of [ann, bea]) bus.publish({ kind: 'team', id: userId })
      await makeConnection(app, ann, bea)
    }
    bus.publish({ kind: 'presence', id: ann.userId })
    await annStream.until('me-changed')
    expect(beaStream.types()).toEqual(['hello', 'team-changed'])
  },
)

test('presence that was read before a quit is not delivered to a stream that was opened after it', async ({
  app,
  live,
}) => {
  const connectionId = await makeConnection(app, ann, bea)
  const annStream = await live.listen(ann)
  await live.switchOn(ann)
  let beaStream: Awaited<ReturnType<FixturesOf<typeof test>['live']['listen']>> | undefined
  before = async (name) => {
    if (name !== 'presence.read') return
    before = async () => undefined
    await app.call(quitConnection, { connectionId }, bea)
    bus.publish({ kind: 'team', id: bea.userId })
    beaStream = await live.listen(bea)
    // They reconnect before the query runs, so that it still finds the connection.
    await makeConnection(app, ann, bea)
  }
  bus.publish({ kind: 'presence', id: ann.userId })
  await annStream.until('me-changed')
  expect(beaStream?.types()).toEqual(['hello'])
})

test('concurrent changes are batched into one read', async ({ live }) => {
  const annStream = await live.listen(ann)
  const reads: string[] = []
  before = async (name) => reads.push(name)
  await live.switchOn(ann)
  for (let n = 0; n < 100; n++) bus.publish({ kind: 'presence', id: n === 99 ? ann.userId : uuidv7() })
  await annStream.until('me-changed')
  expect(reads.filter((name) => name === 'presence.read').length).toBeLessThanOrEqual(2)
})

test('the hub reads nothing while no stream is open', async ({ app }) => {
  const reads: string[] = []
  before = async (name) => reads.push(name)
  await app.call(startEndpoint, { sessionId: uuidv7(), timeZone: 'UTC' }, ann)
  bus.publish({ kind: 'presence', id: ann.userId })
  await hub.sweep()
  expect(reads).toEqual([])
})

test('streams of signs that open and close leave nothing behind, and count for no person', async ({ app }) => {
  const { id } = await makeSign(app, ann)
  const sink = { write: () => true, end: () => true, destroy: () => undefined, on: () => undefined } as never
  for (let n = 0; n < 1_000; n++) {
    const stream = hub.signs.open({ id, userIds: [ann.userId] }, app.clock.now().getTime() + 60_000)
    hub.signs.greet(stream, sink)
    expect(hub.signs.size()).toEqual({ streams: 1, signs: 1 })
    hub.signs.remove(stream)
  }
  expect([hub.signs.size(), hub.size()]).toEqual([
    { streams: 0, signs: 0 },
    { streams: 0, users: 0 },
  ])
})
