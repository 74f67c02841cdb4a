import { createCircle, hidePerson, joinCircle, leaveCircle, previewCircle, readCircles } from '@deeb/core/circles/api'
import { readTeam } from '@deeb/core/team/api'
import { afterEach, expect, test } from 'vitest'
import { makeCircle, seenBy } from '../testing/circles.ts'
import { makeConnection, makeUser } from '../testing/make.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import type { openTestDatabase } from '../testing/test-database.ts'

const apps: TestApp[] = []
async function start(...words: Parameters<typeof startTestApp>): Promise<TestApp> {
  const testApp = await startTestApp(...words)
  apps.push(testApp)
  return testApp
}
afterEach(async () => {
  for (const testApp of apps.splice(0)) await testApp.close()
})

test('a person creates five circles a day', async () => {
  const testApp = await start()
  const ann = await makeUser(testApp)
  const create = () => testApp.call(createCircle, { name: 'Backend' }, ann)
  const answers = [await create(), await create(), await create(), await create(), await create(), await create()]
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 409])
  expect(answers[5]?.error.code).toBe('too_many_circles')
  testApp.clock.advance({ hours: 5 })
  expect((await create()).status).toBe(200)
})

test('threat 121: a person who tries links is stopped, and one who joins and leaves again and again', async () => {
  const testApp = await start()
  const [ann, ben] = [await makeUser(testApp), await makeUser(testApp)]
  const { circleId, invite } = await makeCircle(testApp, [ann])
  const statuses = new Set<number>()
  for (let count = 0; count < 61; count++) {
    const wrong = count.toString().padStart(22, 'A')
    statuses.add((await testApp.call(previewCircle, { invite: wrong }, ben)).status)
  }
  expect([...statuses]).toEqual([404, 429])
  const joined: number[] = []
  for (let count = 0; count < 31; count++) {
    joined.push((await testApp.call(joinCircle, { invite }, ben)).status)
    await testApp.call(leaveCircle, { circleId }, ben)
  }
  expect(joined).toEqual([...Array(30).fill(200), 429])
})

test('with CIRCLE_SIZE=0 nobody sees anybody through the circles of before, which are kept', async () => {
  const before = await start()
  const [ann, ben, cleo] = [await makeUser(before), await makeUser(before), await makeUser(before)]
  const { circleId, invite } = await makeCircle(before, [ann, ben])
  await makeConnection(before, ann, cleo)
  const off = await start({ CIRCLE_SIZE: '0' }, sharing(before), {})
  const callsOff = [
    await off.call(readCircles, {}, ann),
    await off.call(createCircle, { name: 'Choir' }, ann),
    await off.call(previewCircle, { invite }, ann),
    await off.call(joinCircle, { invite }, ann),
    await off.call(hidePerson, { userId: ben.userId, isHidden: true }, ann),
  ]
  expect(callsOff.map(({ status, error }) => [status, error.code])).toEqual(Array(5).fill([409, 'circles_off']))
  expect((await off.call(readTeam, {}, ann)).body).toMatchObject({
    ...{
      connections: [{ person: { id: cleo.userId }, circleIds: [] }],
      throughCircles: [],
      circles: [],
      newcomers: [],
    },
    circleSize: 0,
  })
  expect(await seenBy(before, ben)).toEqual([ann.userId])
  expect((await off.call(leaveCircle, { circleId }, ben)).status).toBe(200)
  expect(await seenBy(before, ben)).toEqual([])
})

/** The database of another app, which closes it. */
function sharing({ db }: TestApp): Awaited<ReturnType<typeof openTestDatabase>> {
  return { ...db, close: async () => undefined }
}
