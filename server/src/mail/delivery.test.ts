import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listFailedEmails } from '../admin/failed-emails.ts'
import { type Database, statement } from '../db/db.ts'
import { openTestDatabase } from '../testing/test-database.ts'
import { createDelivery, type OutgoingMail, retryEmails } from './delivery.ts'

let db: Database
let time: number
let log: string[]
beforeAll(async () => {
  db = await openTestDatabase()
})
afterAll(() => db.close())
beforeEach(async () => {
  await db.script('delete from auth.outbox')
  time = Date.parse('2026-06-15T09:00:00Z')
  log = []
})

const now = () => new Date(time)
const defer = (send: () => void) => send()
const pass = (seconds: number) => {
  time += seconds * 1000
}

const insert = statement(
  'test.insert-mail',
  `insert into auth.outbox (id, kind, recipient, subject, body, created_at, next_try_at)
  select gen_random_uuid(), 'confirm', 'ann@fjordlab.example', n::text, 'the link', :now, :now
  from generate_series(1, :count::int) as n`,
)
const put = (count = 1) => db.query(insert, { count, now: now() })

const rows = () =>
  db.query<{ body: string; attempts: number; error: string | null; sent: boolean }>(
    statement(
      'test.emails',
      'select body, attempts, last_error as error, sent_at is not null as sent from auth.outbox order by subject',
    ),
  )

/** A process that sends emails: records the sent ones, and fails with `failure` while it is set. */
function sender() {
  const sent: OutgoingMail[] = []
  const state: { failure: string | null } = { failure: null }
  const send = async (mail: OutgoingMail) => {
    if (state.failure) throw new Error(state.failure)
    sent.push(mail)
  }
  const delivery = createDelivery({ db, send, now, log: (line) => log.push(line), defer })
  const deliver = () => {
    delivery.kick()
    return delivery.idle()
  }
  return { sent, state, delivery, deliver }
}

test('an email is sent once, and then its body is deleted', async () => {
  const { sent, deliver } = sender()
  await put()
  await deliver()
  await deliver()
  expect(sent).toHaveLength(1)
  expect(sent[0]).toMatchObject({ recipient: 'ann@fjordlab.example', subject: '1', body: 'the link', createdAt: now() })
  expect(await rows()).toEqual([{ body: '', attempts: 1, error: null, sent: true }])
})

test('sends all due emails, also more than one batch', async () => {
  const { sent, deliver } = sender()
  await put(37)
  await deliver()
  expect(new Set(sent.map((mail) => mail.subject)).size).toBe(37)
})

test('sends emails that arrive during a delivery too', async () => {
  const { sent, delivery } = sender()
  await put()
  delivery.kick()
  await put()
  delivery.kick()
  await delivery.idle()
  expect(sent).toHaveLength(2)
})

test('threat 83: many kicks coalesce into one delivery after one random delay', async () => {
  const drawn: (() => void)[] = []
  const sent: OutgoingMail[] = []
  const send = async (mail: OutgoingMail) => void sent.push(mail)
  const delivery = createDelivery({ db, send, now, log: () => undefined, defer: (send) => void drawn.push(send) })
  await put()
  for (let n = 0; n < 10; n++) delivery.kick()
  await delivery.idle()
  expect([drawn.length, sent.length]).toEqual([1, 0])
  drawn[0]?.()
  await delivery.idle()
  expect(sent).toHaveLength(1)
  delivery.kick()
  expect(drawn).toHaveLength(2)
})

test('two processes together send each email once', async () => {
  const [one, two] = [sender(), sender()]
  await put(50)
  await Promise.all([one.deliver(), two.deliver()])
  const ids = [...one.sent, ...two.sent].map((mail) => mail.id)
  expect([ids.length, new Set(ids).size]).toEqual([50, 50])
})

test('another process sends the email of a dead one after two minutes', async () => {
  await put()
  await new Promise<void>((resolve) => {
    const send = () => {
      resolve()
      return new Promise<void>(() => undefined)
    }
    createDelivery({ db, send, now, log: () => undefined, defer }).kick()
  })
  const { sent, deliver } = sender()
  pass(119)
  await deliver()
  expect(sent).toHaveLength(0)
  pass(2)
  await deliver()
  expect(sent).toHaveLength(1)
})

test('retries with exponential backoff from 15 seconds to an hour', async () => {
  const { sent, state, deliver } = sender()
  await put()
  state.failure = 'connect ECONNREFUSED'
  await deliver()
  expect(await rows()).toEqual([{ body: 'the link', attempts: 1, error: 'connect ECONNREFUSED', sent: false }])
  let attempts = 1
  for (const wait of [15, 30, 60, 120, 240, 480, 960, 1920, 3600, 3600]) {
    pass(wait - 1)
    await deliver()
    expect((await rows())[0]?.attempts).toBe(attempts)
    pass(1)
    await deliver()
    attempts += 1
    expect((await rows())[0]?.attempts).toBe(attempts)
  }
  state.failure = null
  pass(3600)
  await deliver()
  expect(sent).toHaveLength(1)
  expect(await rows()).toEqual([{ body: '', attempts: 12, error: null, sent: true }])
})

test('sends what a mail server that was away for two days has missed, immediately after `mail retry`', async () => {
  const { sent, state, deliver } = sender()
  await put(2)
  state.failure = 'connect ECONNREFUSED'
  for (let n = 0; n < 50; n++) {
    await deliver()
    pass(3600)
  }
  state.failure = null
  await deliver()
  state.failure = 'connect ECONNREFUSED'
  await put()
  await deliver()
  const before = sent.length
  state.failure = null
  await deliver()
  expect([before, sent.length]).toEqual([2, 2])
  expect(await retryEmails(db, now())).toBe(1)
  expect(await retryEmails(db, now())).toBe(1)
  await deliver()
  expect(sent).toHaveLength(3)
  expect(await retryEmails(db, now())).toBe(0)
})

test('gives up after three days and deletes the link', async () => {
  const { sent, state, deliver } = sender()
  await put()
  state.failure = 'no such \0mailbox'
  for (let n = 0; n < 80; n++) {
    await deliver()
    pass(3600)
  }
  expect(await rows()).toEqual([{ body: '', attempts: 73, error: 'no such mailbox', sent: false }])
  const cells = [
    '2026-06-15T09:00:00.000Z',
    'confirm',
    'ann@fjordlab.example',
    '73 attempts, given up',
    'no such mailbox',
  ]
  expect(await listFailedEmails(db)).toEqual([cells.join('\t')])
  state.failure = null
  pass(365 * 86_400)
  await deliver()
  expect(sent).toHaveLength(0)
  expect(log.join()).not.toContain('the link')
})

test('an email that fails does not block others', async () => {
  await put(3)
  const sent: string[] = []
  const send = async ({ subject }: OutgoingMail) => {
    if (subject === '2') throw new Error('no such mailbox')
    sent.push(subject)
  }
  const delivery = createDelivery({ db, send, now, log: (line) => log.push(line), defer })
  delivery.kick()
  await delivery.idle()
  expect(sent.sort()).toEqual(['1', '3'])
  expect(log).toEqual([
    expect.stringMatching(/^Mail: \w+ [\da-f-]{36} could not be sent\. Run `npm run admin -- mail failed`/),
  ])
})

test('a database failure is logged, and the next kick retries', async () => {
  const failing = { ...db, query: () => Promise.reject(new Error('gone')) }
  const delivery = createDelivery({
    db: failing,
    send: async () => undefined,
    now,
    log: (line) => log.push(line),
    defer,
  })
  for (const _ of [1, 2]) {
    delivery.kick()
    await delivery.idle()
  }
  expect(log).toEqual(Array(2).fill('Mail: cannot read or update the outbox: gone'))
})

test('stop waits for emails that are being sent and leaves the others', async () => {
  const begun: string[] = []
  let arrive: () => void = () => undefined
  const isUnderWay = new Promise<void>((resolve) => {
    arrive = resolve
  })
  let answer: () => void = () => undefined
  const answered = new Promise<void>((resolve) => {
    answer = resolve
  })
  const send = async (mail: OutgoingMail) => {
    begun.push(mail.subject)
    arrive()
    await answered
  }
  const delivery = createDelivery({ db, send, now, log: (line) => log.push(line), defer })
  await put(37)
  delivery.start()
  await isUnderWay
  const stopped = delivery.stop()
  answer()
  await stopped
  delivery.kick()
  await delivery.idle()
  expect(begun).toHaveLength(10)
  expect((await rows()).filter(({ sent }) => sent)).toHaveLength(10)
})

test('start sends emails from before, and stop waits for them', async () => {
  const { sent, delivery } = sender()
  await put()
  delivery.start()
  await delivery.stop()
  expect(sent).toHaveLength(1)
})
