import { randomUUID } from 'node:crypto'
import { answerRequest, MAX_COUNTED, readPeople, requestConnection, takeBackRequest } from '@deeb/core/team/api'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { statement } from '../db/db.ts'
import { type MadeUser, makeConnection, makeUser } from '../testing/make.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'

let testApp: TestApp
beforeAll(async () => {
  testApp = await startTestApp()
})
afterAll(() => testApp.close())

const people = async (of: MadeUser) => (await testApp.call(readPeople, {}, of)).body
const suggested = async (to: MadeUser) => (await people(to)).people.map(({ email }) => email.split('@')[0])
const ask = async (by: MadeUser, whom: MadeUser) =>
  (await testApp.call(requestConnection, { userId: whom.userId }, by)).body.connectionId

async function makeCompany(...names: string[]): Promise<MadeUser[]> {
  const company = `${randomUUID()}.example`
  const joined = []
  for (const name of names) joined.push(await makeUser(testApp, { email: `${name}@${company}` }))
  return joined
}

test('the people of a company are counted, and the others suggested by name', async () => {
  const [ann] = await makeCompany('ann', 'zoe', 'cleo', 'bea')
  expect(await people(ann as MadeUser)).toMatchObject({ count: 4, people: [{}, {}, {}] })
  expect(await suggested(ann as MadeUser)).toEqual(['bea', 'cleo', 'zoe'])
})

test('nobody is suggested who is connected, was asked, has asked or was declined, until a request is taken back', async () => {
  const [ann, connected, asked, asks, declined] = (await makeCompany('ann', 'bea', 'cleo', 'dan', 'eve')) as [
    ...[MadeUser, MadeUser, MadeUser, MadeUser, MadeUser],
  ]
  await makeConnection(testApp, connected, ann)
  const requestId = await ask(ann, asked)
  await ask(asks, ann)
  const answer = { requestId: await ask(declined, ann), answer: 'declined' } as const
  await testApp.call(answerRequest, answer, ann)
  expect(await people(ann)).toEqual({ count: 5, people: [] })
  expect(await suggested(asked)).toEqual(['bea', 'dan', 'eve'])
  await testApp.call(takeBackRequest, { requestId }, ann)
  expect(await suggested(ann)).toEqual(['cleo'])
  expect(await suggested(asked)).toEqual(['ann', 'bea', 'dan', 'eve'])
})

test('in a larger company each person is suggested to six others, the same ones each time', async () => {
  const company = await makeCompany(...Array.from({ length: 15 }, (_, n) => `person${n}`))
  const times = new Map<string, number>()
  for (const person of company) {
    const names = await suggested(person)
    expect(names).toEqual(await suggested(person))
    for (const name of names) times.set(name ?? '', (times.get(name ?? '') ?? 0) + 1)
  }
  expect([...times.values()]).toEqual(Array(15).fill(6))
})

test('without a company there is nobody', async () => {
  const [one] = [
    await makeUser(testApp, { email: 'one@gmail.com' }),
    await makeUser(testApp, { email: 'two@gmail.com' }),
  ]
  expect(await people(one)).toEqual({ count: 0, people: [] })
})

test('a company is counted up to a limit', async () => {
  const [ann] = (await makeCompany('ann')) as [MadeUser]
  const fill = statement(
    'test.fill-company',
    `with users as (
      insert into auth.users (id, email, encrypted_password, email_confirmed_at, created_at, updated_at)
      select gen_random_uuid(), n || '@' || :company, '', now(), now(), now() from generate_series(1, :size::int) as n
      returning id, email
    ) insert into profiles (id, email, company_domain) select id, email, :company from users`,
  )
  await testApp.db.query(fill, { company: ann.email.split('@')[1], size: MAX_COUNTED + 5 })
  expect(await people(ann)).toMatchObject({ count: MAX_COUNTED + 1, people: Array(6).fill({}) })
})
