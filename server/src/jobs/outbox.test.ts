import { beforeEach, expect, test } from 'vitest'
import { createOutbox, type OutboxSpec } from './outbox.ts'

interface Message {
  id: number
  attempts: number
}
interface Result {
  retryAfterSeconds: number | null
}

const DONE: Result = { retryAfterSeconds: null }
const FAILED: Result = { retryAfterSeconds: 0 }

let queue: Message[]
let errors: string[]
beforeEach(() => {
  queue = []
  errors = []
})

const now = () => new Date('2026-06-15T09:00:00Z')
const messages = (count: number, attempts = 1) => Array.from({ length: count }, (_, id) => ({ id, attempts }))

/** An outbox whose rows are in memory, and which saves the result of each message. */
function made(spec: Partial<OutboxSpec<Message, Result>> = {}) {
  const saved: string[] = []
  const outbox = createOutbox<Message, Result>({
    name: 'testing',
    everyMs: 60_000,
    max: 3,
    backoff: { firstSeconds: 10, factor: 3 },
    claim: async (room) => queue.splice(0, room),
    deliver: async () => DONE,
    isLast: () => false,
    settle: async ({ id }) => saved.push(`${id} done`),
    postpone: async ({ id }, _, nextTryAt) =>
      saved.push(`${id} ${nextTryAt === null ? 'given up' : (nextTryAt.getTime() - now().getTime()) / 1_000}`),
    now,
    onError: (error) => errors.push(error.message),
    ...spec,
  })
  const deliver = () => {
    outbox.kick()
    return outbox.idle()
  }
  return { outbox, saved, deliver }
}

/** Deliveries that end when the test says so. */
function held() {
  const begun: number[] = []
  const ends = new Map<number, () => void>()
  const deliver = ({ id }: Message) =>
    new Promise<Result>((resolve) => {
      begun.push(id)
      ends.set(id, () => resolve(DONE))
    })
  return { begun, deliver, end: (id: number) => ends.get(id)?.() }
}

const soon = () => new Promise((resolve) => setImmediate(resolve))

test('each answer makes room for the next message, and none waits for a slow one', async () => {
  queue = messages(6)
  const claims: [number, number[]][] = []
  const { begun, deliver, end } = held()
  const { outbox } = made({
    deliver,
    claim: async (room, inFlight) => {
      claims.push([room, inFlight.map(({ id }) => id)])
      return queue.splice(0, room)
    },
  })
  outbox.kick()
  await soon()
  expect(begun).toEqual([0, 1, 2])
  for (const id of [1, 2, 3, 4]) {
    end(id)
    await soon()
  }
  expect(begun).toEqual([0, 1, 2, 3, 4, 5])
  expect(claims).toEqual([
    [3, []],
    [1, [0, 2]],
    [1, [0, 3]],
    [1, [0, 4]],
    [1, [0, 5]],
  ])
  for (const id of [0, 5]) end(id)
  await outbox.idle()
})

test('a failed attempt is postponed with exponential backoff, at most an hour', async () => {
  const { saved, deliver } = made({ deliver: async () => FAILED })
  for (const attempts of [1, 2, 3, 6, 7, 100]) {
    queue = messages(1, attempts)
    await deliver()
  }
  expect(saved).toEqual([10, 30, 90, 2_430, 3_600, 3_600].map((seconds) => `0 ${seconds}`))
})

test('a receiver that asks for more time gets it', async () => {
  queue = messages(1)
  const { saved, deliver } = made({ deliver: async () => ({ retryAfterSeconds: 7_200 }) })
  await deliver()
  expect(saved).toEqual(['0 7200'])
})

test('with jitter, attempts that failed together do not follow together', async () => {
  queue = messages(50)
  const { saved, deliver } = made({
    backoff: { firstSeconds: 10, factor: 3, hasJitter: true },
    deliver: async () => FAILED,
  })
  await deliver()
  const seconds = saved.map((text) => Number(text.split(' ')[1]))
  expect(new Set(seconds).size).toBeGreaterThan(25)
  expect([Math.min(...seconds) >= 5, Math.max(...seconds) <= 15]).toEqual([true, true])
})

test('the last attempt is given up, and a delivered message is settled', async () => {
  queue = messages(3)
  const { saved, deliver } = made({
    deliver: async ({ id }) => (id === 0 ? DONE : FAILED),
    isLast: ({ id }, _, nextTryAt) => id === 1 && nextTryAt > now(),
  })
  await deliver()
  expect(saved.sort()).toEqual(['0 done', '1 given up', '2 10'])
})

test('a delivery or a write that throws is reported, and stops no other message', async () => {
  queue = messages(4)
  const { outbox, saved, deliver } = made({
    deliver: async ({ id }) => {
      if (id === 0) throw new Error('no key')
      return DONE
    },
    settle: async ({ id }) => {
      if (id === 1) throw new Error('no database')
      saved.push(`${id} done`)
    },
  })
  await deliver()
  expect(errors.sort()).toEqual(['no database', 'no key'])
  expect(saved).toEqual(['2 done', '3 done'])
  expect(outbox.state().failures).toBe(2)
})

test('stop waits for the messages that are being sent, and leaves the others', async () => {
  queue = messages(6)
  const { begun, deliver, end } = held()
  const { outbox, saved } = made({ deliver })
  outbox.start()
  await soon()
  const stopped = outbox.stop().then(() => saved.push('stopped'))
  await soon()
  for (const id of [0, 1, 2]) end(id)
  await stopped
  expect(begun).toEqual([0, 1, 2])
  expect(saved).toEqual(['0 done', '1 done', '2 done', 'stopped'])
})
