import { randomUUID } from 'node:crypto'
import { answerRequest, MAX_COUNTED, readPeople, requestConnection, takeBackRequest } from '@deeb/core/team/api'
import { expect } from 'vitest'
import { statement } from '../db/db.ts'
import { type MadeUser, makeConnection, makeUser } from '../testing/make.ts'
import { test as base } from '../testing/test.ts'

const test = base.extend('team', { scope: 'file' }, ({ app }) => {
  const people = async (of: MadeUser) => (await app.call(readPeople, {}, of)).body
  const suggested = async (to: MadeUser) => (await people(to)).people.map(({ email }) => email.split('@')[0])
  const ask = async (by: MadeUser, whom: MadeUser) =>
    (await app.call(requestConnection, { userId: whom.userId }, by)).body.connectionId
  async function makeCompany(...names: string[]): Promise<MadeUser[]> {
    const company = `${randomUUID()}.example`
    const joined = []
    for (const name of names) joined.push(await makeUser(app, { email: `${name}@${company}` }))
    return joined
  }
  return { people, suggested, ask, makeCompany }
})

test('the people of a company are counted, and the others suggested by name', async ({ team }) => {
  const [ann] = await team.makeCompany('ann', 'zoe', 'cleo', 'bea')
  expect(await team.people(ann as MadeUser)).toMatchObject({ count: 4, people: [{}, {}, {}] })
  expect(await team.suggested(ann as MadeUser)).toEqual(['bea', 'cleo', 'zoe'])
})

test('nobody is suggested who is connected, was asked, has asked or was declined, until a request is taken back', async ({
  app,
  team,
}) => {
  const [ann, connected, asked, asks, declined] = (await team.makeCompany('ann', 'bea', 'cleo', 'dan', 'eve')) as [
    ...[MadeUser, MadeUser, MadeUser, MadeUser, MadeUser],
  ]
  await makeConnection(app, connected, ann)
  const requestId = await team.ask(ann, asked)
  await team.ask(asks, ann)
  const answer = { requestId: await team.ask(declined, ann), answer: 'declined' } as const
  await app.call(answerRequest, answer, ann)
  expect(await team.people(ann)).toEqual({ count: 5, people: [] })
  expect(await team.suggested(asked)).toEqual(['bea', 'dan', 'eve'])
  await app.call(takeBackRequest, { requestId }, ann)
  expect(await team.suggested(ann)).toEqual(['cleo'])
  expect(await team.suggested(asked)).toEqual(['ann', 'bea', 'dan', 'eve'])
})

test('in a larger company each person is suggested to six others, the same ones each time', async ({ team }) => {
  const company = await team.makeCompany(...Array.from({ length: 15 }, (_, n) => `person${n}`))
  const times = new Map<string, number>()
  for (const person of company) {
    const names = await team.suggested(person)
    expect(names).toEqual(await team.suggested(person))
    for (const name of names) times.set(name ?? '', (times.get(name ?? '') ?? 0) + 1)
  }
  expect([...times.values()]).toEqual(Array(15).fill(6))
})

test('without a company there is nobody', async ({ app, team }) => {
  const [one] = [await makeUser(app, { email: 'one@gmail.com' }), await makeUser(app, { email: 'two@gmail.com' })]
  expect(await team.people(one)).toEqual({ count: 0, people: [] })
})

test('a company is counted up to a limit', async ({ app, team }) => {
  const [ann] = (await team.makeCompany('ann')) as [MadeUser]
  const fill = statement(
    'test.fill-company',
    `with users as (
      insert into auth.users (id, email, encrypted_password, email_confirmed_at, created_at, updated_at)
      select gen_random_uuid(), n || '@' || :company, '', now(), now(), now() from generate_series(1, :size::int) as n
      returning id, email
    ) insert into profiles (id, email, company_domain) select id, email, :company from users`,
  )
  await app.db.query(fill, { company: ann.email.split('@')[1], size: MAX_COUNTED + 5 })
  expect(await team.people(ann)).toMatchObject({ count: MAX_COUNTED + 1, people: Array(6).fill({}) })
})
