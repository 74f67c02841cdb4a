import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { listFailedMails } from '../admin/mails.ts'
import { type Database, statement } from '../db/db.ts'
import { openTestDatabase } from '../testing/test-database.ts'
import { createDelivery, type OutgoingMail } from './delivery.ts'

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
      'test.mails',
      'select body, attempts, last_error as error, sent_at is not null as sent from auth.outbox order by subject',
    ),
  )

/** A process that sends mail: what it handed over, and how it fails as long as `failure` says so. */
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

test('a mail is handed over once and then blanked', async () => {
  const { sent, deliver } = sender()
  await put()
  await deliver()
  await deliver()
  expect(sent).toHaveLength(1)
  expect(sent[0]).toMatchObject({ recipient: 'ann@fjordlab.example', subject: '1', body: 'the link', createdAt: now() })
  expect(await rows()).toEqual([{ body: '', attempts: 1, error: null, sent: true }])
})

test('all that is due goes out, however much it is', async () => {
  const { sent, deliver } = sender()
  await put(37)
  await deliver()
  expect(new Set(sent.map((mail) => mail.subject)).size).toBe(37)
})

test('what comes while mail is being sent goes out too', async () => {
  const { sent, delivery } = sender()
  await put()
  delivery.kick()
  await put()
  delivery.kick()
  await delivery.idle()
  expect(sent).toHaveLength(2)
})

test('threat 83: however often it is asked, it sends at one time that was drawn, not earlier', async () => {
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

test('two processes send each mail once between them', async () => {
  const [one, two] = [sender(), sender()]
  await put(50)
  await Promise.all([one.deliver(), two.deliver()])
  const ids = [...one.sent, ...two.sent].map((mail) => mail.id)
  expect([ids.length, new Set(ids).size]).toEqual([50, 50])
})

test('a mail of a process that died is sent by another, two minutes later', async () => {
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

test('what fails is tried again after 15 seconds, then twice as long each time, an hour at the most', async () => {
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

test('after the twelfth failure a mail is given up, and its link with it', async () => {
  const { sent, state, deliver } = sender()
  await put()
  state.failure = 'no such \0mailbox'
  for (let n = 0; n < 14; n++) {
    await deliver()
    pass(3600)
  }
  expect(await rows()).toEqual([{ body: '', attempts: 12, error: 'no such mailbox', sent: false }])
  const told = ['2026-06-15T09:00:00.000Z', 'confirm', 'ann@fjordlab.example', '12 tries, given up', 'no such mailbox']
  expect(await listFailedMails(db)).toEqual([told.join('\t')])
  state.failure = null
  pass(365 * 86_400)
  await deliver()
  expect(sent).toHaveLength(0)
  expect(log.join()).not.toContain('the link')
})

test('one mail that fails keeps no other back', async () => {
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
    expect.stringMatching(/^Mail: \w+ [\da-f-]{36} could not be sent; `npm run admin -- mail failed`/),
  ])
})

test('a database that does not answer is logged, and the next kick tries again', async () => {
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
  expect(log).toEqual(['Mail: gone', 'Mail: gone'])
})

test('stopping waits for what is on its way and leaves the rest, however much there is', async () => {
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

test('started, it sends what is left from before; stopping waits for it', async () => {
  const { sent, delivery } = sender()
  await put()
  delivery.start()
  await delivery.stop()
  expect(sent).toHaveLength(1)
})
