import { readMyData, updateLanguage, updateRequestEmails, updateUsername } from '@deeb/core/account/api'
import { startFocus, stopFocus } from '@deeb/core/focus/api'
import { answerRequest, requestConnection } from '@deeb/core/team/api'
import { v7 as uuidv7 } from 'uuid'
import { describe, expect } from 'vitest'
import { blockUser } from '../admin/users.ts'
import { type Db, statement } from '../db/db.ts'
import { mailsTo } from '../testing/auth-client.ts'
import { deactivate } from '../testing/company.ts'
import { openStream } from '../testing/live.ts'
import { type MadeUser, makeUser } from '../testing/make.ts'
import { test as base } from '../testing/test.ts'
import { until } from '../testing/until.ts'
import { remindOfRequests } from './remind-of-requests.ts'

const test = base
  .extend('settings', { scope: 'file' }, { PUBLIC_URL: 'https://deeb.example' })
  .extend('reminders', ({ app, clock }) => {
    const colleague = (name: string) => makeUser(app, { email: `${name}@${company}` })
    const ask = async (by: MadeUser, whom = ann) =>
      (await app.call(requestConnection, { userId: whom.userId }, by)).body.connectionId
    const pass = (minutes: number) => clock.advance({ minutes })
    const remind = (db: Db = app.db) => remindOfRequests({ ...app.auth, db }, clock.now())
    /** The emails to a person about requests, oldest first. */
    async function emails({ email }: MadeUser = ann): Promise<string[]> {
      const all = await mailsTo({ config: app.auth.config, mailer: app.mailer }, email)
      return all.map((text) => text.replaceAll('\r\n', '\n'))
    }
    const subjects = async (whom = ann) => (await emails(whom)).map((text) => /^Subject: (.*)$/m.exec(text)?.[1])
    const body = async () => (await emails()).at(-1)?.split('\n\n').slice(1).join('\n\n') ?? ''
    return { colleague, ask, pass, remind, emails, subjects, body }
  })

let ann: MadeUser
let companies = 0
let company: string
test.beforeEach(async ({ clock, reminders }) => {
  companies += 1
  company = `company${companies}.example`
  // A later day: the requests of earlier tests are too old to matter.
  clock.advance({ hours: 24 * 8 })
  clock.set(`${clock.now().toISOString().slice(0, 10)}T09:00:00.000Z`)
  ann = await reminders.colleague('ann.meyer')
})

const rows = statement(
  'test.request-emails',
  'select body, unsubscribe_url as url, sent_at is not null as sent from auth.outbox where recipient = :email',
)

test('a request is emailed after 10 minutes, once, with the names and the link to the team', async ({
  clock,
  reminders,
}) => {
  await reminders.ask(await reminders.colleague('ben.dahl'))
  await reminders.ask(await reminders.colleague('cleo.berg'))
  reminders.pass(9)
  await reminders.remind()
  expect(await reminders.emails()).toEqual([])
  reminders.pass(1)
  await reminders.remind()
  expect(await reminders.subjects()).toEqual(['2 colleagues want to connect with you on deeb'])
  expect(await reminders.body()).toMatch(
    /:\n\n- (Cleo Berg\n- Ben Dahl|Ben Dahl\n- Cleo Berg)\n\nConnected colleagues see/,
  )
  expect(await reminders.body()).toContain('\n\nhttps://deeb.example/app/team\n\n')
  for (const hours of [1, 24, 48]) {
    clock.advance({ hours })
    await reminders.remind()
  }
  expect(await reminders.subjects()).toHaveLength(1)
})

test('a second email is sent a day after the first, if a new request waits then', async ({ reminders }) => {
  await reminders.ask(await reminders.colleague('ben.dahl'))
  reminders.pass(10)
  await reminders.remind()
  reminders.pass(1)
  await reminders.ask(await reminders.colleague('cleo.berg'))
  reminders.pass(60 * 23)
  await reminders.remind()
  expect(await reminders.subjects()).toHaveLength(1)
  reminders.pass(60)
  await reminders.remind()
  expect(await reminders.subjects()).toEqual([
    'A colleague wants to connect with you on deeb',
    '2 colleagues want to connect with you on deeb',
  ])
})

test('five servers that run at the same time send one email', async ({ reminders }) => {
  await reminders.ask(await reminders.colleague('ben.dahl'))
  reminders.pass(10)
  await Promise.all(Array.from({ length: 5 }, () => reminders.remind()))
  expect(await reminders.subjects()).toHaveLength(1)
})

test('threat 100: contains no text that a requester typed', async ({ app, reminders }) => {
  const typist = await reminders.colleague('win-at-evil.example')
  await app.call(updateUsername, { username: 'Win at https://evil.example!' }, typist)
  await reminders.ask(typist)
  for (let n = 0; n < 6; n++) await reminders.ask(await reminders.colleague(`${'abcdef'[n]}.dahl`))
  reminders.pass(10)
  await reminders.remind()
  expect(await reminders.subjects()).toEqual(['7 colleagues want to connect with you on deeb'])
  expect((await reminders.body()).match(/^- .*$/gm)).toHaveLength(6)
  expect(await reminders.body()).toContain('- 2 more\n')
  expect(await reminders.emails()).toEqual([expect.not.stringMatching(/evil|Win|[^\n -~]/)])
})

test('a colleague whose address has no name is counted', async ({ reminders }) => {
  await reminders.ask(await reminders.colleague('ben'))
  reminders.pass(10)
  await reminders.remind()
  expect(await reminders.body()).toContain('A colleague wants to connect with you on deeb.\n\nConnected')
})

describe('a request is not mentioned', () => {
  test.for(['accepted', 'declined'] as const)('after it was %s', async (answer, { app, reminders }) => {
    const requestId = await reminders.ask(await reminders.colleague('ben.dahl'))
    await app.call(answerRequest, { requestId, answer }, ann)
    reminders.pass(10)
    await reminders.remind()
    expect(await reminders.emails()).toEqual([])
  })

  test('if it is answered while the email is being written', async ({ app, reminders }) => {
    const requestId = await reminders.ask(await reminders.colleague('ben.dahl'))
    reminders.pass(10)
    const late: Db = {
      ...app.db,
      query: async (statement, values) => {
        if (statement.name === 'reminders.email') await app.call(answerRequest, { requestId, answer: 'declined' }, ann)
        return app.db.query(statement, values)
      },
    }
    await reminders.remind(late)
    expect(await reminders.emails()).toEqual([])
  })

  test('if it waited while the app was opened', async ({ app, reminders }) => {
    await reminders.ask(await reminders.colleague('ben.dahl'))
    reminders.pass(10)
    ;(await openStream(app, ann)).leave()
    await reminders.remind()
    reminders.pass(60)
    await reminders.remind()
    expect(await reminders.emails()).toEqual([])
    // A later one is.
    await reminders.ask(await reminders.colleague('cleo.berg'))
    reminders.pass(10)
    await reminders.remind()
    expect(await reminders.subjects()).toEqual(['2 colleagues want to connect with you on deeb'])
  })

  test('if it arrives while the app is open', async ({ app, reminders }) => {
    const stream = await openStream(app, ann)
    await reminders.ask(await reminders.colleague('ben.dahl'))
    const seen = statement('test.seen', 'select requests_seen_until as at from profiles where id = :userId')
    await until(async () => (await app.db.query<{ at: Date | null }>(seen, { userId: ann.userId }))[0]?.at)
    stream.leave()
    reminders.pass(10)
    await reminders.remind()
    expect(await reminders.emails()).toEqual([])
  })

  test('from a blocked person, or to one', async ({ app, clock, reminders }) => {
    const [ben, cleo] = [await reminders.colleague('ben.dahl'), await reminders.colleague('cleo.berg')]
    await reminders.ask(ben)
    await reminders.ask(ann, cleo)
    await blockUser(app.db, ben.email, clock.now())
    await blockUser(app.db, cleo.email, clock.now())
    reminders.pass(10)
    await reminders.remind()
    expect([await reminders.emails(), await reminders.emails(cleo)]).toEqual([[], []])
  })

  test('when the company has deactivated one of the two', async ({ app, reminders }) => {
    const [ben, cleo] = [await reminders.colleague('ben.dahl'), await reminders.colleague('cleo.berg')]
    await reminders.ask(ben)
    await reminders.ask(ann, cleo)
    for (const { userId } of [ben, cleo]) await deactivate(app.db, userId)
    reminders.pass(10)
    await reminders.remind()
    expect([await reminders.emails(), await reminders.emails(cleo)]).toEqual([[], []])
  })

  test('after 7 days', async ({ reminders }) => {
    await reminders.ask(await reminders.colleague('ben.dahl'))
    reminders.pass(7 * 24 * 60)
    await reminders.remind()
    expect(await reminders.emails()).toEqual([])
  })
})

describe('an email waits', () => {
  test('for the end of a session', async ({ app, reminders }) => {
    const sessionId = uuidv7()
    await app.call(startFocus, { sessionId, timeZone: 'UTC' }, ann)
    await reminders.ask(await reminders.colleague('ben.dahl'))
    reminders.pass(60)
    await reminders.remind()
    expect(await reminders.emails()).toEqual([])
    await app.call(stopFocus, { sessionId }, ann)
    await reminders.remind()
    expect(await reminders.emails()).toHaveLength(1)
  })

  test.for([
    ['America/Los_Angeles', '02:59', '15:01'],
    ['Asia/Kathmandu', '13:16', '02:16'],
    ['UTC', '19:01', '08:01'],
  ] as const)(
    'for the morning in %s, the zone of the last session',
    async ([timeZone, night, morning], { app, clock, reminders }) => {
      const sessionId = uuidv7()
      await app.call(startFocus, { sessionId, timeZone }, ann)
      reminders.pass(1)
      await app.call(stopFocus, { sessionId }, ann)
      await reminders.ask(await reminders.colleague('ben.dahl'))
      const nextDay = () => new Date(clock.now().getTime() + 86_400_000).toISOString().slice(0, 10)
      clock.set(`${nextDay()}T${night}:00.000Z`)
      await reminders.remind()
      expect(await reminders.emails()).toEqual([])
      clock.set(`${nextDay()}T${morning}:00.000Z`)
      await reminders.remind()
      expect(await reminders.emails()).toHaveLength(1)
    },
  )

  test('threat 100: for its minute, since a server sends 20 in a minute', async ({ reminders }) => {
    const ben = await reminders.colleague('ben.dahl')
    const people = await Promise.all(Array.from({ length: 23 }, (_, n) => reminders.colleague(`person${n}`)))
    for (const person of people) await reminders.ask(ben, person)
    const reached = async () =>
      (await Promise.all(people.map(reminders.emails))).filter((all) => all.length === 1).length
    reminders.pass(10)
    await reminders.remind()
    await reminders.remind()
    expect(await reached()).toBe(20)
    reminders.pass(1)
    await reminders.remind()
    expect(await reached()).toBe(23)
  })
})

test('threat 100: one requester causes emails to 50 people, not to a whole company', async ({ reminders }) => {
  const ben = await reminders.colleague('ben.dahl')
  const people = await Promise.all(Array.from({ length: 55 }, (_, n) => reminders.colleague(`person${n}`)))
  for (const person of people) await reminders.ask(ben, person)
  reminders.pass(10)
  for (let minute = 0; minute < 5; minute++) {
    await reminders.remind()
    reminders.pass(1)
  }
  const reached = (await Promise.all(people.map(reminders.emails))).filter((all) => all.length > 0)
  expect(reached).toHaveLength(50)
})

test('no email is sent while they are switched off', async ({ app, reminders }) => {
  const set = async (requestEmails: boolean) =>
    (await app.call(updateRequestEmails, { requestEmails }, ann)).body.requestEmails
  expect(await set(false)).toBe(false)
  await reminders.ask(await reminders.colleague('ben.dahl'))
  reminders.pass(10)
  await reminders.remind()
  expect(await reminders.emails()).toEqual([])
  expect(await set(true)).toBe(true)
  await reminders.remind()
  expect(await reminders.emails()).toHaveLength(1)
})

test('the email has the headers of a one-click unsubscribe, and keeps no link once it is sent', async ({
  app,
  reminders,
}) => {
  await reminders.ask(await reminders.colleague('ben.dahl'))
  reminders.pass(10)
  await reminders.remind()
  const [eml = ''] = await reminders.emails()
  const [, url] = /^List-Unsubscribe: <(https:\/\/deeb\.example\/unsubscribe\?token=[\w.-]+)>$/m.exec(eml) ?? []
  expect(eml).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m)
  expect(eml.trimEnd().endsWith(`Stop it here:\n\n${url}`)).toBe(true)
  expect(await app.db.query(rows, { email: ann.email })).toEqual([{ body: '', url: null, sent: true }])
  const data = (await app.call(readMyData, {}, ann)).body
  expect(data['auth.outbox']).toMatchObject([{ kind: 'requests', recipient: ann.email }])
  expect(Object.keys(data['auth.outbox']?.[0] ?? {})).not.toContain('unsubscribe_url')
  expect(data.profiles).toMatchObject([{ request_emails: true, requests_emailed_at: expect.any(String) }])
})

test('a person who has chosen a language gets the email in it', async ({ app, reminders }) => {
  await app.call(updateLanguage, { language: 'de' }, ann)
  await reminders.ask(await reminders.colleague('ben.dahl'))
  reminders.pass(10)
  await reminders.remind()
  expect(await reminders.body()).toMatch(
    /^Hallo,\n\njemand aus deiner Firma möchte sich auf deeb mit dir verbinden:\n\n- Ben Dahl\n\nWenn ihr/,
  )
  expect(await reminders.body()).toContain('\n\nhttps://deeb.example/app/team\n\n')
})
