import { readMyData, updateLanguage, updateRequestEmails, updateUsername } from '@deeb/core/account/api'
import { startFocus, stopFocus } from '@deeb/core/focus/api'
import { answerRequest, requestConnection } from '@deeb/core/team/api'
import { v7 as uuidv7 } from 'uuid'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { blockUser } from '../admin/users.ts'
import { type Db, statement } from '../db/db.ts'
import { mailsTo } from '../testing/auth-client.ts'
import { deactivate } from '../testing/company.ts'
import { openStream } from '../testing/live.ts'
import { type MadeUser, makeUser } from '../testing/make.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import { until } from '../testing/until.ts'
import { remindOfRequests } from './remind-of-requests.ts'

let testApp: TestApp
let ann: MadeUser
let companies = 0
let company: string
beforeAll(async () => {
  testApp = await startTestApp({ PUBLIC_URL: 'https://deeb.example' })
})
afterAll(() => testApp.close())
beforeEach(async () => {
  companies += 1
  company = `company${companies}.example`
  // A later day: the requests of earlier tests are too old to matter.
  testApp.clock.advance({ hours: 24 * 8 })
  testApp.clock.set(`${testApp.clock.now().toISOString().slice(0, 10)}T09:00:00.000Z`)
  ann = await colleague('ann.meyer')
})

const colleague = (name: string) => makeUser(testApp, { email: `${name}@${company}` })
const ask = async (by: MadeUser, whom = ann) =>
  (await testApp.call(requestConnection, { userId: whom.userId }, by)).body.connectionId
const pass = (minutes: number) => testApp.clock.advance({ minutes })
const remind = (db: Db = testApp.db) => remindOfRequests({ ...testApp.auth, db }, testApp.clock.now())

/** The emails to a person about requests, oldest first. */
async function emails({ email }: MadeUser = ann): Promise<string[]> {
  const all = await mailsTo({ config: testApp.auth.config, mailer: testApp.mailer }, email)
  return all.map((text) => text.replaceAll('\r\n', '\n'))
}

const subjects = async (whom = ann) => (await emails(whom)).map((text) => /^Subject: (.*)$/m.exec(text)?.[1])
const body = async () => (await emails()).at(-1)?.split('\n\n').slice(1).join('\n\n') ?? ''

const rows = statement(
  'test.request-emails',
  'select body, unsubscribe_url as url, sent_at is not null as sent from auth.outbox where recipient = :email',
)

test('a request is emailed after 10 minutes, once, with the names and the link to the team', async () => {
  await ask(await colleague('ben.dahl'))
  await ask(await colleague('cleo.berg'))
  pass(9)
  await remind()
  expect(await emails()).toEqual([])
  pass(1)
  await remind()
  expect(await subjects()).toEqual(['2 colleagues want to connect with you on deeb'])
  expect(await body()).toMatch(/:\n\n- (Cleo Berg\n- Ben Dahl|Ben Dahl\n- Cleo Berg)\n\nConnected colleagues see/)
  expect(await body()).toContain('\n\nhttps://deeb.example/app/team\n\n')
  for (const hours of [1, 24, 48]) {
    testApp.clock.advance({ hours })
    await remind()
  }
  expect(await subjects()).toHaveLength(1)
})

test('a second email is sent a day after the first, if a new request waits then', async () => {
  await ask(await colleague('ben.dahl'))
  pass(10)
  await remind()
  pass(1)
  await ask(await colleague('cleo.berg'))
  pass(60 * 23)
  await remind()
  expect(await subjects()).toHaveLength(1)
  pass(60)
  await remind()
  expect(await subjects()).toEqual([
    'A colleague wants to connect with you on deeb',
    '2 colleagues want to connect with you on deeb',
  ])
})

test('five servers that run at the same time send one email', async () => {
  await ask(await colleague('ben.dahl'))
  pass(10)
  await Promise.all(Array.from({ length: 5 }, () => remind()))
  expect(await subjects()).toHaveLength(1)
})

test('threat 100: contains no text that a requester typed', async () => {
  const typist = await colleague('win-at-evil.example')
  await testApp.call(updateUsername, { username: 'Win at https://evil.example!' }, typist)
  await ask(typist)
  for (let n = 0; n < 6; n++) await ask(await colleague(`${'abcdef'[n]}.dahl`))
  pass(10)
  await remind()
  expect(await subjects()).toEqual(['7 colleagues want to connect with you on deeb'])
  expect((await body()).match(/^- .*$/gm)).toHaveLength(6)
  expect(await body()).toContain('- 2 more\n')
  expect(await emails()).toEqual([expect.not.stringMatching(/evil|Win|[^\n -~]/)])
})

test('a colleague whose address has no name is counted', async () => {
  await ask(await colleague('ben'))
  pass(10)
  await remind()
  expect(await body()).toContain('A colleague wants to connect with you on deeb.\n\nConnected')
})

describe('a request is not mentioned', () => {
  test.each(['accepted', 'declined'] as const)('after it was %s', async (answer) => {
    const requestId = await ask(await colleague('ben.dahl'))
    await testApp.call(answerRequest, { requestId, answer }, ann)
    pass(10)
    await remind()
    expect(await emails()).toEqual([])
  })

  test('if it is answered while the email is being written', async () => {
    const requestId = await ask(await colleague('ben.dahl'))
    pass(10)
    const late: Db = {
      ...testApp.db,
      query: async (statement, values) => {
        if (statement.name === 'reminders.email')
          await testApp.call(answerRequest, { requestId, answer: 'declined' }, ann)
        return testApp.db.query(statement, values)
      },
    }
    await remind(late)
    expect(await emails()).toEqual([])
  })

  test('if it waited while the app was opened', async () => {
    await ask(await colleague('ben.dahl'))
    pass(10)
    ;(await openStream(testApp, ann)).leave()
    await remind()
    pass(60)
    await remind()
    expect(await emails()).toEqual([])
    // A later one is.
    await ask(await colleague('cleo.berg'))
    pass(10)
    await remind()
    expect(await subjects()).toEqual(['2 colleagues want to connect with you on deeb'])
  })

  test('if it arrives while the app is open', async () => {
    const stream = await openStream(testApp, ann)
    await ask(await colleague('ben.dahl'))
    const seen = statement('test.seen', 'select requests_seen_until as at from profiles where id = :userId')
    await until(async () => (await testApp.db.query<{ at: Date | null }>(seen, { userId: ann.userId }))[0]?.at)
    stream.leave()
    pass(10)
    await remind()
    expect(await emails()).toEqual([])
  })

  test('from a blocked person, or to one', async () => {
    const [ben, cleo] = [await colleague('ben.dahl'), await colleague('cleo.berg')]
    await ask(ben)
    await ask(ann, cleo)
    await blockUser(testApp.db, ben.email, testApp.clock.now())
    await blockUser(testApp.db, cleo.email, testApp.clock.now())
    pass(10)
    await remind()
    expect([await emails(), await emails(cleo)]).toEqual([[], []])
  })

  test('when the company has deactivated one of the two', async () => {
    const [ben, cleo] = [await colleague('ben.dahl'), await colleague('cleo.berg')]
    await ask(ben)
    await ask(ann, cleo)
    for (const { userId } of [ben, cleo]) await deactivate(testApp.db, userId)
    pass(10)
    await remind()
    expect([await emails(), await emails(cleo)]).toEqual([[], []])
  })

  test('after 7 days', async () => {
    await ask(await colleague('ben.dahl'))
    pass(7 * 24 * 60)
    await remind()
    expect(await emails()).toEqual([])
  })
})

describe('an email waits', () => {
  test('for the end of a session', async () => {
    const sessionId = uuidv7()
    await testApp.call(startFocus, { sessionId, timeZone: 'UTC' }, ann)
    await ask(await colleague('ben.dahl'))
    pass(60)
    await remind()
    expect(await emails()).toEqual([])
    await testApp.call(stopFocus, { sessionId }, ann)
    await remind()
    expect(await emails()).toHaveLength(1)
  })

  test.each([
    ['America/Los_Angeles', '02:59', '15:01'],
    ['Asia/Kathmandu', '13:16', '02:16'],
    ['UTC', '19:01', '08:01'],
  ])('for the morning in %s, the zone of the last session', async (timeZone, night, morning) => {
    const sessionId = uuidv7()
    await testApp.call(startFocus, { sessionId, timeZone }, ann)
    pass(1)
    await testApp.call(stopFocus, { sessionId }, ann)
    await ask(await colleague('ben.dahl'))
    const nextDay = () => new Date(testApp.clock.now().getTime() + 86_400_000).toISOString().slice(0, 10)
    testApp.clock.set(`${nextDay()}T${night}:00.000Z`)
    await remind()
    expect(await emails()).toEqual([])
    testApp.clock.set(`${nextDay()}T${morning}:00.000Z`)
    await remind()
    expect(await emails()).toHaveLength(1)
  })

  test('threat 100: for its minute, since a server sends 20 in a minute', async () => {
    const ben = await colleague('ben.dahl')
    const people = await Promise.all(Array.from({ length: 23 }, (_, n) => colleague(`person${n}`)))
    for (const person of people) await ask(ben, person)
    const reached = async () => (await Promise.all(people.map(emails))).filter((all) => all.length === 1).length
    pass(10)
    await remind()
    await remind()
    expect(await reached()).toBe(20)
    pass(1)
    await remind()
    expect(await reached()).toBe(23)
  })
})

test('threat 100: one requester causes emails to 50 people, not to a whole company', async () => {
  const ben = await colleague('ben.dahl')
  const people = await Promise.all(Array.from({ length: 55 }, (_, n) => colleague(`person${n}`)))
  for (const person of people) await ask(ben, person)
  pass(10)
  for (let minute = 0; minute < 5; minute++) {
    await remind()
    pass(1)
  }
  const reached = (await Promise.all(people.map(emails))).filter((all) => all.length > 0)
  expect(reached).toHaveLength(50)
})

test('no email is sent while they are switched off', async () => {
  const set = async (requestEmails: boolean) =>
    (await testApp.call(updateRequestEmails, { requestEmails }, ann)).body.requestEmails
  expect(await set(false)).toBe(false)
  await ask(await colleague('ben.dahl'))
  pass(10)
  await remind()
  expect(await emails()).toEqual([])
  expect(await set(true)).toBe(true)
  await remind()
  expect(await emails()).toHaveLength(1)
})

test('the email has the headers of a one-click unsubscribe, and keeps no link once it is sent', async () => {
  await ask(await colleague('ben.dahl'))
  pass(10)
  await remind()
  const [eml = ''] = await emails()
  const [, url] = /^List-Unsubscribe: <(https:\/\/deeb\.example\/unsubscribe\?token=[\w.-]+)>$/m.exec(eml) ?? []
  expect(eml).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m)
  expect(eml.trimEnd().endsWith(`Stop it here:\n\n${url}`)).toBe(true)
  expect(await testApp.db.query(rows, { email: ann.email })).toEqual([{ body: '', url: null, sent: true }])
  const data = (await testApp.call(readMyData, {}, ann)).body
  expect(data['auth.outbox']).toMatchObject([{ kind: 'requests', recipient: ann.email }])
  expect(Object.keys(data['auth.outbox']?.[0] ?? {})).not.toContain('unsubscribe_url')
  expect(data.profiles).toMatchObject([{ request_emails: true, requests_emailed_at: expect.any(String) }])
})

test('a person who has chosen a language gets the email in it', async () => {
  await testApp.call(updateLanguage, { language: 'de' }, ann)
  await ask(await colleague('ben.dahl'))
  pass(10)
  await remind()
  expect(await body()).toMatch(
    /^Hallo,\n\njemand aus deiner Firma möchte sich auf deeb mit dir verbinden:\n\n- Ben Dahl\n\nWenn ihr/,
  )
  expect(await body()).toContain('\n\nhttps://deeb.example/app/team\n\n')
})
