import { randomUUID } from 'node:crypto'
import { expect } from 'vitest'
import type { Db, Statement } from '../db/db.ts'
import { startFocus } from '../focus/start-focus.ts'
import { stopFocus } from '../focus/stop-focus.ts'
import type { MadeUser } from '../testing/make.ts'
import { times } from '../testing/runs.ts'
import { test as base } from '../testing/test.ts'
import { WEBHOOKS_HERE } from '../testing/webhook-receiver.ts'
import { addWebhook } from '../testing/webhooks.ts'

const test = base.extend('settings', { scope: 'file' }, WEBHOOKS_HERE).extend(
  'millisecondsOf',
  ({ clock }) =>
    async function millisecondsOf(db: Db, { userId }: MadeUser): Promise<number> {
      const sessionId = randomUUID()
      clock.advance({ seconds: 400 })
      const press = { sessionId, timeZone: 'UTC' }
      const begun = performance.now()
      await startFocus(db, { userId }, press, clock.now())
      await stopFocus(db, { userId }, press, clock.now())
      return performance.now() - begun
    },
)

/** The same database with switches that know nothing of webhooks. */
function withoutQueue(db: Db): Db {
  const query = <Row>(given: Statement, params = {}) => {
    const text = given.text.replace(/, queued as \(\s*insert into webhook_deliveries.*?= any\(events\)\s*\)/s, '')
    const names = given.names.filter((_, i) => text.includes(`$${i + 1}`))
    const left = Object.fromEntries(Object.entries(params).filter(([name]) => names.includes(name)))
    return db.query<Row>(text === given.text ? given : { ...given, name: `${given.name}.plain`, text, names }, left)
  }
  return { ...db, query }
}

function fail(): never {
  throw new Error('No such person.')
}

/** The fastest tenth: other work on the machine only makes a switch slower. */
const fastest = (numbers: number[]) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 10)] ?? 0

test('threat 188: a switch of a person without webhooks costs nearly the same as one that knows none', async ({
  app,
  people,
  millisecondsOf,
}) => {
  const [ann, bob, zoe] = await people(3)
  for (let n = 0; n < 10; n++) await addWebhook(app, zoe, { url: `http://127.0.0.1/${n}` })
  const plain = withoutQueue(app.db)
  const measured: [Db, MadeUser, number[]][] = [
    [plain, ann, []],
    [app.db, bob, []],
    [app.db, zoe, []],
  ]
  // In another order each time: the first one pays for what the last one left to write.
  for (let n = 0; n < times(60, 1_000); n++) {
    for (const place of [0, 1, 2]) {
      const [db, user, milliseconds] = measured[(n + place) % 3] ?? fail()
      const taken = await millisecondsOf(db, user)
      if (n >= 10) milliseconds.push(taken)
    }
  }
  const [none, without, with10] = measured.map(([, , milliseconds]) => fastest(milliseconds)) as [
    number,
    number,
    number,
  ]
  const line = `start and stop: ${none.toFixed(2)} ms; with the queue ${(without / none).toFixed(2)}, with 10 webhooks ${(with10 / none).toFixed(2)} times`
  console.log(line)
  // Far above what it costs: a busy machine must not fail the test.
  expect(without / none).toBeLessThan(2)
})
